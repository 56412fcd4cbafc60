// Package unlike answers what servers of several speeds do side by side, and
// what they do while machines among them come and go.
//
// A [Queue] has the load, the groups of servers that stand beside those to be
// counted, and what becomes of a job that finds all busy: it is lost, waits, or
// waits and may give up. It is a queueing.Model, so that queueing.LeastServers
// counts the servers to be added. [Varying] adds machines that are there only for
// a share of the time; its figures are those of the numbers that may be up,
// weighted. [MixTable] answers for very many mixes of the same kinds of machines,
// [LossMix] for their blocking alone, and [Queue.Busy] for how many of each kind work.
// [Elastic] is a fleet behind which as many slower servers stand as are needed.
//
//	symbol   name           unit
//	λ        ArrivalRate    1/s
//	E[S]     ServiceTime    s at speed 1
//	v_g      Group.Speed    1 = the speed by which ServiceTime is measured
//	A        Coming.Up      share of time that a machine is there
//
// Assumed: an idle server is taken at random, services are exponential, and
// machines come and go slowly against a service; what departs from that says so.
// With other squared coefficients of variation waits are Allen and Cunneen's, and
// warn.
//
// Left out: fastest first, jobs that move to a faster server.
//
// Bibliography. Gumbel: Waiting lines with heterogeneous servers, Oper. Res. 8,
// 1960.
package unlike
