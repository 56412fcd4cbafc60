// Package worth answers: what is one machine of a type worth to a plan, and how many
// copies of a job does it take?
//
// [New] checks a type of a scenario once and settles what the rest of a plan asks of
// it: how many jobs it holds, how long it stays and is away, where its availability
// comes from, and the replicas of a job. A [Case] is one set of the figures that may
// be ranges. With it a [Machine] states its worth, itself as an item that a mix is
// chosen from, and the server that it is in a queue.
//
//	type, service, target, prediction ──▶ New ──▶ Machine
//	Machine, Case ──▶ Worth, Item, Coming
//
//	symbol  name          unit
//	w       Worth         servers of speed 1: (Tp/Td)·m·Pav/r
//	Tp/Td   Case.Speed    of the server that the service time is of
//	m       Holds         jobs at a time on one machine
//	Pav     Case.Up       share of the time that a machine is there
//	r       Copies        replicas of a job, each on a machine of its own
//
// Worth counts capacity alone. What a machine does for loss and waits depends on the
// whole mix; see planner/internal/mixes.
//
// Source: PCU section 4.6.
package worth
