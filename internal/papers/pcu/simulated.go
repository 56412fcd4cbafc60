package pcu

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
	"github.com/capplan/capplan/units"
)

// pcuRuns is how many runs stand behind a point of a simulated figure of PCU. Two would give an
// interval, which a third makes much less wide.
const pcuRuns = 3

// A poolStudy simulates the pool of PCU point by point. parts is how many points there will be, for
// the bar.
type poolStudy struct {
	question    *paper.Question
	answer      *paper.Reproduction
	horizon     float64
	done, parts int
}

// pools starts a study of as many points. A horizon of 36 h is 26 times the work of a job.
func pools(q *paper.Question, a *paper.Reproduction, points int) *poolStudy {
	a.Seed = &q.Seed
	s := &poolStudy{question: q, answer: a, horizon: 36 * 3600, parts: points}
	if scaleOf(q) < 1 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"a pool of %s of the paper's size under as much of its load: more chance, and no printed claim is of it",
			ask.Percent(scaleOf(q), 3)))
	}
	return s
}

// scaleOf is the part of the paper's pool that is simulated. It is 1 where none was given.
func scaleOf(q *paper.Question) float64 {
	if q.Scale > 0 && q.Scale < 1 {
		return q.Scale
	}
	return 1
}

// poolOf is the pool of the paper under a load in erlangs. pool.Default is the pool of sections 5.1 and
// 5.2.
func poolOf(load float64) pool.Pool { return pool.Default(load / pcuWork) }

// run simulates a pool, of a part of its size where the question says so. A third
// of the horizon is not counted. A log is replayed from its first job, without warm-up. Errors:
// those of the simulation; a shard goes on to the next point with an empty result.
func (s *poolStudy) run(ctx context.Context, p pool.Pool) (sim.Result, error) {
	if part := scaleOf(s.question); part < 1 {
		p.Dedicated = int(math.Ceil(float64(p.Dedicated) * part))
		p.Public.Machines = int(math.Ceil(float64(p.Public.Machines) * part))
		p.Link.Up, p.Link.Down = p.Link.Up*part, p.Link.Down*part
		switch w := p.Jobs.(type) {
		case pool.Poisson:
			w.Rate *= part
			p.Jobs = w
		case pool.Log:
			kept := everyNth(w, part)
			if len(kept) == 0 {
				return sim.Result{}, ask.Inputf("scale", "%s leaves none of the %d jobs of the log, "+
					"want a greater share",
					units.FormatFraction(part, 3), len(w))
			}
			p.Jobs = kept
		}
	}
	o := sim.Options{Seed: s.question.Seed, Replications: s.question.Seeds, Horizon: s.horizon, WarmUp: s.horizon / 3}
	o.Replications = cmp.Or(o.Replications, pcuRuns)
	if _, ok := p.Jobs.(pool.Log); ok {
		o.WarmUp = 0
	}
	r, err := sim.Run(ctx, p, o)
	if s.answer.GoOn(err) {
		return sim.Result{}, nil
	}
	if err == nil && r.Interrupted {
		err = ctx.Err()
	}
	if s.done++; err == nil && s.question.Done != nil {
		s.question.Done(s.done, s.parts)
	}
	return r, err
}

// everyNth keeps a part of the jobs of a log. Jobs are kept at even distances, so that the log
// keeps its daily course.
func everyNth(log pool.Log, part float64) pool.Log {
	var kept pool.Log
	for i, j := range log {
		if math.Floor(float64(i+1)*part) > math.Floor(float64(i)*part) {
			kept = append(kept, j)
		}
	}
	return kept
}

// point adds a figure of a run. It returns the estimate, for claims over several points.
func (s *poolStudy) point(quantity, series, unit string, x float64, r sim.Result, figure string) sim.Estimate {
	e, _ := r.Figure(figure)
	row := paper.Row{Quantity: quantity, Series: series, Unit: unit, X: &x}
	if e.Undefined == r.Replications { // no migration, say, whose time could be told
		row.Note = "nothing of it happened"
	} else {
		row = row.With(means.Interval{e.Mean, e.Low, e.High})
	}
	s.answer.Add(row)
	return e
}

// claim adds what the text says without a number, and whether it holds here. Of a
// smaller pool nothing can be told.
func (s *poolStudy) claim(holds bool, computed float64, unit, note string) {
	said := s.answer.Says(holds, "claim", unit, computed, note)
	if scaleOf(s.question) < 1 {
		said.Verdict = paper.CannotBeTold
	}
}
