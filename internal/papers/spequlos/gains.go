package spequlos

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
)

// bagGains is what the text says of the gain without a figure of its own: how much
// faster bags are, what that takes of the cloud, and which of two kinds gain more. An environment
// is a kind of machines, a server and a bag.
func bagGains(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, spequlos.Strategies(), q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	// Environments are chosen by predicates, since the claims group them by machines, by bag and by
	// server.
	every := func(bagstudy.Environment) bool { return true }
	best, fast, cheap := bagstudy.Environment{}, 0.0, 0.0
	for _, e := range bagstudy.Environments() {
		v := t.SpeedUp(e)
		if best.Trace.Name == "" || v[0] > t.SpeedUp(best)[0] {
			best = e
		}
		// The claim is on bags that were made more than twice as fast: of those alone the cloud
		// hours are asked.
		if v[0] > 2 {
			fast++
			if t.Figures[e.Name()+" cloud"][0] < 2.5 {
				cheap++
			}
		}
	}
	// The paper gives the greatest gain twice, with two numbers, and both are held against ours.
	for _, c := range []struct {
		printed float64
		note    string
	}{{2, "more than, in the best cases (abstract, section 1)"}, {5, "about, for as much as (section 4.3.3)"}} {
		row := paper.Row{Quantity: "greatest speed-up", Series: best.Name(), Printed: &c.printed, Note: c.note}
		a.Add(row.With(t.SpeedUp(best)))
	}
	all, some := 100., 100.
	a.Add(paper.Row{
		Quantity: "environments with a speed-up above 2 that take less than 2.5% of cloud hours",
		Unit:     "%",
		Printed:  &all,
		Computed: ask.Figure(100 * cheap / fast),
		Note:     "all, in words (section 1); of the hours that the bag takes on such workers",
	})
	bagShare(a, t, "removal 9A-G-D", 0, paper.Row{Quantity: "bags with some of the tail removed",
		Series: "9A-G-D", Note: "about, for one half without a tail and the other reduced in " +
			"words (section 1)"}, some, some)
	// of and over choose environments; the ratio of their geometric means is compared with 1.
	more := func(quantity, note string, of, over func(bagstudy.Environment) bool) {
		a.Add(paper.Row{
			Quantity: quantity,
			Printed:  new(1.),
			Computed: ask.Figure(math.Exp(t.LogSpeedUp(of) - t.LogSpeedUp(over))),
			Note:     "more than, in words (section 4.3.1): " + note,
		})
	}
	const ratio = "ratio of the geometric means of the speed-ups"
	on := func(traces ...string) func(bagstudy.Environment) bool {
		return func(e bagstudy.Environment) bool { return slices.Contains(traces, e.Trace.Name) }
	}
	volatile, desktops := on("seti", "nd", "g5klyo"), on("seti", "nd")
	kind := func(within func(bagstudy.Environment) bool, names ...string) func(bagstudy.Environment) bool {
		return func(e bagstudy.Environment) bool { return within(e) && slices.Contains(names, e.Bag.Name) }
	}
	// These pairs are the four comparisons of section 4.3.1.
	more("speed-up on seti, nd and g5klyo over the others", ratio, volatile,
		func(e bagstudy.Environment) bool { return !volatile(e) })
	more("speed-up of small bags over big ones", ratio, kind(every, "small"), kind(every, "big"))
	more("speed-up of random bags over big ones, on desktop grids", ratio, kind(desktops, "random"),
		kind(desktops, "big"))
	more("speed-up of boinc over xwhep", ratio,
		func(e bagstudy.Environment) bool { return e.Server == bagstudy.Servers[0] },
		func(e bagstudy.Environment) bool { return e.Server == bagstudy.Servers[1] })
	for _, c := range []struct {
		quantity   string
		more, less func(spequlos.Strategy) bool
	}{
		{"removal by assignment less that by completion",
			bagstudy.When(spequlos.Assigned), bagstudy.When(spequlos.Completed)},
		{"removal by assignment less that by variance", bagstudy.When(spequlos.Assigned),
			bagstudy.When(spequlos.Varied)},
		{"removal by reschedule less that by cloud duplication",
			bagstudy.How(spequlos.Reschedule), bagstudy.How(spequlos.Duplicate)},
		{"removal by cloud duplication less that by flat", bagstudy.How(spequlos.Duplicate),
			bagstudy.How(spequlos.Flat)},
	} {
		// A difference without a number is said to be above 0, and is judged as such.
		a.Add(paper.Row{
			Quantity: c.quantity,
			Unit:     "%",
			Printed:  new(0.),
			Computed: ask.Figure(t.Removal(c.more) - t.Removal(c.less)),
			Note:     "more than, in words (section 4.2.1): of the tail, on average over bags and from 0 to all of it",
		})
	}
	return nil
}
