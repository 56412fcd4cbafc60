package planner

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// The nominal answer is that of the plan, without what takes draws.
func TestNominal(t *testing.T) {
	const text = `{load: {rate: 60..72..90/min}, service: {time: 85..100..120s}, objectives: {max_blocking: 1%},
  machines: [{name: rack, price: 0.42/h}, {name: big, price: 0.9/h, speed: 2.2, limit: 12}]}`
	read := func() *PlanQuestion {
		q, err := ReadScenario(context.Background(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		return q
	}
	whole, err := Plan(context.Background(), read())
	if err != nil {
		t.Fatal(err)
	}
	q := read()
	a, err := Nominal(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	counts := func(a *PlanAnswer) (all []int64) {
		for _, m := range a.Mix.Machines {
			all = append(all, m.Count)
		}
		return all
	}
	if !slices.Equal(counts(a), counts(whole)) || a.Mix.Cost != whole.Mix.Cost || a.Size.Servers != whole.Size.Servers {
		t.Errorf("nominal %v, %d servers; plan %v, %d servers", counts(a), a.Size.Servers, counts(whole), whole.Size.Servers)
	}
	if a.Uncertainty != nil || a.Sensitivity != nil || a.Size.Uncertainty != nil || whole.Uncertainty == nil || whole.Sensitivity == nil {
		t.Error("the nominal answer holds draws, or the plan none")
	}
	if q.Load.Rate.IsPoint() || q.Service.Time.IsPoint() {
		t.Error("the question was changed")
	}
	if _, err := Nominal(context.Background(), nil); err == nil {
		t.Error("no question: no error")
	}
}
