package machines

import (
	"math"

	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/baseline"
)

// Loads puts the samples on the grid of the history. The free memory is that of the samples and
// stays as it is until the next. A sample outside of the history, or of a machine that was gone,
// has no load.
func (l *Labelled) Loads(h *Trace) baseline.Loads {
	if l.empty() || h == nil {
		return baseline.Loads{}
	}
	out := baseline.Loads{Period: l.History.Period}
	if len(h.Spells) > 0 {
		out.Spans = l.upSpans()
	}
	first, last := l.bounds()
	for _, s := range h.Samples {
		if i := int64(math.Round(s.Time / l.History.Period)); i >= first && i < last && !s.Down {
			out.Add(i, s.Load)
		}
	}
	return out
}

// Loads returns the loads that were kept, see [Labelling], of the record that Labelled
// returned: what [Labelled.Loads] makes of its samples.
func (r *Recorder) Loads(l *Labelled) baseline.Loads {
	if l.empty() || r == nil {
		return baseline.Loads{}
	}
	out := baseline.Loads{Period: l.History.Period}
	if r.spells {
		out.Spans = l.upSpans()
		return out
	}
	first, last := l.bounds()
	// Spans are cut to the record, whose ends the labelling may have moved.
	for _, s := range r.loads.Spans {
		before := max(first-s.First, 0)
		if n := min(s.End(), last) - s.First; before < n {
			s.First, s.Steps, s.Values = s.First+before, n-before, s.Values[before:n]
			out.Spans = append(out.Spans, s)
		}
	}
	return out
}

// bounds returns the first step of the record and that behind its last.
func (l *Labelled) bounds() (first, last int64) {
	runs := l.History.Runs
	return runs[0].First, runs[len(runs)-1].End()
}

// upSpans returns the times up, for a record of such times, which has no other load.
func (l *Labelled) upSpans() (out []baseline.LoadSpan) {
	for _, run := range l.History.Runs {
		if run.State == smp.S1 {
			out = append(out, baseline.LoadSpan{First: run.First, Steps: run.Steps})
		}
	}
	return out
}
