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
//	N A                    machines there, N all of them                 1
//	T₀      Fluid          when the last task is handed out              s
//	F                      law of a task's time from its first start
//	W       Workers        of the cloud                                  1
//
// Laws are kept on a grid of time; everything is a sum or a convolution on it, some
// milliseconds together.
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
