package papers

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
)

func ishareFigure14(ctx context.Context, q *Question, a *Reproduction) error {
	e, err := q.evaluate(ctx, a, &backtest.EvaluateQuestion{
		Day:     "weekday",
		Windows: hoursOf(1, 2, 3, 5, 10),
		Starts:  []float64{8 * 3600},
		Models:  []string{},
		Noise:   &backtest.NoiseQuestion{Instances: []int{1, 2, 4, 6, 8, 10}, Seed: q.Seed},
	})
	if err != nil {
		return err
	}
	a.Seed = &q.Seed
	a.X, a.Drawn = "failures put in", []Panel{{Quantity: "discrepancy", YLabel: "mean discrepancy", NoRange: true}}
	for _, n := range e.Noise.Scores {
		x, h := float64(n.Instances), n.Window/3600
		row := Row{
			Quantity: "discrepancy",
			Series:   fmt.Sprintf("%g h", h),
			X:        &x,
			Computed: n.Mean,
			Low:      n.Least,
			High:     n.Greatest,
		}
		printed := 0.0
		switch {
		case h == 1 && n.Instances == 4:
			printed, row.Note = 0.5, "more than"
		case h == 3 && n.Instances == 10:
			printed = 0.0556
		}
		if printed > 0 {
			row.Printed = &printed
		}
		a.Rows = append(a.Rows, row)
	}
	return nil
}

// replayed runs the jobs of iShare 8.4 on the given traces.
func (q *Question) replayed(ctx context.Context, a *Reproduction) (*backtest.ReplayAnswer, error) {
	r, err := backtest.Replay(ctx,
		&backtest.ReplayQuestion{Hosts: q.Hosts, Labelling: q.Labelling, Seed: q.Seed, Done: q.Done})
	if err != nil {
		return nil, err
	}
	a.Seed, a.Warnings, a.X = &q.Seed, r.Warnings, "length of the job (h)"
	return r, nil
}

func ishareFigure15(ctx context.Context, q *Question, a *Reproduction) error {
	r, err := q.replayed(ctx, a)
	if err != nil {
		return err
	}
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		a.Rows = append(a.Rows, Row{
			Quantity: "failed",
			Series:   s.Scheduler,
			X:        &x,
			Computed: s.FailureRate,
			Note:     fmt.Sprintf("%d of %d jobs", s.Failed, s.Jobs-s.Unscheduled),
		})
		if s.Scheduler == "omniscient" { // the same for all
			printed := 0.03
			a.Rows = append(a.Rows, Row{
				Quantity: "unscheduled",
				X:        &x,
				Printed:  &printed,
				Computed: ask.Figure(float64(s.Unscheduled) / float64(s.Jobs)),
				Note:     "about",
			})
		}
	}
	a.Drawn = []Panel{{Quantity: "failed", YLabel: "share of the jobs that fail"}}
	return nil
}

func ishareFigure16(ctx context.Context, q *Question, a *Reproduction) error {
	r, err := q.replayed(ctx, a)
	if err != nil {
		return err
	}
	least, most := 0.04, 0.14
	makespan := map[float64]map[string]*float64{}
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		if makespan[x] == nil {
			makespan[x] = map[string]*float64{}
		}
		makespan[x][s.Scheduler] = s.MeanMakespan
		if s.Scheduler == "omniscient" {
			continue
		}
		row := Row{
			Quantity: "slowdown",
			Series:   s.Scheduler,
			X:        &x,
			Computed: s.Slowdown,
			Note:     fmt.Sprintf("over %d jobs", s.Common),
		}
		if s.Scheduler == "condor-like" && x == 4 {
			v := 0.22
			row.Printed = &v
		}
		a.Rows = append(a.Rows, row)
	}
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		p, c := makespan[x]["proactive"], makespan[x]["condor-like"]
		if s.Scheduler != "proactive" || p == nil || c == nil {
			continue
		}
		a.Rows = append(a.Rows, Row{
			Quantity:  "proactive below condor-like",
			X:         &x,
			Printed:   &least,
			PrintedTo: &most,
			Computed:  ask.Figure(1 - *p / *c),
			Note:      "of the mean makespan",
		})
	}
	a.Drawn = []Panel{{Quantity: "slowdown", YLabel: "slowdown against the omniscient scheduler"}}
	return nil
}
