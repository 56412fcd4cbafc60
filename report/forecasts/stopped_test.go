package forecasts_test

import (
	"context"
	"testing"

	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/report/forecasts"
)

// A signal may come before the first machine is done, or between the errors and the noise:
// what is there is shown and drawn, whatever figure was asked for.
func TestStoppedEvaluationIsShown(t *testing.T) {
	window := backtest.WindowScore{Window: 3600}
	for _, day := range []string{"weekday", "both"} {
		done := []backtest.ModelScore{{Model: "smp", Day: "weekday", Windows: []backtest.WindowScore{window}}}
		if day == "both" {
			done = append(done, backtest.ModelScore{Model: "smp", Day: "weekend", Windows: done[0].Windows})
		}
		for _, models := range [][]backtest.ModelScore{nil, done} {
			for _, figure := range forecasts.EvaluationFigures {
				for _, hosts := range []int{0, 1, 3} {
					a := &backtest.EvaluateAnswer{Day: day, Hosts: hosts, Models: models, Stopped: true}
					s := forecasts.Evaluation(a, figure)
					for _, d := range s.Data {
						if err := d.Each(func([]string) error { return nil }); err != nil {
							t.Errorf("%s, %s: %v", day, figure, err)
						}
					}
					if _, err := s.Draws(context.Background()); err == nil {
						t.Errorf("%s, %s: a picture of nothing", day, figure)
					}
				}
			}
		}
	}
}
