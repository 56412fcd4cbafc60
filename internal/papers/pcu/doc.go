// Package pcu computes the worked examples and the figures of PCU: a private cluster with a
// pool of public machines, by the formulas of its section 4 and by simulated pools.
//
// PCU prints few numbers: its examples are compared, and its figures are drawn again with the
// readings that they rest on. Simulations of minutes are stored as points.json and figure4.json;
// what the text says of them is judged each time.
package pcu
