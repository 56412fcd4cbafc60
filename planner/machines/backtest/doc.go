// Package backtest answers: how well would each model have foreseen these
// machines, which of the models does best, and what would have become of jobs?
//
//	EvaluateQuestion -> EvaluateAnswer  how well would the prediction have done, window by window?
//	NoiseQuestion    -> NoiseAnswer     how much do errors in the record spoil it?
//	ScoreQuestion    -> ScoreAnswer     how good are the chances that each of the models gives?
//	ChoiceQuestion   -> machines.Choice which model is best on the record itself?
//	ReplayQuestion   -> ReplayAnswer    what would schedulers have made of jobs on these machines?
//
// A record is parted by time: models learn from the older days and are judged on
// the later ones, which they have not seen. [ModelNames] are the models; [Own] and
// a [FleetLimit] are two of them for those who predict the future with what was
// judged here, as package forecast beside it.
//
// Records, states and windows are those of package machines, above it. The package
// knows no files and no flags.
package backtest
