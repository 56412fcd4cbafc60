// Package bags answers: when is a bag of tasks done on machines that leave, and
// what does help from a cloud buy?
//
//	FinishQuestion   -> FinishAnswer    in closed form, and the cheapest help
//	SimulateQuestion -> SimulateAnswer  by simulation, with and without help
//	HostsQuestion    -> HostsAnswer     how many machines are there, over time
//
// Bags and machines are named as in the paper, or given by numbers and laws ([BagSpec],
// [HostsSpec], [ParseLaw]). Times are in seconds, work in operations.
//
// A bag that its machines can never finish is an *ask.InfeasibleError. The package
// reads no file but that of a bag, and knows no flags.
package bags
