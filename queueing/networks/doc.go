// Package networks answers what a network of stations does: where requests go
// from station to station ([Jackson]), where a fixed number of customers comes
// back ([Closed]), and where a request takes a server of each of several links
// at once or is lost ([Loss]).
//
// Each is a struct that is checked at its door and has methods for its figures.
// [Closed.Exact] solves a closed network by its product form, by mean values
// over populations or by convolution, which stations of several servers need;
// [Closed.Schweitzer] approximates it where there are too many populations, and
// [Closed.Bounds] needs no solution at all.
//
//	symbol   name           unit
//	λ        ArrivalRate    1/s, from outside
//	Z        ThinkTime      s, away from all stations
//	D        Demands        s of service at a station and visit cycle
//	X        Throughput     1/s
//
// Assumed: steady state, and what gives product form: exponential services at
// stations in order of arrival, Poisson arrivals from outside, routing that
// forgets. Errors are those of package queueing; a station without a steady
// state is a *queueing.SaturatedError.
//
// Left out: open and closed classes at once, priorities, blocking between
// stations. The simulation is package sim/network.
//
// Bibliography. Reiser, Lavenberg: Mean-value analysis, J. ACM 27, 1980. Kelly:
// Blocking probabilities in large circuit-switched networks, Adv. Appl. Prob.
// 18, 1986. Jackson: Jobshop-like queueing systems, Management Sci. 10, 1963.
package networks
