package backtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
	"github.com/capplan/capplan/smp/ranking"
)

// processes are the models by which each machine is foreseen by a semi-Markov
// process of its own.
var processes = []string{SMPModel, CensoredModel, CountsModel}

// A fleetView is what the records of a fleet show before some midnight.
type fleetView struct {
	hazard *frailty.Model
	limit  limitCurve
	rates  []float64 // failures per step, by machine
}

// views keeps the fleet views of the days of a replay. Submissions ask for them from several
// goroutines.
type views struct {
	mu  sync.Mutex
	day map[smp.Date]*fleetView
}

// choose resolves the model of the question, on what lies before the first day on
// which jobs are submitted.
func (r *replay) choose(ctx context.Context, a *ReplayAnswer) error {
	switch {
	case r.q.Model == "" || r.q.Model == SMPModel:
		return nil
	case slices.Contains(ModelNames, r.q.Model) && (r.q.Counts || r.q.Censored):
		return ask.Inputf("estimator", "only used with %s smp", ask.FieldName("model"))
	}
	if err := checkModels([]string{r.q.Model}); err != nil {
		return err
	}
	q := *r.q
	r.q = &q
	if q.Model == AutoModel {
		s, err := NewScoring(&ScoreQuestion{Labelling: q.Labelling, Day: "both", Models: Candidates})
		if err != nil {
			return err
		}
		err = each(ctx, len(r.hosts), func(i int) error {
			l := r.hosts[i]
			return s.enter(ctx, q.Hosts[i].Name, l.Before(r.midnight(l, r.dates[0])), nil)
		})
		if err != nil {
			return err
		}
		if a.Chosen, err = s.choice(ctx); err != nil {
			return err
		}
		q.Model = a.Chosen.Model
	}
	r.model = q.Model
	q.Counts, q.Censored = q.Model == CountsModel, q.Model == CensoredModel
	r.evaluation.q.Counts, r.evaluation.q.Censored = q.Counts, q.Censored
	return nil
}

// midnight is the first step of a date.
func (r *replay) midnight(l *machines.Labelled, d smp.Date) int64 {
	return l.History.StepAt(l.Calendar.At(d, 0))
}

// view returns what the fleet shows before a date. All submissions of a day share
// it, so that it is made once.
func (r *replay) view(ctx context.Context, d smp.Date) (*fleetView, error) {
	r.views.mu.Lock()
	defer r.views.mu.Unlock()
	if v := r.views.day[d]; v != nil {
		return v, nil
	}
	v := &fleetView{}
	space := smp.FiveStates()
	records := make([]frailty.Record, len(r.hosts))
	var limit productLimit
	for i, l := range r.hosts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h := l.History
		records[i].Name = r.q.Hosts[i].Name
		if len(h.Runs) == 0 {
			// A machine without a record has the rate of half a failure in one step, as one without
			// exposure below.
			v.rates = append(v.rates, 0.5)
			continue
		}
		first, to := h.Runs[0].First, r.midnight(l, d)
		clock := frailty.Clock{Period: h.Period, Calendar: l.Calendar}
		if err := records[i].Add(clock, space, h, first, to); err != nil {
			return nil, err
		}
		x := &records[i]
		v.rates = append(v.rates, (float64(x.Failures.Total())+0.5)/math.Max(float64(x.Exposure.Total())/2, 1))
		if r.model == KMModel {
			limit.add(limitSpells(space, h, first, to))
		}
	}
	switch r.model {
	case KMModel:
		v.limit = limit.curve()
	case FrailtyModel:
		var err error
		clock := frailty.Clock{Period: r.hosts[0].History.Period, Calendar: r.hosts[0].Calendar}
		if v.hazard, err = frailty.Fit(ctx, clock, records, nil); err != nil {
			return nil, err
		}
	}
	if r.views.day == nil {
		r.views.day = map[smp.Date]*fleetView{}
	}
	r.views.day[d] = v
	return v, nil
}

// age returns for how long a machine has been free at a step.
func age(h *smp.History, step int64) frailty.Age {
	var out frailty.Age
	frailty.EachSpell(smp.FiveStates(), h, func(s frailty.Spell) bool {
		if s.First <= step {
			out = s.Age(step)
		}
		return s.End <= step
	})
	return out
}

// byFleet predicts a machine by a model that is not its own process. Beyond the
// horizon it is taken to fail at the mean rate of the horizon.
func (r *replay) byFleet(ctx context.Context, host int, step int64, load ranking.MeanLoad) (ranking.Candidate, error) {
	l := r.hosts[host]
	v, err := r.view(ctx, l.Calendar.Date(l.Moment(step)))
	if err != nil {
		return ranking.Candidate{}, err
	}
	// free is the chance to stay free for some steps; by AlwaysModel it is 1.
	free := func(int) float64 { return 1 }
	switch r.model {
	case FrailtyModel:
		x, _ := v.hazard.Machine(r.q.Hosts[host].Name)
		ahead, err := v.hazard.Aheads(l.Calendar,
			frailty.Window{First: step, Age: age(l.History, step), Steps: int64(r.horizon)})
		if err != nil {
			return ranking.Candidate{}, err
		}
		free = func(k int) float64 { return v.hazard.Foresee(x, ahead[k]) }
	case KMModel:
		a := age(l.History, step).Steps
		free = func(k int) float64 { return v.limit.survival(a, int64(k)) }
	case ExponentialModel:
		free = func(k int) float64 { return math.Exp(-v.rates[host] * float64(k)) }
	case ShareOfDaysModel:
		days, err := r.daysBefore(l, step)
		if err != nil {
			return ranking.Candidate{}, err
		}
		dense := smp.DenseDays(days)
		if len(dense) == 0 {
			return ranking.Candidate{}, fmt.Errorf("no day before: %w", smp.ErrNoData)
		}
		free = func(k int) float64 { return smp.SurvivedShare(smp.FiveStates(), dense, k) }
	}
	curve := make([]float64, r.horizon+1)
	for k := range curve {
		curve[k] = free(k)
	}
	out := ranking.Candidate{
		Name:        r.q.Hosts[host].Name,
		Reliability: curve,
		Step:        l.History.Period,
		MTTF:        math.Inf(1),
		Load:        load,
	}
	if last := curve[r.horizon]; last < 1 {
		mean := 0.0
		for _, p := range curve {
			mean += p
		}
		if last > 0 {
			mean += last * float64(r.horizon) / -math.Log(last)
		}
		out.MTTF = mean * l.History.Period
	}
	return out, nil
}
