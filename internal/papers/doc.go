// Package papers answers: what does a figure or table of a paper come to, and
// does it agree with what is printed?
//
//	Question -> Reproduction   one figure or table, with a verdict for each printed number
//	Reproducibles              all of them, with what is left out and why
//
// The papers are PCU (private clusters with a pool of public machines),
// InterGrid (routes between clusters), iShare (availability of machines by a
// semi-Markov process), QoS-GRAF (allocation with backups) and SpeQuloS (tails of
// bags of tasks, and cloud workers against them). One file or two hold what one of
// them prints. Each number is asked of the packages that answer questions, through the same door as
// anybody's, so that a model that changes
// is seen to agree with its paper or not.
//
// A verdict is agrees, differs or cannot be told, by the digits that are
// printed and by the interval of what is computed; verdicts.json holds those of
// the last full run, and a test compares.
//
// Only the command imports this package: it is no model and no question of
// planning.
package papers
