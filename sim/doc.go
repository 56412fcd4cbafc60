// Package sim answers: what does a system do that no closed form covers, and how
// sure is that? It is an engine for discrete events; the systems stand in packages
// of their own on top of it, and anyone may write another.
//
//	[Model] ──Run──▶ [Result]: each [Figure] with its 95 % interval
//	          seed     replications in the order of their numbers
//
// A model runs its events in an [Agenda] and draws random numbers from one [Stream] for
// each entity: two policies of one seed see the same arrivals, and [Difference]
// pairs their replications. [Run] spreads replications over the cores until their
// number or a precision is reached; the figures do not depend on the number of cores. Time is in any one unit.
//
// The intervals rest on this: replications are independent, so t intervals hold
// once there are enough of them for nearly normal means; within a replication a model
// may [Replication.Cut] regenerative cycles or long batches, which count as
// samples. Figures that are quotients (tallies, ratios, time averages) are
// estimated as quotients of sums. Quantiles have intervals between order
// statistics, whose levels come from the spread between replications. A test checks
// that of 400 intervals as many contain the truth as 95 % intervals should. Runs that
// stop at a precision contain it less often, since they stop where the spread happens
// to be small: 92 to 94 % (TestCoverageUnderPrecision).
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
