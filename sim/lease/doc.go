// Package lease answers: what do leases of virtual machines on shared clusters
// come to, by the policy that dispatches them? It simulates InterGrid: clusters
// whose own users preempt, and a gateway that sends them external requests.
//
//	[System] ──Simulate──▶ [sim.Result]: VMs preempted, utilization, response, rates
//	policy, workload                     of migration and rejection, with intervals
//
// Each cluster backfills conservatively. A lease gets the earliest reservation at
// which its nodes are free for its whole duration with all earlier reservations
// kept. It begins then or, where nodes come free that were not expected to, as
// soon as it fits. Only a local lease sets a reservation back: it starts at once,
// on free nodes first, then on those of running leases, Cancelable ones before
// Suspendable before Migratable; and reservations that it runs into give way, of
// best effort first, the last to arrive first. It is rejected where local and
// NonPreemptable leases hold too much.
//
// A preempted lease takes the earliest place for what is left of it that delays no
// reservation: a gap that is long enough, else behind those that wait. On one node this
// is not the preemptive-resume order of queues, where it would go on first: mean
// responses lie below or above that order's as durations vary much or little.
//
//	type             waits                  at a preemption
//	[Cancelable]     as long as it takes    is killed
//	[Suspendable]    as long as it takes    goes on later on its cluster
//	[Migratable]     if done by a deadline  goes on where it is done first
//	[NonPreemptable] never                  is none of those preempted
//
// A System runs two days or any horizon from empty clusters. All policies of one
// seed meet the same requests, so that [sim.Difference] of two of them is paired.
//
// Readings where the paper is silent: a Migratable lease is taken if it can be
// done by its arrival + (1 + slack) x duration, and fails when a preemption leaves
// no cluster that does it by then; which lease of a type is preempted
// ([VictimRule]); the time to suspend stands at the next start, since the nodes
// are the local lease's at once ([Overheads]). Its utilization, 1 - overhead /
// computation, is none: the share of node-seconds that are busy stands beside it.
//
// Left out: placement of VMs on nodes, which are alike within a cluster; the
// network between clusters; estimates of durations, which are exact.
//
// Bibliography. Amini Salehi, Javadi, Buyya, QoS and preemption aware scheduling
// in federated and virtualized Grid computing environments, J. Parallel Distrib.
// Comput. 72, 2012. Mu'alem, Feitelson, Utilization, predictability, workloads,
// and user runtime estimates in scheduling the IBM SP2 with backfilling, IEEE
// Trans. Parallel Distrib. Syst. 12, 2001.
package lease
