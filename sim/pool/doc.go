// Package pool answers: what do dedicated machines and public ones that come and
// go deliver together, if jobs are moved between them? It is the system of PCU in
// full, as a model of package sim: [Pool] is the system, [Default] the paper's.
//
//	jobs ──▶ queue ──epoch──▶ dedicated machines ◀──link──▶ public machines
//	            algorithm 1:   the highest priorities        k replicas each
//
// Every epoch δ the manager misses life pulses, admits jobs, moves those of highest
// priority to the dedicated machines and others away, and makes up replicas, in
// this order. What it knows of a public replica is its last pulse; what is so, the
// run knows: jobs that it takes for running may have died.
//
//	symbol  name          meaning                                       unit
//	N_d     Dedicated     machines of speed 1, always there             1
//	N_p     Machines      public ones                                   1
//	k       Replicas      of a job on public machines                   1
//	δ       Epoch         between runs of the scheduler                 s
//	e       elongation    (T − W)/W of a job of work W that takes T     1
//	B, V    account       work that a user asked for, and got in time   erlang
//	V₀, ρ   Agreement     up to which load, which share was promised    erlang, 1
//
// Our readings, where the paper is silent. The state of a job that leaves a
// dedicated machine stays in the cluster's store, so that the machine is free at
// once. A machine that is asked for the state of a replica and has gone is noticed
// there and then; with no replica alive a job of high priority begins from the
// store. Jobs that are being moved, or have just been, keep their dedicated
// machines, and the others share those that are left. Of e_max the manager is told
// which jobs can no longer keep it: the paper's rule needs the work of a job, which
// its scheduler otherwise does not know. B counts the work that came in the window,
// V that which was done. Results take no time to come back.
//
// Left out: machines that slow down, more than one link, traffic beside, trust,
// prices; the time that the scheduler itself takes.
//
// Bibliography. PCU: Asaduzzaman, Maheswaran, Strategies to create platforms for
// differentiated services from dedicated and opportunistic resources.
package pool
