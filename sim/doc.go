// Package sim answers: what does a system do that no closed form covers, and how
// sure is that? It is an engine for discrete events; the systems stand in packages
// of their own on top of it, and anyone may write another.
//
//	[Model] ──Run──▶ [Result]: each [Figure] with its 95 % interval
//	          seed     replications in the order of their numbers
//
// A model runs its events in an [Agenda] and takes chance from one [Stream] for
// each entity: two policies of one seed see the same arrivals, and [Difference]
// pairs their replications. [Run] spreads replications over the cores, until their
// number or a precision is reached; the figures are the same on one core and on
// eight. Time is in any one unit.
//
// What the intervals rest on: replications are independent, so that t intervals
// hold once their number makes means nearly normal; within a replication a model
// may [Replication.Cut] regenerative cycles or long batches, which count as
// samples. Figures that are quotients (tallies, ratios, time averages) are
// estimated as quotients of sums. Quantiles have intervals between order
// statistics, whose levels come from the spread between replications. A test holds
// that of 400 intervals as many hold the truth as 95 % ones should.
//
// A warm-up is given, found by [MSER5], or not needed where the cuts are cycles.
//
// Left out: rare events by importance sampling or splitting, goroutines as
// entities, continuous state, variance reduction beyond common random numbers.
//
// Bibliography: Law, Simulation Modeling and Analysis, 5th ed. 2015; L'Ecuyer et
// al., An object-oriented random-number package with many long streams and
// substreams, Oper. Res. 50, 2002.
package sim
