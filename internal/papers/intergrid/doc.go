// Package intergrid computes the tables and figures of InterGrid: routes between clusters
// by the model of its section 4, and leases that local users preempt, simulated.
//
// The speed at which durations were measured is not printed, nor which lease of a type is
// preempted first: signs of differences are judged apart from their sizes, which these decide.
package intergrid
