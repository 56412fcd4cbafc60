package spequlos

import (
	"context"
	"math"
	"strings"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/sim/bot"
)

// bagStabilityFigure is the spread of the times of bags, with help and without. Times are over the
// mean of their environment, so that those of all environments can stand in one curve.
func bagStabilityFigure(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, []spequlos.Strategy{bagstudy.MainStrategy}, q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	a.X = "time over the mean of the environment"
	for _, s := range bagstudy.Servers {
		quantity := "share " + s.String()
		a.Drawn = append(a.Drawn, paper.Panel{Quantity: quantity, YLabel: s.String() + ": bags at most so long (%)",
			Share: true})
		for _, part := range []struct{ key, name string }{{"without", "without help"}, {"with", "9C-C-R"}} {
			bagCurves(a, t, "stability "+s.String()+" "+part.key, quantity, part.name)
			bagFigure(a, t, "deviation "+s.String()+" "+part.key,
				paper.Row{Quantity: "mean deviation from the mean", Series: s.String() + ", " + part.name, Unit: "%"})
		}
	}
	// The gain is by how many points of per cent the deviation falls.
	gain := func(s bot.Server) float64 {
		return t.Figures["deviation "+s.String()+" without"][0] - t.Figures["deviation "+s.String()+" with"][0]
	}
	row := func(note string, v float64, holds bool) { a.Says(holds, "claim", "%", v, note) }
	// Intervals that do not meet are what is read as significantly.
	apart := func(s bot.Server) bool {
		return t.Figures["deviation "+s.String()+" with"][2] < t.Figures["deviation "+s.String()+" without"][1]
	}
	row("boinc is made significantly more stable: less deviation with help", gain(bot.BOINC), apart(bot.BOINC))
	row("xwhep is not made much more stable: by less than boinc", gain(bot.XWHEP), gain(bot.XWHEP) < gain(bot.BOINC))
	with := [2]float64{t.Figures["deviation xwhep with"][0], t.Figures["deviation boinc with"][0]}
	row("with help boinc is more stable than xwhep", with[0]-with[1], with[1] < with[0])
	// The curve is over the mean, so that x = 1 is the mean itself.
	below := t.Curves["stability boinc without"]
	for _, p := range below {
		if p.X == 1 {
			row("without help more than half of boinc's bags take less than the mean", p.Share[0], p.Share[1] > 50)
		}
	}
	return nil
}

// bagPredictionTable is how many predictions of the end of a bag were right. A prediction counts as
// right within 20 % of the time, as in the paper; what table 4 leaves empty is NaN.
func bagPredictionTable(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, []spequlos.Strategy{bagstudy.MainStrategy}, q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	add := func(key, series string, printed float64) {
		// A cell without a printed number has nothing to be compared with.
		if math.IsNaN(printed) {
			return
		}
		bagFigure(a, t,
			"predicted "+key, paper.Row{Quantity: "predictions within 20%", Series: series, Unit: "%",
				Printed: &printed})
	}
	for _, trace := range hosts.Traces() {
		v := printedPredictions[trace.Name]
		for k, b := range bags.Bags() {
			for i, s := range bagstudy.Servers {
				add(trace.Name+" "+s.String()+" "+b.Name, strings.Join([]string{trace.Name, b.Name, s.String()}, ", "),
					v[2*k+i])
			}
		}
		// Mixed is the mean over all bags and servers on these machines.
		add(trace.Name, trace.Name+", mixed", v[6])
	}
	v := printedPredictions["mixed"]
	for k, b := range bags.Bags() {
		for i, s := range bagstudy.Servers {
			add(s.String()+" "+b.Name, "mixed, "+b.Name+", "+s.String(), v[2*k+i])
		}
	}
	add("mixed", "all", v[6])
	return nil
}

// printedPredictions are table 4: small, big and random, each of BOINC and XWHEP,
// and mixed.
var printedPredictions = map[string][7]float64{
	"seti":    {100, 100, 100, 82.8, 100, 87.0, 94.1},
	"nd":      {100, 100, 100, 100, 100, 96.0, 99.4},
	"g5klyo":  {88.0, 89.3, 96.0, 87.5, 75, 75, 85.6},
	"g5kgre":  {96.3, 88.5, 100, 92.9, 83.3, 34.8, 83.3},
	"spot10":  {100, 100, 100, 100, 100, 100, 100},
	"spot100": {100, 100, 100, 100, 76, 3.6, 78.3},
	"mixed":   {97.6, 96.1, 99.2, 93.5, 89.6, 65.3, 90.2},
}
