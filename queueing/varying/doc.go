// Package varying answers how many requests are in service in each interval of
// a day, so that its servers can be counted interval by interval.
//
// A [Cycle] has the rate of each interval. [IntervalLoads] gives the offered load
// by a [Method]: the rate of the interval itself (SIPP), the rate of one service
// time before (lagged SIPP), or the load that infinitely many servers would have
// (MOL). [LoadCourses] has the last at every moment. [Method.Approximation] says
// how far off staffing by it was found to be.
//
//	symbol   name      unit
//	λ(t)     Rate      1/s
//	E[S]     service   s
//	m(t)     load      erlang
//
// Assumed: Poisson arrivals whose rate comes back after a cycle. Left out: how
// many servers an interval needs, which package queueing says of each load.
//
// Bibliography. Green, Kolesar, Soares: Improving the SIPP approach, Oper. Res.
// 49, 2001. Eick, Massey, Whitt: The physics of the M_t/G/∞ queue, Oper. Res.
// 41, 1993.
package varying
