// Package routes answers: how to split a stream of jobs over clusters?
//
//	Question -> Answer   the share of each cluster, by policy, for an objective
//
// Each cluster is a queue with local jobs that preempt the routed ones. The
// policy pap minimises the objective (mean response, cost, or preemptions); rr, lrf
// and bcf are what it is compared with.
// The stream may hold types of jobs that fit only some clusters, and its rate
// may be a range: a [Hedge] then says for which of its values the shares are
// best. A dispatcher turns shares into an order of single jobs ([DispatchRule]).
//
// [Workload] draws clusters and stream from the laws that InterGrid measured on
// DAS-2. The model is that of package queueing/routing; rates are per second,
// times in seconds, shares 0 to 1 of the routed stream.
//
// A stream that no split carries is an *ask.InfeasibleError with the most that
// the clusters take. The package knows no files and no flags.
package routes
