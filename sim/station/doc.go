// Package station answers: what does a station of servers do that no closed form
// covers, and does a closed form hold where there is one? It simulates
//
//	gaps by any law, a curve of rates, finitely many sources, or a log of jobs
//	──▶ c servers, room for K, patience, classes by priority or of several widths
//	──▶ first come first served, shortest first, shared, or backfilled
//	──▶ the figures of package queueing, each with its interval
//
//	symbol  name                              unit
//	c       [Station.Servers]                 servers
//	K       [Station.Places], waiting and     customers
//	        served
//	λ       rate of [Class.Gaps], Curve       1/s, any one unit of time
//	S       [Class.Service]                   s
//	θ       [Class.Patience]                  s
//	b       [Class.Width]                     servers a job needs at once
//
// [Simulate] runs it on the engine of package sim. Chance comes from a stream for
// each class and purpose, drawn at the arrival: two stations that differ in their
// servers or their order see the same customers.
//
// Every run keeps books and ends with an error where they do not balance: what
// came has left or is there, time in the system adds up to the integral of the
// number there (Little's law), work done to that of the busy servers, and nobody
// who fits waits.
//
// Left out: networks of stations (package sim/network), servers that fail while
// they serve, customers that leave a queue for another.
//
// Bibliography: Mu'alem & Feitelson, Utilization, predictability, workloads and
// user runtime estimates in scheduling the IBM SP2 with backfilling, IEEE TPDS 12,
// 2001; Lewis & Shedler, Simulation of nonhomogeneous Poisson processes by
// thinning, Naval Res. Logist. Q. 26, 1979.
package station
