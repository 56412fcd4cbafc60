// Package progress follows tasks with checkpoints that take many stays of a machine each. One machine after another
// works on such a task, and keeps what it has saved when it leaves: the saved work is a renewal-reward process, with
// a mean and a variance that grow steadily, and the task is done when it has come by its work. While there are more
// tasks than machines all that wait get attempts in turn, so that all have come by about the same work.
//
// Source: Cox, Renewal Theory, 1962, sections 4 and 8. Work is counted in seconds of a machine of mean speed.
package progress
