// Package queues answers: what are the figures of this one queue, or network of
// queues?
//
//	question           answer          what it asks
//	QueueQuestion   -> QueueAnswer     one queue of those that QueueModel names
//	ClosedQuestion  -> NetworkAnswer   customers that go round between stations
//	OpenQuestion    -> NetworkAnswer   customers that come, go from station to station, and leave
//	LinksQuestion   -> LinksAnswer     requests that hold a circuit on every link of their route
//
// The queue is named, and so is asked for as it is: package sizing chooses a
// model by the objectives, and finds the number of servers. The parts of a
// question are those of package sizing: its Traffic, its Figures.
//
// Networks and classes of customers are read from YAML or JSON by
// [ReadClosedNetwork], [ReadOpenNetwork], [ReadLinkNetwork] and
// [ReadJobClasses], which say where in the file a wrong value stands.
//
// Errors: *ask.InputError for a question that is not well put, and
// *ask.InfeasibleError for a queue without a steady state.
//
// A new queue is a formula in package queueing, a name and a function in the
// list of queue.go, and a line of the command's help; ARCHITECTURE.md has the
// recipe.
package queues
