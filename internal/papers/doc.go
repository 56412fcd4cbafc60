// Package papers answers: what does a figure or table of a paper come to, and
// does it agree with what is printed?
//
//	Reproduce      one figure or table, with a verdict for each printed number
//	Reproducibles  all of them, with what is left out and why
//
// The papers are PCU (private clusters with a pool of public machines),
// InterGrid (routes between clusters), iShare (availability of machines by a
// semi-Markov process), QoS-GRAF (allocation with backups) and SpeQuloS (tails of
// bags of tasks, and cloud workers against them). Each has a room of its own; package
// paper holds what they have in common. Each number is asked of the packages that answer
// questions, through the same door as anybody's, so that a model that changes is seen to
// agree with its paper or not.
//
// A verdict is agrees, differs or cannot be told, by the digits that are
// printed and by the interval of what is computed; paper/verdicts.json holds those
// of the last full run, and a test compares.
//
// Only the command imports this package: it is no model and no question of
// planning.
//
// Beside the rooms stand here:
//
//	reproduce.go       the list of all, and the door that asks for one of them
//	approximations.go  how far off the methods of this program were found
//	notreproduced.go   what no model computes, and why
//	uncompared.go      why what is computed has no verdict
//
// Simulations that take minutes are stored, with the seeds that make them anew; what is said of
// them is computed each time, so that a claim that is read otherwise needs no new run. A row
// whose text prints no number has a verdict where the text claims something, by a reading that
// its note gives.
//
// Left out: figures that are measured on machines or users that are not to be had. They are
// listed with the reason.
package papers
