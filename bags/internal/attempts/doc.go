// Package attempts has the laws of a task that is tried on one machine after another. Machines of
// several speeds come and go; a machine that leaves takes its task with it or, under BOINC, keeps
// the task until it is back.
//
//	Course                          laws of stays and absences
//	Times, of Nodes                 how long a task takes, by speed
//	Restarting(Taker, Times) Grid   time until a result, attempts begun anew elsewhere
//	Waiting.Laws() []ResultLaw      time until a result that waits on its machine
//	Course.TimeVariance             of the time that a machine is there
//	Turns, Asked                    when idle machines ask
//	Among                           which of those that ask get a task
//
// A law is a Grid: its distribution function at even steps of time. Scratch memory that is given
// back all at once comes from a Room.
package attempts
