// Package forecasts shows how machines were forecast, as sections of package
// report: how far predictions were off ([Evaluation]), how models score against
// each other ([Scores]), and what the models of a fleet say of the time to come
// ([Fitted], [Forecast], [Joint], [Replicas]).
//
// A chance is shown with what it was learned from, since one from ten days and one from a
// hundred look the same. Errors are those of days that were not learned, by model and by
// length of the window.
//
// A fleet may have thousands of machines: text lists the first, and the CSV has all.
package forecasts
