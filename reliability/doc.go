// Package reliability answers how many replicas keep a job alive, how often
// to reschedule, what the bottleneck link allows and when to checkpoint. It takes
// and returns plain numbers, in any single unit of time (and of data), with
// fractions in 0..1. Package law fits the laws of lifetimes.
//
// The chain of questions:
//
//	durations → law.FitLaws, UpDown → MTTF, MTTR
//	MTTF, MTTR, P → Replicas → AllDown (y) → BestEpoch (δ) → Link (λ_b)
//
// [JointDesign] answers the whole last line at once. Other functions are [KofN],
// [Spares] and [Structure] for systems, [CheapestPool] for machines that differ,
// [BetaFactor] and [Placement] for failures with a common cause,
// [IntervalReliability] for a whole window instead of one moment, and
// [Checkpoint] and [CompareRuns] for jobs that save their state.
// [ReplicasWithCrews], [ReplicasForWindow] and [BetaFactor.ReplicasNeeded] invert
// the Markov chains as [Replicas] inverts the formula.
//
//	symbol  name                                   unit
//	p, 1-p  availability, unavailability of one    1
//	P       availability asked for                 1
//	k, m    replicas; how many must be up          1
//	c       repair crews                           1
//	β       share of failures with common cause    1
//	y       rate at which jobs lose all replicas   1/time
//	x       migrations begun in an epoch           1
//	T       duration of a migration                time
//	δ       scheduling epoch                       time
//	λ       arrival rate of jobs                   1/time
//	m       footprint of a job, on the link        data
//	B       bandwidth of the link                  data/time
//	N_d     dedicated servers                      1
//	M, C, R MTBF, checkpoint cost, restart         time
//	τ       work between checkpoints               time
//
// Assumptions: availabilities need means only; frequencies, windows and the
// run times of jobs assume exponential up and repair times; machines are
// independent unless a common cause is named.
//
// Probabilities near 0 and near 1 both keep their relative accuracy: a result
// with an availability also has the unavailability, summed separately. Data
// never panic: an argument outside its domain gives a [*DomainError], and a
// target that cannot be reached gives an error that wraps [ErrInfeasible] and
// contains the certificate.
//
// Left out: repair times that grow with the epoch, aging machines in the
// Markov models.
//
// [Replicas], [BestEpoch] and [Link] say where they depart from PCU
// (Asaduzzaman & Maheswaran).
//
// Bibliography: PCU 4.5-4.6; Barlow & Proschan, Statistical Theory of
// Reliability, 1975; Fleming 1975 (beta factor); Jensen 1953 (uniformisation);
// Horowitz & Sahni 1974; Young 1974; Daly 2006; Loader 2000; DLMF
// (dlmf.nist.gov).
package reliability
