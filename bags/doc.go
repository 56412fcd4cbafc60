// Package bags answers: when is a bag of tasks done on machines that leave, and
// what does help buy? A [Bag] is many tasks that wait for nothing but a machine.
//
//	Setup (Bag, hosts.Platform, Server, Rules) ──Finish──▶ FinishLaw: chance, quantiles
//	FinishLaw + Help + Cloud ──With──▶ Helped: chance, quantiles, hours paid
//	FinishLaw + Target + Cloud ──Cheapest──▶ when to start, how many workers
//
//	symbol  name           meaning                                       unit
//	n       Size           tasks                                         1
//	w                      time of a task on a machine                   s
//	N A                    machines available, of N in all               1
//	T₀      Fluid          when the last task is handed out              s
//	F                      law of a task's time from its first start
//	W       Workers        of the cloud                                  1
//
// Laws are kept on a grid of time, and everything is a sum or a convolution on it: a law takes
// some milliseconds.
//
// # How a law is made
//
// In the order in which [Finish] asks, with the files to read:
//
//  1. finish.go puts the setup into a model: the times of a task on machines of each speed,
//     and for which numbers of tasks an uncertain bag is followed (sizes.go).
//  2. Under XWHEP and with checkpoints a task has one copy at a time (flowlaw.go). Where
//     two machines are there for each task of XWHEP, none waits, and the law is that of
//     attempts one after the other (attempts.Restarting). Else mean numbers of machines
//     and tasks are followed through time (flow.go and flowwork.go, with attempts.Turns for
//     machines that hold nothing and flowspeeds.go, which takes speeds together).
//  3. Under BOINC a task has several results (quorum.go): the law of the time of one,
//     which waits on its machine while that is away (attempts.Waiting), when they are given out
//     and to which machines (handout.go), and when a quorum of them is back (units.go,
//     and stragglers.go for those given out long before).
//  4. What is left of the bag on average becomes the law of its end: by the spread of the
//     machine time until the last task is handed out (attempts.Course) and of the number of
//     tasks (sizes.go); for machines of one speed, which finish in step, by following more
//     and less work in place of more and less time (instep.go). The same sums with fewer
//     terms leave branches, courses that the bag may take.
//  5. widening.go does steps 2 to 4 over longer times until the law is whole.
//
// Tasks with checkpoints that take several stays are followed by their progress instead (sharing.go).
//
// Package bags/internal/attempts has the laws of one task on machines that come and go, and
// bags/internal/lasting what is still left of tasks that were given out.
//
// [FewMachines] and [FinishLaw.Plateau] say where steps 2 to 4 are known to be wrong. There the
// law is made from simulated runs by [FromRuns].
//
// Help starts from the branches: helping.go and helpedcourse.go follow what may be left once
// a share is done and workers take of it, firstwave.go what they take first, fewworkers.go
// what few leave, handing.go where results of BOINC wait then, design.go looks for the
// cheapest start and number of workers (designing.go from one start, between.go among starts),
// frontier.go for what more hours buy.
//
// Package bags/spequlos decides while a bag runs; package sim/bot simulates both,
// and is what the closed forms are checked against.
//
// Left out: tasks that depend on each other, data that must be moved, machines that
// are better at one task than at another.
//
// Bibliography: Delamare, Fedak, Kondo, Lodygensky, SpeQuloS, INRIA RR-7890,
// 2012; Minh, Wolters, Towards a profound analysis of bags-of-tasks in parallel
// systems, HPDC 2011; Wang, Joshi, Wornell, ACM ToMPECS 4, 2019.
package bags
