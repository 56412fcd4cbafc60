// Package queueing answers how many servers a load needs and what a fleet
// delivers: loss, delay and abandonment systems in steady state, and their
// inverses.
//
// A question goes through three types: a [Model] ([Loss], [MMC], [GIGC],
// [ErlangA]) holds the load and waits for a number of servers; [Model.At]
// gives its [Figures]; [LeastServers] inverts it for an [Objective], and
// [Greatest] finds the greatest load or service time that a fleet takes. The
// closed forms underneath ([ErlangB], [ErlangC], …) stand on their own.
//
// Beside these stand the queues whose number of servers is given:
//
//	delay     [MMCK], [FiniteSource], [MG1], [GIM1] and [GIMC] with a [Law],
//	          [MDC], [PS], [GGC] and [GGCBy]
//
// What a newcomer may look for here stands in a room of its own:
//
//	queueing/loss      few sources, peaked traffic, jobs that need several
//	                   servers each, servers kept back
//	queueing/priority  classes of which one goes before another
//	queueing/networks  stations one after another, closed and open, and
//	                   links that are taken at once
//	queueing/unlike    servers of several speeds side by side, machines that
//	                   come and go, slower servers behind the first
//	queueing/varying   the load of each interval of a day
//	queueing/routing   one stream over several clusters
//
// An error of a room is one of this package: a [*DomainError], [ErrUnstable] or
// [ErrInfeasible].
//
//	symbol   name           unit
//	λ        ArrivalRate    1/s
//	E[S]     ServiceTime    s
//	a        OfferedLoad    erlang, λ·E[S]
//	n, c     Servers        real ≥ 0
//	ρ        Utilization    busy share of a server
//	B        Blocking       chance to be lost on arrival
//	C        WaitProbability
//	W        wait           s
//	θ        1/Patience     1/s
//
// The number of servers is real wherever the model has a continuation: half a
// server is what a pool of unreliable machines may be worth; see
// [EquivalentServers].
//
// Assumed throughout: Poisson arrivals unless an SCV says otherwise, servers
// alike, customers served in order of arrival, steady state.
// Approximations say so in their comment and carry an [Approximation] with the
// errors that were measured against simulation.
//
// Left out: simulation, transient laws.
//
// Bibliography. PCU: Asaduzzaman, Maheswaran, Strategies to create platforms
// for differentiated services from dedicated and opportunistic resources.
// Jagerman: Some properties of the Erlang loss function, BSTJ 53, 1974.
// Zeltyn, Mandelbaum: Call centers with impatient customers, Queueing Systems
// 51, 2005. Allen: Probability, statistics and queueing theory, 1990. Whitt:
// Approximations for the GI/G/m queue, Prod. Oper. Manag. 2, 1993.
// Asmussen: Applied probability and queues, 2003.
package queueing
