package backtest

import (
	"context"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// A testStart is a moment of the later days at which a machine is free, and
// what then came. There are millions of them.
type testStart struct {
	step  int32 // after the first of the record
	age   int32
	start int16 // index of the time of day
	kind  int8
	state int8 // with atLeast: the age is not known to be that small
	// One bit for each length of window: whether it is whole in the record and
	// has a day to learn from, and whether the machine stayed free.
	scored, free uint16
}

// atLeast marks an age that may be greater.
const atLeast = 1 << 6

// at is the age at the start.
func (t *testStart) at() frailty.Age {
	return frailty.Age{Steps: int64(t.age), AtLeast: t.state&atLeast != 0}
}

// longest returns the greatest of the lengths in steps that are scored at this start; greater ones
// may be longer than any record.
func (t *testStart) longest(steps []int64) int64 {
	var most int64
	for w, n := range steps {
		if t.scored&(1<<w) != 0 {
			most = max(most, n)
		}
	}
	return most
}

// split divides a record by time: the older days of the kinds asked for, by
// their share, are for training. It returns the step at which the later ones
// begin, and their dates. Days are counted by the shortest window at each time
// of day, since a record seldom begins at midnight; the first of the times of
// day that have the most days says when.
func (s *Scoring) split(l *machines.Labelled, shortest int) (cut int64, later []smp.Date, err error) {
	h := l.History
	if float64(h.Runs[len(h.Runs)-1].End()-h.Runs[0].First)*h.Period < shortDay {
		return 0, nil, nil
	}
	most := 0
	first := l.Calendar.Date(time.Unix(int64(math.Floor(float64(h.Runs[0].First)*h.Period)), 0))
	for _, clock := range s.starts {
		w := smp.Window{Clock: time.Duration(clock * float64(time.Second)), Steps: shortest}
		var dates []smp.Date
		for _, name := range s.kinds {
			days, _, err := h.Days(l.Calendar, w, kindOfDay(name), l.End(), 0)
			if err != nil {
				return 0, nil, machines.InputError(err)
			}
			for _, d := range smp.DenseDays(days) {
				// A long window late on the day before the record reaches into it.
				if !d.Date.Before(first) {
					dates = append(dates, d.Date)
				}
			}
		}
		sort.Slice(dates, func(i, j int) bool { return dates[i].Before(dates[j]) })
		n := int(math.Round(s.train * float64(len(dates))))
		// A time of day that leaves no day to learn from, or none to judge by, does not part the
		// record.
		if n == 0 || n >= len(dates) || len(dates) < most {
			continue
		}
		step := h.StepAt(l.Calendar.At(dates[n], w.Clock))
		if len(dates) > most || step < cut {
			cut, most, later = step, len(dates), dates[n:]
		}
	}
	// At other times of day other dates may have whole windows, so that all dates from the first on
	// are taken.
	if len(later) > 0 {
		end := l.Calendar.Date(l.End())
		for d, all := later[0], later[:0:0]; ; d = d.Next() {
			if end.Before(d) {
				return cut, all, nil
			}
			if _, asked := s.kindOf(l.Calendar, d); asked {
				all = append(all, d)
			}
		}
	}
	return 0, nil, nil
}

// shortDay is less than the shortest day of a clock, s. A day counts whose window is known in half, and
// from the middle of one day's window to that of the next is a day (TestShortRecordsAreNotParted).
const shortDay = 20 * 3600

// kindOf numbers the kind of a date among those asked for.
func (s *Scoring) kindOf(c smp.Calendar, d smp.Date) (kind int, asked bool) {
	k := slices.IndexFunc(s.kinds, func(name string) bool { return kindOfDay(name) == c.Kind(d) })
	return max(k, 0), k >= 0
}

// testStarts returns the moments of the later days at which a machine is free
// and with which some window can be scored.
func (s *Scoring) testStarts(l *machines.Labelled, cut int64, later []smp.Date,
	steps []int, trained []bool) []testStart {
	space, h := smp.FiveStates(), l.History
	var spells []frailty.Spell
	frailty.EachSpell(space, h, func(v frailty.Spell) bool {
		spells = append(spells, v)
		return true
	})
	first, longest := h.Runs[0].First, slices.Max(steps)
	var out []testStart
	for _, d := range later {
		kind, _ := s.kindOf(l.Calendar, d)
		for i, clock := range s.starts {
			step := h.StepAt(l.Calendar.At(d, time.Duration(clock*float64(time.Second))))
			// The times of the first date before the cut were learned from.
			if step < cut {
				continue
			}
			m, _ := slices.BinarySearchFunc(spells, step, func(v frailty.Spell, step int64) int {
				if v.End <= step {
					return -1
				}
				return 1
			})
			at, ok := h.At(step)
			if m == len(spells) || spells[m].First > step || !ok {
				continue // failed, or not known
			}
			v := spells[m]
			t := testStart{
				step:  int32(step - first),
				age:   int32(min(step-v.First, math.MaxInt32)),
				start: int16(i),
				kind:  int8(kind),
				state: int8(at.State),
			}
			// A spell that began before the record may be older than the record shows.
			if !v.Seen {
				t.state |= atLeast
			}
			known := knownFor(h, step, longest)
			for w, n := range steps {
				if n > int(known) || !trained[s.cell(kind, i, w)] {
					continue
				}
				t.scored |= 1 << w
				if !v.Failed || v.End-step > int64(n) {
					t.free |= 1 << w
				}
			}
			if t.scored != 0 {
				out = append(out, t)
			}
		}
	}
	return out
}

// knownFor returns for how many steps after one that is known the record goes
// on, at most as many as given.
func knownFor(h *smp.History, step int64, most int) int32 {
	i := firstRun(h, step)
	end := h.Runs[i].End()
	for i++; i < len(h.Runs) && h.Runs[i].First == end && end-1-step < int64(most); i++ {
		end = h.Runs[i].End()
	}
	return int32(min(end-1-step, int64(most)))
}

// firstRun is the first run that ends after a step.
func firstRun(h *smp.History, step int64) int {
	m, _ := slices.BinarySearchFunc(h.Runs, step, func(r smp.Run, step int64) int {
		if r.End() <= step {
			return -1
		}
		return 1
	})
	return m
}

// own predicts by a model of the machine's own training days, which the foresight has learned, from S1 and from
// S2. Errors: as of [smp.Foresight.Free].
func own(ctx context.Context, model string, f *smp.Foresight, days []smp.Day, n int) (p [2]float64, err error) {
	if model == ShareOfDaysModel {
		share := smp.SurvivedShare(smp.FiveStates(), days, n)
		return [2]float64{share, share}, nil
	}
	free, err := f.Free(ctx, model == CountsModel, model == CensoredModel)
	copy(p[:], free)
	return p, err
}

// frailty fits the fleet's hazard to the older days and scores it.
func (s *Scoring) frailty(ctx context.Context, model int, c smp.Calendar, steps []int64, a *ScoreAnswer) error {
	records := make([]frailty.Record, len(s.machines))
	for i, m := range s.machines {
		records[i] = m.Record
	}
	fit, err := frailty.Fit(ctx, frailty.Clock{Period: a.Step, Calendar: c}, records, nil)
	if err != nil {
		return machines.InputError(err)
	}
	a.Shape = ask.Figure(fit.Shape)
	if !fit.Converged {
		ask.Warn(&a.Warnings, "the hazard of the fleet was still changing after %d rounds of fitting: larger groups, or a "+
			"longer record, would settle it", fit.Iterations)
	}
	aheads := fit.AheadsOn(c)
	return each(ctx, len(s.machines), func(i int) error {
		m := s.machines[i]
		x, _ := fit.Machine(m.Name)
		var ahead []frailty.Ahead
		var last *testStart
		var bad error
		s.judge(m, model, func(t *testStart, w int) float64 {
			// The windows of a start share what lies ahead of it.
			if t != last {
				last = t
				if ahead, bad = aheads(ahead,
					frailty.Window{First: m.First + int64(t.step), Age: t.at(), Steps: t.longest(steps)}); bad != nil {
					return 0
				}
			}
			if bad != nil {
				return 0
			}
			return fit.Foresee(x, ahead[steps[w]])
		})
		if bad != nil {
			return bad
		}
		return ctx.Err()
	})
}
