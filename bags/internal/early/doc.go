// Package early follows a queue of tasks while far more of them wait than there are machines, so that all
// machines work all the time: first come, first served, where tasks that are lost wait again behind all others.
// Long tasks are lost more often than short ones, so that the last of a bag are mostly long, and, where
// checkpoints save work, mostly begun.
//
//	Kind            tasks of one work, in classes of saved work
//	AttemptsOf      the mean time of an attempt of each class, and what is left of a task after it
//	Queue           the tasks that wait
package early
