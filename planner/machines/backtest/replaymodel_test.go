package backtest_test

import (
	"context"
	"reflect"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
)

// The proactive scheduler by each model, on a machine that fails at noon and a slow
// one that never does. Jobs from eleven that pass noon on either go to the one that
// lasts, with models of the clock; by its rate alone, one failure a day, the other is
// the better one, and so it is where nothing is foreseen.
func TestReplayModels(t *testing.T) {
	from, to := 11*3600.0, 11*3600.0+300
	for _, model := range backtest.ModelNames {
		q := &backtest.ReplayQuestion{
			Hosts:   []machines.Trace{failing("a", 9, true), failing("b", 9, false)},
			Lengths: []float64{6 * 3600},
			Times:   6,
			From:    &from,
			To:      &to,
			Rates:   map[string]float64{"a": 3},
			Model:   model,
		}
		a, err := backtest.Replay(context.Background(), q)
		if err != nil {
			t.Fatal(model, err)
		}
		want, sure := map[string]float64{
			backtest.AlwaysModel:      1,
			backtest.ExponentialModel: 1,
			backtest.ShareOfDaysModel: 0,
			backtest.CountsModel:      0,
		}[model]
		if got := *a.Lengths[0].FailureRate; sure && got != want {
			t.Errorf("%s: %v fail, want %v", model, got, want)
		}
		if (a.Chosen != nil) != (model == backtest.AutoModel) || model != backtest.AutoModel && a.Model != model {
			t.Errorf("%s: %s, %+v", model, a.Model, a.Chosen)
		}
		if b, err := backtest.Replay(context.Background(), q); err != nil || !reflect.DeepEqual(a, b) {
			t.Errorf("%s, asked again: %+v, %v", model, b, err)
		}
	}
	q := &backtest.ReplayQuestion{Hosts: []machines.Trace{failing("a", 9, true)}, Model: "cox"}
	if _, err := backtest.Replay(context.Background(), q); err == nil {
		t.Error("a model that is none is no error")
	}
	if q.Model, q.Counts = backtest.KMModel, true; true {
		if _, err := backtest.Replay(context.Background(), q); err == nil {
			t.Error("an estimator beside another model is no error")
		}
	}
}
