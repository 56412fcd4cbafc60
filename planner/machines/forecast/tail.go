package forecast

import (
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/frailty"
)

// tailOf returns how a machine of the fleet that days are added to ends; nil for another.
func (f *Fleet) tailOf(name string) *machines.Tail {
	i, ok := f.find(name)
	if !ok {
		return nil
	}
	return f.Records[i].Last
}

// resumed is a history with what an earlier record says of its first step: since when the
// machine was free, or away, by then, and whether that was seen to begin.
func resumed(t *machines.Tail, h *smp.History) *smp.History {
	out := &smp.History{Period: h.Period, Runs: opening(t)}
	for _, run := range h.Runs {
		if run.First < t.End {
			run.First, run.Steps = t.End, run.End()-t.End
		}
		if run.Steps > 0 {
			_ = out.Add(run) // in order as they were
		}
	}
	return out
}

// opening is what a tail says of the time before its end. The state before is not
// known, only that it was on the other side; one step of it is enough for an
// entry that was seen.
func opening(t *machines.Tail) []smp.Run {
	var runs []smp.Run
	if t.Since == t.End {
		return runs
	}
	if t.Seen {
		other := smp.S5
		if smp.FiveStates().Failure[t.State] {
			other = smp.S1
		}
		runs = append(runs, smp.Run{State: other, First: t.Since - 1, Steps: 1})
	}
	return append(runs, smp.Run{State: t.State, First: t.Since, Steps: t.End - t.Since})
}

// decided is the history before a step. What comes after is not decided yet, and
// is counted by whoever goes on.
func decided(h *smp.History, end int64) *smp.History {
	out := &smp.History{Period: h.Period}
	for _, run := range h.Runs {
		if run.Steps = min(run.Steps, end-run.First); run.Steps > 0 {
			out.Runs = append(out.Runs, run)
		}
	}
	return out
}

// closing is the tail of a history that was decided: since when it was free, or away.
func closing(t machines.Tail, h *smp.History) *machines.Tail {
	failure := smp.FiveStates().Failure
	t.Since, t.Seen = t.End, false
	for i := len(h.Runs) - 1; i >= 0; i-- {
		run := h.Runs[i]
		if run.End() != t.Since {
			break
		}
		if failure[run.State] != failure[t.State] {
			t.Seen = true
			break
		}
		t.Since = run.First
	}
	return &t
}

// counted returns what the model takes of each machine, free and away: its counts, and what
// its pending steps are if nothing follows them.
func (f *Fleet) counted(clock frailty.Clock) (lost, back []frailty.Record, err error) {
	lost, back = make([]frailty.Record, len(f.Records)), make([]frailty.Record, len(f.Records))
	for i := range f.Records {
		r := &f.Records[i]
		lost[i], back[i] = r.record(), r.away()
		if t := r.Last; t != nil && t.Pending > 0 {
			h := &smp.History{Period: clock.Period, Runs: opening(t)}
			if err := h.Add(smp.Run{State: smp.S1, First: t.End, Steps: t.Pending}); err != nil {
				return nil, nil, machines.InputError(err)
			}
			for _, more := range []struct {
				to    *frailty.Record
				space smp.Space
			}{{&lost[i], smp.FiveStates()}, {&back[i], awaySpace()}} {
				p := frailty.Record{Name: r.Name, Group: more.to.Group}
				if err := p.Add(clock, more.space, h, t.End-1, t.End+t.Pending); err != nil {
					return nil, nil, machines.InputError(err)
				}
				both, err := frailty.MergeRecords([]frailty.Record{*more.to, p})
				if err != nil {
					return nil, nil, machines.InputError(err)
				}
				*more.to = both[0]
			}
		}
	}
	return lost, back, nil
}
