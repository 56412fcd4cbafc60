// Package pcu computes the worked examples and the figures of PCU: a private cluster with a
// pool of public machines, by the formulas of its section 4 and by simulated pools.
package pcu
