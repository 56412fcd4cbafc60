// Package machines answers: when will this machine be free, and which of them
// should a job take?
//
//	LabelQuestion      -> LabelAnswer     in which state was this machine, and when?
//	KernelQuestion     -> KernelAnswer    the semi-Markov kernel of a window of a day
//	FleetQuestion      -> FleetAnswer     the kernels of all machines of a fleet
//	PredictQuestion    -> PredictAnswer   how likely is it free through a window?
//	RankQuestion       -> RankAnswer      which machine to take?
//	SolveQuestion      -> SolveAnswer     what does a given kernel say?
//	LaboratoryQuestion -> Laboratory      machines of a computer room, made by a generator
//
// A machine's record is a [Trace], samples of load or times up and down, or
// what a [Recorder] was handed one by one. A [Labelling] turns it into the five
// states of iShare: S1 and S2 leave room for a guest job, S3 is short of
// processor, S4 of memory, and in S5 the machine is gone. The model is that of
// package smp; a [StateTally] sums a whole fleet up in figures of up and down
// times.
//
// Of the packages below it, backtest says how well each model would have foreseen
// machines, and what schedulers would have made of jobs on them; forecast answers
// for whole fleets, by any of these models.
//
// Times are unix seconds, lengths seconds, memory bytes in questions and MB in
// samples. What is not known from the record, before its start or in a gap, is
// left out of estimates and said in warnings.
//
// The package knows no files and no flags; trace reads files of samples.
package machines
