// Package baseline predicts a host's availability from its load alone, as a time
// series that knows no states: the models that a semi-Markov prediction has to
// beat.
//
// A [Forecaster] continues a series: [AR] and [ARMA], of orders that are given
// or found by AIC, [BestMean] and [Last]; [Baselines] are those of the paper.
// [EvaluateForecaster] labels what they forecast by the thresholds of the host and
// scores it on the same days as smp.Evaluate. [Loads] hold the series of a record,
// with its gaps.
//
//	symbol   name     unit
//	p, q     AR, MA   orders
//	n        Steps    steps ahead
//
// Assumed: samples of one period. Left out: seasons and trends, prediction bands.
//
// Bibliography. iShare: X. Ren, S. Lee, R. Eigenmann, S. Bagchi, Prediction of
// resource availability in fine-grained cycle sharing systems, J. Grid
// Computing 5, 2007, 8.2.1. Brockwell, Davis: Time series: theory and methods,
// 1991. Monahan: A note on enforcing stationarity in autoregressive-moving
// average models, Biometrika 71, 1984.
package baseline
