package backtest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// A ScoreAnswer says how well models foresaw the later days.
type ScoreAnswer struct {
	Machines int     `json:"machines"`
	DrawnOf  int     `json:"drawn_of,omitempty"` // how many there are, where some are drawn from them
	LeftOut  int     `json:"machines_left_out"`  // with too few days, or nothing usable
	Day      string  `json:"day"`
	Step     float64 `json:"step_s"`
	// Train is the share of the days that was learned from.
	Train   float64   `json:"train"`
	Windows []float64 `json:"windows_s"`
	// Scored is how many windows the models were judged on.
	Scored   int     `json:"scored_windows"`
	Observed float64 `json:"observed_reliability"` // share of them that the machine stayed free through
	// Shape is that of the law of frailties: the less, the more unlike the
	// machines are; null without the model frailty.
	Shape  *float64        `json:"frailty_shape,omitempty"`
	Models []ForecastScore `json:"models"` // in the order asked for
	Best   string          `json:"best"`   // of least log loss
	// Chosen is the model that auto stands for, by the older days alone.
	Chosen   *machines.Choice `json:"chosen,omitempty"`
	Warnings []string         `json:"warnings,omitempty"`

	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// A ForecastScore is one model over all windows. Standard errors are clustered
// by machine, and null where there is one machine only.
type ForecastScore struct {
	Model      string   `json:"model"`
	Brier      float64  `json:"brier"` // mean of (p − y)², y = 1 if it stayed free
	BrierError *float64 `json:"brier_se"`
	LogLoss    float64  `json:"log_loss"` // mean of −ln of the chance of what happened, clipped to 0.001
	LogError   *float64 `json:"log_loss_se"`
	Predicted  float64  `json:"predicted"` // mean
	Sharpness  float64  `json:"sharpness"` // mean of p(1 − p): 0 where all chances are 0 or 1
	// of the tenth of machines with the greatest chance, by time of day and length
	BestTenth  float64  `json:"best_tenth_failure_share"`
	TenthError *float64 `json:"best_tenth_failure_share_se"`
	Compared   string   `json:"compared_to,omitempty"` // the model of the differences
	// Differences are null for the model that others are compared to.
	BrierLess   *float64 `json:"brier_difference"` // this − compared_to, window by window
	BrierLessSE *float64 `json:"brier_difference_se"`
	// LogLess is the same of the log loss: below 0 this model is better.
	LogLess   *float64 `json:"log_loss_difference"`
	LogLessSE *float64 `json:"log_loss_difference_se"`

	// Diagram has a bin for each range of chances, also where no window lies in
	// it.
	Diagram []DiagramBin `json:"diagram"`
}

// A DiagramBin gathers the windows with chances from Low up to High.
type DiagramBin struct {
	Low       float64  `json:"low"`
	High      float64  `json:"high"`
	Windows   int      `json:"windows"`
	Predicted *float64 `json:"predicted"` // mean chance; null without a window
	Observed  *float64 `json:"observed"`  // share free
	// Error is clustered by machine; null where there is one only.
	Error *float64 `json:"observed_se"`
}

// fill sums the machines up. Differences are to SMP where it is among the models,
// else to the first.
func (s *Scoring) fill(ctx context.Context, a *ScoreAnswer) error {
	free := 0
	for _, m := range s.machines {
		a.Scored += m.Windows
		free += m.Free
	}
	a.Observed = float64(free) / float64(a.Scored)
	if err := s.bestTenths(ctx); err != nil {
		return err
	}
	against := max(slices.Index(s.models, SMPModel), 0)
	least := math.Inf(1)
	shown := s.shown
	if shown == nil {
		shown = s.models
	}
	for _, name := range shown {
		j := slices.Index(s.models, name)
		// auto has the scores of the model that it stands for.
		if name == AutoModel {
			j = slices.Index(s.models, a.Chosen.Model)
		}
		f := s.sum(j, against)
		f.Model = name
		if f.LogLoss < least {
			least, a.Best = f.LogLoss, name
		}
		a.Models = append(a.Models, f)
	}
	s.warn(a)
	if s.q.Explain {
		a.explain()
	}
	return nil
}

// sum sums up one model beside another.
func (s *Scoring) sum(j, against int) ForecastScore {
	var brier, log, tenth, brierLess, logLess, predicted, spread clustered
	var f ForecastScore
	bins := make([]clustered, len(diagramEdges)-1)
	sums := make([]diagramCell, len(bins))
	for _, m := range s.machines {
		x, y, n := &m.Sums[j], &m.Sums[against], float64(m.Windows)
		brier.add(x.Brier, n)
		log.add(x.Log, n)
		predicted.add(x.Predicted, n)
		spread.add(x.Spread, n)
		tenth.add(x.bestOf, x.bestN)
		brierLess.addLess(x.Brier, y.Brier, n)
		logLess.addLess(x.Log, y.Log, n)
		for b, c := range x.Diagram {
			if c.N > 0 {
				bins[b].add(float64(c.Free), float64(c.N))
				sums[b].N, sums[b].Predicted = sums[b].N+c.N, sums[b].Predicted+c.Predicted
			}
		}
	}
	var se float64
	f.Brier, se = brier.mean()
	f.BrierError = ask.Figure(se)
	f.LogLoss, se = log.mean()
	f.LogError = ask.Figure(se)
	f.Predicted, _ = predicted.mean()
	f.Sharpness, _ = spread.mean()
	f.BestTenth, se = tenth.mean()
	f.TenthError = ask.Figure(se)
	if j != against {
		f.Compared = s.models[against]
		mean, se := brierLess.mean()
		f.BrierLess, f.BrierLessSE = ask.Figure(mean), ask.Figure(se)
		mean, se = logLess.mean()
		f.LogLess, f.LogLessSE = ask.Figure(mean), ask.Figure(se)
	}
	for b := range bins {
		d := DiagramBin{Low: diagramEdges[b], High: diagramEdges[b+1], Windows: sums[b].N}
		if d.Windows > 0 {
			mean, se := bins[b].mean()
			d.Predicted, d.Observed, d.Error =
				ask.Figure(sums[b].Predicted/float64(d.Windows)), ask.Figure(mean), ask.Figure(se)
		}
		f.Diagram = append(f.Diagram, d)
	}
	return f
}

// bestTenths finds, by model, length and time of day, the tenth of the windows
// of all machines with the greatest chances, and how many of them failed.
// Windows of one chance at its end count in part.
func (s *Scoring) bestTenths(ctx context.Context) error {
	return each(ctx, len(s.models), func(j int) error {
		groups := len(s.starts) * len(s.windows)
		// A tenth has all chances above its edge, and a part of those at the edge.
		edge, part := make([]int, groups), make([]float64, groups)
		// Chances have 65536 values, so that they are counted rather than sorted.
		counts := make([]int32, math.MaxUint16+1)
		// The windows of a machine lie in the order of judge: by group they are
		// gathered once.
		sizes, of := make([]int, groups), make([][]uint16, groups)
		s.eachWindow(j, func(_ *scored, group int, _ uint16, _ bool) { sizes[group]++ })
		for g, n := range sizes {
			of[g] = make([]uint16, 0, n) // grown step by step it would be twice that
		}
		s.eachWindow(j, func(_ *scored, group int, p uint16, _ bool) { of[group] = append(of[group], p) })
		for g, all := range of {
			if err := ctx.Err(); err != nil {
				return err
			}
			clear(counts)
			for _, p := range all {
				counts[p]++
			}
			left := float64(len(all)) / 10
			for e := len(counts) - 1; e >= 0 && len(all) > 0; e-- {
				n := float64(counts[e])
				if n >= left {
					edge[g], part[g] = e, left/math.Max(n, 1)
					break
				}
				left -= n
			}
			of[g] = nil
		}
		s.eachWindow(j, func(m *scored, group int, p uint16, free bool) {
			share := 0.0
			switch {
			case int(p) > edge[group]:
				share = 1
			case int(p) == edge[group]:
				share = part[group]
			}
			m.Sums[j].bestN += share
			if !free {
				m.Sums[j].bestOf += share
			}
		})
		return nil
	})
}

// eachWindow hands out the windows of all machines with the chance that a model
// gave them; group numbers the time of day and the length.
func (s *Scoring) eachWindow(model int, f func(m *scored, group int, p uint16, free bool)) {
	for _, m := range s.machines {
		i := 0
		for k := range m.Starts {
			t := &m.Starts[k]
			for w := range s.windows {
				if t.scored&(1<<w) != 0 {
					f(m, int(t.start)*len(s.windows)+w, m.P[model][i], t.free&(1<<w) != 0)
					i++
				}
			}
		}
	}
}

// warn says what was left out, and the first warnings of machines.
func (s *Scoring) warn(a *ScoreAnswer) {
	var all []string
	for _, m := range s.machines {
		for _, w := range m.Warnings {
			all = append(all, m.Name+": "+w)
		}
	}
	a.Warnings = append(a.Warnings, machines.FirstWarnings(all, 5)...)
	if len(s.failed) > 0 {
		first := slices.MinFunc(s.failed, func(x, y leftOut) int { return cmp.Compare(x.name, y.name) })
		ask.Warn(&a.Warnings, "%d of %d machines are left out; %s: %s", len(s.failed), len(s.failed)+len(s.machines),
			first.name, first.reason)
	}
	var scored uint16
	for _, m := range s.machines {
		for i := range m.Starts {
			scored |= m.Starts[i].scored
		}
	}
	for w, length := range s.windows {
		if scored&(1<<w) == 0 {
			a.Warnings = append(a.Warnings, "no window of "+units.FormatDuration(length, 4)+
				" could be scored: none is complete in the later days of a machine that has a day to learn from")
		}
	}
}

// explain gives the formulas of the scores, with the figures of the best model.
func (a *ScoreAnswer) explain() {
	e := &ask.Explanation{Model: "forecasts judged on later days"}
	best := a.Models[slices.IndexFunc(a.Models, func(f ForecastScore) bool { return f.Model == a.Best })]
	e.Step("Brier score", "mean of (p − y)², y = 1 where the machine stayed free",
		ask.Sprintf("%s: %v over %d windows", best.Model, best.Brier, a.Scored), "Brier 1950")
	e.Step("log loss", "mean of −ln p where it stayed free, −ln(1 − p) where not, p within 0.001 .. 0.999",
		best.Model+": "+ask.Digits(best.LogLoss), "Good 1952")
	e.Step("standard error", "√(M/(M−1) Σ_m (S_m − s̄ n_m)²)/Σ n_m over M machines",
		fmt.Sprintf("M = %d", a.Machines), "clustered by machine")
	if a.Shape != nil {
		e.Step("frailty", "p = ((k + L)/(k + L + ΔL))^(k + d), L and ΔL sums of α(age)·β(hour)",
			"k = "+ask.Digits(*a.Shape), "Lawless 2003, 2.2.3")
	}
	e.Assume(
		"all models learn from the same older days of each record and are judged on the same later windows",
		"a test window that begins in a failure state, or is incomplete in the record, is left out")
	a.Explanation = e
}
