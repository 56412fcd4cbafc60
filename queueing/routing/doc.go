// Package routing answers how to split one stream of requests over clusters
// that also serve a local stream of their own, and to which cluster the next
// request goes.
//
//	[]Cluster, Λ ──PAP, Minimize──▶ Split ──Probabilities──▶ Dispatcher ──Next──▶ cluster
//	      │        RoundRobin, ...    ▲
//	      └───────────Compare─────────┘
//
// [PAP] minimises the mean response time; [Minimize] does the same for the
// other objectives ([Cost], [WeightedTypes], [PreemptionRate], [PerCluster], ...);
// [RoundRobin], [LeastRateFirst] and [BiggestClusterFirst] are the baselines,
// and [Compare] prices them against the optimum. [Uncertain] covers rates known
// as ranges. [SplitByType] routes each request type on its own, with a proof or a
// bound, for that is not convex. A [Workload]
// turns sizes, durations and gaps into clusters; [DAS2] is the one of InterGrid.
//
//	symbol    name                  unit
//	λ, τ, μ   LocalRate, LocalServiceTime, LocalSecondMoment   1/s, s, s²
//	θ, ω      ServiceTime, SecondMoment of external requests   s, s²
//	c         Servers               1
//	ρ         local utilization     λτ/c
//	x         Rate                  external requests/s sent to a cluster
//	u         Utilization           ρ + xθ/c
//	T         Response              s, of an external request
//	Λ         total external rate   1/s
//	z         Multiplier            d(objective)/dx, equal on all clusters in use
//	ψ         LeastMarginal         marginal of a cluster without external load
//
// Every objective here but SplitByType's is a sum Σ Fⱼ(xⱼ) of convex functions
// of one rate each, so the Karush-Kuhn-Tucker conditions are necessary and
// sufficient: Fⱼ′(xⱼ) = z where xⱼ > 0 and Fⱼ′(0) ≥ z where xⱼ = 0, with
// Σ xⱼ = Λ. Each Fⱼ′ is increasing, so xⱼ(z) is too, and z is the one root of
// Σ xⱼ(z) = Λ: water-filling, no search over active sets. [Split.KKT] measures
// what is left of the conditions.
//
// Assumptions. Poisson arrivals (or an excess SCV, as an approximation), local
// requests preempt external ones and these resume, first come first served
// among external requests, random split: each cluster is eq. 4 of InterGrid. A
// [Dispatcher] sends the same shares in a more regular sequence, which eq. 4
// does not know; waits are then usually shorter. A cluster of several servers
// uses the model
// of [Cluster.Response], where each request takes one server.
//
// Left out: state-dependent routing (join the shortest queue), preemption
// overhead, fixed costs per cluster in use (not convex), deadlines.
//
// Bibliography. InterGrid: Amini Salehi, Javadi, Buyya, QoS and preemption
// aware scheduling in federated and virtualized Grid computing environments,
// J. Parallel Distrib. Comput. 72, 2012. Bondi, Buzen: The response times of
// priority classes under preemptive resume in M/G/m queues, SIGMETRICS 1984.
// Allen: Probability, statistics and queueing theory, 1990. Lublin, Feitelson:
// The workload on parallel supercomputers, J. Parallel Distrib. Comput. 63,
// 2003. Tijdeman: The chairman assignment problem, Discrete Math. 32, 1980.
// Balinski, Young: Fair representation, 1982. Neumaier: Rundungsfehleranalyse
// einiger Verfahren zur Summation endlicher Summen, ZAMM 54, 1974.
package routing
