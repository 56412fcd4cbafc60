// Package sizing answers: how many servers does this load need, and what does a
// fleet do with it?
//
//	question              answer                what it asks
//	SizeQuestion       -> SizeAnswer            how many servers for this load and these objectives?
//	CheckQuestion      -> CheckAnswer           does this fleet meet them, and by how much not?
//	CapacityQuestion   -> CapacityAnswer        how much load can this fleet take?
//	ThroughputQuestion -> ThroughputAnswer      what does a fleet with a public pool deliver?
//
// All of them hold the same parts. [Traffic] is what comes in: a load, a rate
// and a service time, a curve over the day, or a log of jobs. [Objectives] are
// what the fleet has to keep. A [Pool] of machines that come and go may stand
// beside the servers. [Figures] are what the fleet then does.
//
// A [Fleet] is one certain [Load] with the objectives it has to meet: the
// questions ask it one after another, and so does package planner, which puts
// machines of several kinds in the place of equal servers.
//
// Where a figure of the load is a range the answer is that of the most likely
// value, and [Uncertainty] says how the need varies over random draws. A curve
// is sized interval by interval; see [Staffing].
//
//	symbol  name          unit
//	λ       arrival rate  1/s
//	E[S]    service time  s
//	a       offered load  erlang, λ·E[S]
//	n       servers
//
// Errors: *ask.InputError for a question that is not well put, and
// *ask.InfeasibleError for one that no number of servers answers.
//
// Left out: machines of several speeds and prices (package planner), queues by
// their name (planner/queues), and any drawing.
package sizing
