package backtest

import (
	"fmt"

	"github.com/capplan/capplan/planner/ask"
)

// An EvaluateAnswer compares predicted with observed reliability. A relative
// error is |predicted − observed|/observed.
type EvaluateAnswer struct {
	Host  string `json:"host"` // of several: "3 machines"
	Hosts int    `json:"hosts"`
	// DrawnOf is how many machines there are, where Hosts are drawn from them.
	DrawnOf int `json:"drawn_of,omitempty"`
	// Forecasts is on how many test days at most, at each start and length of window of a machine, the
	// time-series models were judged, where that is not all.
	Forecasts int     `json:"most_forecasts,omitempty"`
	LeftOut   int     `json:"hosts_left_out"` // with too few days
	Stopped   bool    `json:"stopped"`        // by the context: of the machines that were done by then
	Day       string  `json:"day"`
	Step      float64 `json:"step_s"`
	// Train is the share of the days that was learned from.
	Train    float64      `json:"train"`
	Models   []ModelScore `json:"models"`    // by kind of day, SMP first
	Best     *string      `json:"best"`      // of least mean relative error by machine; null where none is defined
	BestPool *string      `json:"best_pool"` // by all machines together
	// Starts has a score for each model, kind of day and time of day.
	Starts []StartScore `json:"starts"`
	Cells  []CellScore  `json:"cells"` // of SMP
	// Ratios are of SMP alone.
	Ratios   []RatioScore `json:"ratios,omitempty"`
	Noise    *NoiseAnswer `json:"noise,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// An ErrorSummary gathers scores: one for each machine and start (or window). A
// relative error is not defined where no test day was free, so that windows in
// which a machine always fails are missing from it; the absolute error and the
// Brier score have them.
type ErrorSummary struct {
	Scores    int `json:"scores"`     // with a defined relative error
	Undefined int `json:"undefined"`  // no test day, or none of them free
	Hosts     int `json:"hosts"`      // with a test day
	TestDays  int `json:"test_days"`  // in all scores, undefined ones included
	TrainDays int `json:"train_days"` // greatest of the scores

	// Mean, least and greatest are over the scores; null without one.
	Mean *float64 `json:"mean_relative_error"`
	// MeanSE is its standard error as one of all machines, where they are drawn; not of starts and cells.
	MeanSE   *float64 `json:"mean_relative_error_se,omitempty"`
	Least    *float64 `json:"least_relative_error"`
	Greatest *float64 `json:"greatest_relative_error"`
	// Expected is the mean relative error if the model's predictions were the
	// truth: what the number of test days alone explains.
	Expected *float64 `json:"expected_relative_error"`
	Absolute *float64 `json:"mean_absolute_error"` // of all scores with a test day
	// Brier is the mean of (p − y)² over all test days, y = 1 where the machine stayed
	// free and p the mean prediction of the machine's window and start.
	Brier *float64 `json:"brier"`

	// The same with the test days of all machines taken together, one score
	// for each start (or window).
	Pools int `json:"pools"`
	// They are null where no pool has a free test day.
	PoolMean     *float64 `json:"pool_mean_relative_error"`
	PoolSE       *float64 `json:"pool_mean_relative_error_se,omitempty"` // as MeanSE
	PoolLeast    *float64 `json:"pool_least_relative_error"`
	PoolGreatest *float64 `json:"pool_greatest_relative_error"`
	PoolExpected *float64 `json:"pool_expected_relative_error"`
	Predicted    *float64 `json:"predicted"` // mean over test days
	// PredictedSE is its standard error at most, where some test days alone were forecast.
	PredictedSE *float64 `json:"predicted_se,omitempty"`
	Observed    *float64 `json:"observed"` // share of them free
}

// A ModelScore is one model on one kind of day.
type ModelScore struct {
	Model string `json:"model"`
	Day   string `json:"day"`
	ErrorSummary
	Windows []WindowScore `json:"windows"`
}

// A WindowScore gathers the start hours of one length of window.
type WindowScore struct {
	Model  string  `json:"model"`
	Day    string  `json:"day"`
	Window float64 `json:"window_s"`
	ErrorSummary
}

// A StartScore gathers the windows that begin at one time of day.
type StartScore struct {
	Model string  `json:"model"`
	Day   string  `json:"day"`
	Start float64 `json:"start_s"`
	ErrorSummary
}

// A CellScore is one length and one start, over the machines.
type CellScore struct {
	Model  string  `json:"model"`
	Day    string  `json:"day"`
	Window float64 `json:"window_s"`
	Start  float64 `json:"start_s"`
	ErrorSummary
}

// A RatioScore is SMP trained on another share of the days.
type RatioScore struct {
	Day   string  `json:"day"`
	Train float64 `json:"train"`
	ErrorSummary
	// GreatestMean is the greatest of the means by length of window (iShare
	// figure 12, "max-average").
	GreatestMean     *float64 `json:"greatest_mean_relative_error"`
	PoolGreatestMean *float64 `json:"pool_greatest_mean_relative_error"`
}

// explain gives the formulas behind the errors, and what they assume.
func (a *EvaluateAnswer) explain(ages bool) {
	e := &ask.Explanation{Model: "train and test by date"}
	numbers := "none is defined"
	if m := a.Models[0]; m.Mean != nil {
		numbers = ask.Sprintf("SMP: mean %v (machines × windows × starts: %d); %v if its predictions were the truth",
			*m.Mean, m.Scores, *m.Expected)
	}
	e.Step("relative error", "|TR predicted − TR observed| / TR observed", numbers, "iShare 8.2, figure 11")
	e.Step("expected error", "E(|p − K/n|/(K/n) | K ≥ 1), K ~ Binomial(n, p), p the prediction, n the test days",
		"what the number of test days alone explains", "")
	e.Step("time-series models",
		"fitted to the samples of the window of the same length before, continued, labelled and counted",
		fmt.Sprintf("%d models", len(a.Models)-1), "iShare 8.2.1, table 4 and figure 13")
	if !ages {
		e.Assume("the state at the beginning of the window counts as just entered")
	}
	e.Assume("a test day that begins in a failure state, or is incomplete, is left out")
	a.Explanation = e
}
