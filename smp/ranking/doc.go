// Package ranking chooses hosts for jobs by how likely they stay free, and
// replays records of hosts to see what a choice would have come to.
//
// A [Job] has a length and runs at the host's rate beside its load: [Job.JCT] is
// when it is done on a host that stays, [Job.JCTF] allows for failures by the
// reliability curve. [RankProactive] puts candidates in order by either.
// [Replay] starts jobs on recorded hosts by a [Scheduler] ([Proactive],
// [Fastest], [Omniscient], ...) and counts failures, restarts and makespans.
//
//	symbol   name       unit
//	TL       Length     s on a host of rate 1
//	CR       Rate       speed, 1 = the host by which TL is measured
//	L(t)     Load       mean load over the next t seconds, 0..1
//
// Assumed: a job that fails starts anew. Left out: migration of running jobs,
// jobs that share a host. Errors are those of package smp.
//
// Bibliography. iShare: X. Ren, S. Lee, R. Eigenmann, S. Bagchi, Prediction of
// resource availability in fine-grained cycle sharing systems, J. Grid
// Computing 5, 2007.
package ranking
