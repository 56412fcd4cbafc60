package report

import (
	"fmt"
	"strings"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
)

// addGuards says on a line for each thing that keeps the mix safe what it costs, and
// what is left after the worst loss. Guards are spare machines, zones, a limit on the public share,
// and groups that go at once. Each is priced by the mix without it.
func addGuards(s *page.Section, q *planner.PlanQuestion, a *planner.PlanAnswer) {
	for _, h := range a.Mix.Headroom {
		label, what := guardWords(q, h.Constraint)
		// Groups cannot be left out, but only taken as independent, which is what is priced.
		otherwise := "; without that "
		if strings.HasPrefix(h.Constraint, "groups of ") {
			otherwise = ": if machines were independent "
		}
		s.Fact(label, say.Price(a.Money, h.Extra)+" more",
			fmt.Sprintf("%s%s%s (%+.3g%%)", what, otherwise, say.Price(a.Money, h.Without), 100*h.Share))
	}
	addAfterLoss(s, a.Mix.AfterLoss, func(counts []int64) string { return countsWords(a, counts) })
}

// guardWords names a guard, and says what it asks for. The constraint has the name by which the
// plan lists it.
func guardWords(q *planner.PlanQuestion, constraint string) (label, what string) {
	o := ask.Value(q.Objectives)
	switch constraint {
	case "spare":
		return "spare", "to lose " + (&sizing.Headroom{Spare: q.Headroom().Spare}).Words("machine")
	// Spare machines are a line of their own.
	case "zones":
		// A copy, so that the question keeps its spare machines.
		room := *q.Headroom()
		room.Spare = 0
		return "zones", "to lose " + room.Words("machine")
	case "max_public_share":
		return "public share", fmt.Sprintf("at most %s of the worth on public machines",
			say.Fraction(float64(ask.Value(o.MaxPublicShare)), 3))
	}
	for i := range q.Machines {
		if m := &q.Machines[i]; m.Groups != nil && constraint == "groups of "+m.Name {
			return constraint, fmt.Sprintf("%s, each of which fails as a whole and is up %s of the time",
				say.Plural(int64(*m.Groups), "group"), say.Fraction(float64(*m.GroupAvailability), 3))
		}
	}
	return constraint, "possible loss"
}

// addAfterLoss says what is left after the worst loss, and how it does. The worst loss is that of
// all that may be lost together. l is nil where nothing may be.
func addAfterLoss(s *page.Section, l *planner.MixLoss, words func(counts []int64) string) {
	if l == nil {
		return
	}
	does := "the objectives are still met"
	switch {
	// Without a steady state there are no figures of what is left.
	case l.Unstable:
		does = "they cannot carry the load"
	case !l.Met:
		does = "the objectives are not met"
	}
	if l.Blocking != nil {
		does += ", blocking " + say.Fraction(*l.Blocking, 3)
	}
	if l.ServiceLevel != nil {
		does += ", service level " + say.Fraction(*l.ServiceLevel, 3)
	}
	s.Fact("after the worst loss", words(l.Left)+" left", does)
}
