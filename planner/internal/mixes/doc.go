// Package mixes answers: which mix of machines meets the objectives of a load, and
// which of those costs the least?
//
// A machine counts by its own figures, not by a share of another: a [Model] makes of
// each a server of its own speed, one that comes and goes or not, lets an idle server
// take the next arrival at random, and averages over the machines up. A [Choice] then
// searches the counts of each type; a [Crossing] says which of the mixes that are
// enough link and epoch allow beside that.
//
//	kinds, queue, objectives ──▶ Model  ──┐
//	link, epoch, public share ─▶ Crossing ┴▶ Choice.Cheapest ──▶ counts, cost, bound
//
//	symbol   name         unit
//	nᵢ       counts[i]    machines of type i
//	vᵢ       Speed        of the server that the service time is of
//	p        Up           share of the time that a machine is there
//	r        PerJob       machines that hold one job: replicas over slots
//	a        load         erlang
//	wᵢ       Worth        servers of speed 1
//	s        Share        of the jobs served, on public machines
//	δ        Epoch        s, between two rounds of scheduling
//
// Why the search does not just add up worths: two machines of half the speed do not do
// what one of the full speed does, and a machine that is there half of the time does
// less than half a machine. The counts that are just enough of one type alone span a
// plane, though, below which no mix lies (proven for loss) or none was found
// (measured, [Model.Cheapest]); that is what makes ten types searchable. A solution
// says what of it is proven.
//
// What bounds a search, from the whole plan to one mix:
//
//	steps of the plan         planSteps, and mixSteps .. fleetSteps of its parts, see [Work]
//	steps of one search       [Model.Allowed], ended by [Model.spent]; [LeastSteps] at least
//	a search of few steps     fewSteps: only what is known is made better, see [Model.hasty]
//	boxes of counts           tableNodes .. dearNodes, by what a mix costs, see [finding.budget]
//	mixes of a box            mostCrowd: of more types that come and go only the plane is asked
//	mixes of an exchange      tableTrials .. dearTrials, see exchange.go
//	what a search remembers   mostSteps of a [staircase], one table up to a need of mostTable
//
// Steps depend on the question alone and not on the computer, so that the answer does too; all
// others only keep one part of a search from using up the steps of the next.
//
// Left out: queues in which a dispatcher prefers some servers, and jobs of unlike
// sizes. A load given as a log is planned by worth alone, without a Model.
package mixes
