package planner

import (
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

// A leading mix is the one that the parts of a plan which count machines are of: the
// recommended one, or without one the cheapest for the most likely figures.
type leading struct {
	*premises
	timing
	load   *sizing.LoadAnswer // nil where there is none
	mix    *chosen            // nil without a mix
	counts []int64            // of the mix that leads, by type
}

// leading says which mix leads.
func (p *premises) leading(a *PlanAnswer, mix *chosen, t timing) *leading {
	l := &leading{premises: p, timing: t, load: a.Load}
	if mix.answered() == nil {
		return l
	}
	l.mix, l.counts = mix, mix.counts
	if a.Recommended != nil {
		l.counts = a.Recommended.Counts
	}
	return l
}

// dedicated counts the dedicated machines of the mix.
func (l *leading) dedicated() (n int64) {
	for i, count := range l.counts {
		if l.types[i].Kind == scenario.Dedicated {
			n += count
		}
	}
	return n
}

// crossed returns what the mix that leads comes to; nil without one, or where
// nothing is asked of link and epoch.
func (l *leading) crossed() *mixes.Crossed {
	if l.mix == nil || l.crossing == nil {
		return nil
	}
	return new(l.crossing.By(l.mix.mixing.Model).At(l.mix.items, l.counts))
}

// counted returns how many machines of a type a part has: those given, or those
// of the mix that leads.
func (l *leading) counted(field string, at int, given *units.Count) (float64, error) {
	switch {
	case given != nil:
		return float64(*given), nil
	case l.mix == nil:
		return 0, ask.Missing(field, "a number of machines such as 12: there is no mix to take the number from")
	}
	n := l.counts[at]
	// A part about machines that the mix does not use has no answer.
	if n == 0 {
		return 0, ask.Infeasiblef(field, 1, 0, "the mix has no %s: give %s", l.types[at].Name, field)
	}
	return float64(n), nil
}
