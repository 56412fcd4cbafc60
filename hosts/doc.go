// Package hosts answers: which of these machines will be there, and when? It
// describes a population of machines that come and go by their own will or
// their owner's, such as desktops, nodes of a best-effort queue or spot
// instances, and draws the course of each.
//
//	published quartiles ──FromQuartiles──▶ laws ┐
//	laws of up and down times ──────────────────┼──▶ Platform ──Begin──▶ Run ──Host──▶ up until, down until, ...
//	intervals recorded, a Population ───────────┘        └─Present─▶ how many
//
//	symbol  name           meaning                                     unit
//	N       Count          machines                                    1
//	a, u    Up, Down       how long one is there, and away             s
//	A       Availability   E a/(E a + E u), and that of its group      1
//	        Speed          operations a second                         nops/s
//	        Departure      chance that an end of a is for good         1
//	        Groups         machines that share outages
//
// A course is an alternating renewal process in its steady state: at time 0 a
// machine is there with chance A, and what is left of its interval has the
// equilibrium law. Machines are independent but for what is common to a group or
// to the record they come from; where a measured count spreads further than that,
// [Platform.Present] says so.
//
// Chance comes in as a function from the name of an entity to its random numbers,
// so that a machine does the same whatever is done with it, and is drawn only as
// far as somebody looks.
//
// Laws that depend on the hour or the machine come in as a [Population]. Left out:
// speeds that change.
//
// Bibliography: Delamare, Fedak, Kondo, Lodygensky, SpeQuloS, INRIA RR-7890,
// 2012; Cox, Renewal Theory, 1962.
package hosts
