// Package intergrid computes the tables and figures of InterGrid: routes between clusters
// by the model of its section 4, and leases that local users preempt, simulated.
package intergrid
