// Package spequlos computes the tables and figures of SpeQuloS, tails of bags of tasks and
// cloud workers against them, on the simulated bags of package bagstudy.
//
// The traces of the paper are not to be had: machines come and go by laws through its quartiles,
// each for itself, so that what is common to them is missing.
package spequlos
