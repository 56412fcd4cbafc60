// Package forecasts shows how machines were forecast, as sections of package
// report: how far predictions were off ([Evaluation]), how models score against
// each other ([Scores]), and what the models of a fleet say of the time to come
// ([Learnt], [Forecast], [Joint], [Replicas]).
package forecasts
