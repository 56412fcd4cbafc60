// Package alloc answers which job runs at which level of service on which
// resource, where its backup is, and what failures then cost: the problems
// MRPA (greatest revenue of primaries) and MLBA (least loss of backups) of
// QoS-GRAF.
//
// A [Batch] is checked and laid out by [New]; [System.Bounds] and
// [System.Curve] say what any assignment can earn at most; [System.Allocate]
// chooses primaries, [System.Backup] backups for given primaries;
// [System.FailInSuccession] and [System.Losses] let resources fail. [Verify]
// checks any answer against the batch alone; [Generate] makes batches.
//
//	symbol  name                         unit
//	K, J    jobs, resources
//	i       level, from 1
//	D_ik    Level.Demand                 of the dependency
//	R_ik    Level.Revenue                of account
//	C_j     PrimaryCapacity              of the dependency
//	B_j     BackupCapacity               of the dependency
//	λ       ShadowPrice                  revenue per unit of capacity
//	π       Price / Speed                account per unit of demand
//	F_k     BaseFee                      of account
//	B, μ    Budget, BudgetPrice          of account, net revenue per unit of it
//	pf      PrimaryFactor                capacity / summed mean demand
//	bf      BackupFactor                 backup / primary capacity
//
// Three facts carry the package. Dependencies are independent. Revenue and
// demand do not depend on the resource, so that the relaxation of MRPA is a
// multiple-choice knapsack over the summed capacity: linear time, no linear
// program. In MLBA nothing ties jobs whose primaries do not fail together: one
// small problem for each dependency and failure, solved side by side.
//
// Methods: lp-round packs the rounded relaxation at a few capacity scales by
// best fit, then reorganizes pairs of resources (a core knapsack for the
// levels of both, subset sums to divide them), with random restarts, and ends
// small problems by exhaustive search. Jobs that name the resources they may
// use, and that this leaves without one, are sent over their lists by a greatest
// flow, which proves it if there is no room, and placed by chains of moves.
// lp-round-paper is the published heuristic; four more are those it was
// compared with.
//
// Assumed: whole numbers up to 2⁵³; demands rise strictly from level to level,
// revenues never fall; one failure at a time, unless asked for pairs; a job
// that has a backup moves there without cost. Dependencies are accounted for
// one by one: a job that loses one of them keeps the revenue of the others.
//
// Beyond the paper: lists of eligible resources, speeds, risk groups that
// partition the resources, prices by resource; and, which ties the
// dependencies, jobs that are served in all of them or in none (admission
// optional) for a base fee, and a budget on what is spent. What is tied is
// bounded by its Lagrangian in a multiplier for each dependency and the budget,
// which has the value of the linear program, solved from its multipliers and
// then shaken; the net revenue, revenue and fees less spending, is greatest.
// Backup capacity has no price, and the loss counts revenue only, base fees
// not.
//
// Left out: revenue or demand that depends on the resource otherwise (the
// generalized assignment problem), choosing primaries and backups together,
// risk groups that overlap.
//
// How far the paper's own claims hold on generated batches is in CLAIMS.md.
//
// Bibliography. QoS-GRAF: Dasgupta, Dasgupta, Purohit, Viswanathan, QoS-GRAF:
// a framework for QoS based grid resource allocation with failure
// provisioning. Sinha, Zoltners: The multiple-choice knapsack problem, Oper.
// Res. 27, 1979. Zemel: Inf. Proc. Lett. 18, 1984. Dyer: Math. Programming 29,
// 1984. Geoffrion: Lagrangean relaxation for integer programming, Math. Prog.
// Study 2, 1974. Pisinger: A minimal algorithm for the multiple-choice knapsack
// problem, Eur. J. Oper. Res. 83, 1995. Horowitz, Sahni: J. ACM 21, 1974.
package alloc
