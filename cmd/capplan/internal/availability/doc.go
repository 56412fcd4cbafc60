// Package availability holds the commands that answer: how likely is this machine
// free through a window?
//
// [Command] is the group, and each file one of its commands: label, fit, predict,
// rank, replay, evaluate and solve ask planner/machines; record samples the machine
// that one sits at, and generate makes up a laboratory of machines. [HostInput]
// reads traces by the flags that all of them share; reproduce reads by it too.
//
// Machines are foreseen by models of two kinds. The semi-Markov process of iShare learns from
// each machine for itself, for a kind of day and a window of it; frailty learns one hazard of
// a whole fleet, with a factor for each machine. Which does best can be left to the command
// (--model auto): it holds out the later half of the record and scores them.
//
//	label.go               the states of a trace, before anything is learned
//	fit.go, forecast.go    learn a kernel, or a fleet by frailty
//	predict.go, rank.go    one window of one machine, or machines in order
//	forecast.go            joint: several machines at once
//	evaluate.go, scores.go how far predictions were off on days that were held out
//	replay.go              what schedulers make of predictions
//	hostinput.go           the flags by which all of these read traces
//	record.go, live.go     traces that are being made
//
// Traces of thousands of machines are more than memory holds: they are read one by one, and
// what fit learns of a machine is a line of its file, so that a run that was stopped goes on
// behind the last whole line (--resume).
package availability
