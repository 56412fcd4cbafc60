// Package spequlos computes the tables and figures of SpeQuloS, tails of bags of tasks and
// cloud workers against them, on the simulated bags of package bagstudy.
package spequlos
