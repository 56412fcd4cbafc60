// Package grid holds the commands that answer: what do machines that come and go
// deliver?
//
//	capplan finish            when is a bag of tasks done, and what does help buy?
//	capplan simulate bot      the same bag, simulated under one of three servers
//	capplan simulate hosts    how many of the machines are there?
//	capplan simulate pool     dedicated machines beside public ones, with jobs that migrate
//	capplan simulate leases   leases on clusters whose own users preempt
//
// The flags that they share stand in files of their own: [runFlags] say how often and
// how long to simulate, bagInput describes the tasks, hostsInput and fleetHosts the
// machines, by their laws, by a name of a paper or as foreseen of a fitted fleet.
//
// finish answers by formulas, which a simulation can check; the others simulate, and give
// means over independent runs with their intervals. The same seed gives the same bytes, on any
// number of cores. What is finished when a Ctrl-C comes is an answer, told with the exit code of
// an interruption.
//
// Runs are the pieces that shards divide (package shards), and merge comes to the bytes of one
// process.
package grid
