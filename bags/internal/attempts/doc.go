// Package attempts has the laws of a task on one machine after the other: machines of
// several speeds come and go, and whoever leaves takes his task with him or, under
// BOINC, keeps it until he is back.
//
//	Course                          laws of stays and absences
//	Times, of Nodes                 how long a task takes, by speed
//	Restarting(Taker, Times) Grid   time until a result, attempts begun anew elsewhere
//	Waiting.Laws() []ResultLaw      time until a result that waits on its machine
//	Course.TimeVariance             of the time that a machine is there
//
// A law is a Grid: its distribution function at even steps of time. Numbers that all go
// at once are taken from a Room.
package attempts
