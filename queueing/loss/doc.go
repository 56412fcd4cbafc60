// Package loss answers how many are turned away where the loss formula of
// Erlang (queueing.ErlangB) does not hold: few sources ([Engset]), traffic that
// comes in peaks or is smooth ([Peaked]), jobs that need several servers each
// ([MultiRate]), and streams for which servers are kept back ([Reservation]).
//
//	question                                     ask
//	how much do n servers lose of this stream?   [PeakedLoss], [Hayward], [SharedOverflow]
//	what does a full group pass on?              [Overflow], and which servers make the
//	                                             same of Poisson arrivals: [EquivalentRandom]
//	how much is lost of jobs of several widths?  [NewMultiRate], [LeastMultiRate]
//	and with servers kept for the wide ones?     [Reservation.Figures]
//
//	symbol   name           unit
//	a        Load, JobLoad  erlang
//	z        Peakedness     variance over mean of the number busy, 1 for Poisson
//	b        Width          servers that a job takes
//
// Assumed: steady state; nobody waits, who finds no room is lost. What is
// approximated carries the errors that were measured against exact chains
// (docs/APPROXIMATIONS.md). Errors are those of package queueing.
//
// Bibliography. Wilkinson: Theories for toll traffic engineering, BSTJ 35, 1956.
// Fredericks: Congestion in blocking systems, BSTJ 59, 1980. Kaufman: Blocking
// in a shared resource environment, IEEE Trans. Comm. 29, 1981.
package loss
