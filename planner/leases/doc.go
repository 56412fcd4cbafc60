// Package leases answers: what do leases on shared clusters come to, by the policy
// that dispatches them? It reads the file of such a system, has package sim/lease
// simulate it, and gives each figure with its interval.
//
//	file ──Read──▶ File ──┐
//	                      ├──Ask──▶ Answer: preemptions, utilization, response, rejections
//	policy, seed, horizon ┘
//
// The file holds the streams of requests as the DAS-2 model has them: Weibull gaps,
// lognormal durations, sizes log-uniform in two stages; testdata/leases.yaml is the
// workload of InterGrid table 2.
package leases
