// Package records answers: what do these files say of machines, of jobs, and of traffic? It reads
// traces of machines, of any kind and packed or not, into what the questions take:
//
//	Lifetimes  times up and down, or durations, into a tally.UpDown
//	Samples    samples of load, labelled as they come, and folders of any trace,
//	           into a machines.StateTally
//	Hosts      the records of machines, kept whole, for machines.Predict and Rank
//	Stream     the records of machines one by one, for a forecast.Learning
//	Courses    when each machine was there, for simulations of bags
//	Traffic    a record of what came in, folded into a day or a week
//
// Each is a struct whose fields say how to read; its method Read reads a file, a
// folder or an archive, and leaves beside the result what the reader of an
// answer ought to know. Files are those of an fs.FS, or of the system.
//
// [FitLog] says what load a log of jobs holds, and which laws its gaps, run times and
// sizes follow; package joblog reads the log.
//
// Errors: *source.FileError of a file that is not as it should be (trace.FileError
// to other modules), *ask.InputError for an option that a file has no use for,
// by the name of the option.
package records
