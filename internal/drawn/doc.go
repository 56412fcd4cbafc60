// Package drawn answers: what do the draws of an uncertain load need, without a search for each?
//
//	[Known]    needs that are all solved, and sorted
//	[Ordered]  needs that rise with their place: quantiles, and how many a fleet meets, from
//	           a few that are solved
//	[Halved]   answers that rise with their place and are often equal, from those that differ
//
// The caller brings the search of one need. A need before a headroom is what the objectives
// ask for; the headroom makes more servers of it.
//
//	symbol  name       unit
//	k       place      0 is that of the least load
//	n       need       servers, +Inf where no number is enough
//	        Regret     money: servers too many and too few at their prices
//
// All of it is exact: a need that is told without a search lies between two that are equal.
package drawn
