package spequlos

import (
	"context"
	"slices"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/papers/paper"
)

// bagStrategies are those of a figure. A figure holds one way of using the cloud, with every
// trigger and both amounts of workers.
func bagStrategies(how spequlos.How) []spequlos.Strategy {
	return slices.DeleteFunc(spequlos.Strategies(), func(s spequlos.Strategy) bool { return s.How != how })
}

// bagRemovalFigure is one of figures 4(a) to 4(c): the share of bags from whose tail help removes
// more than so much. Bags without a tail have nothing to remove and are left out.
func bagRemovalFigure(ctx context.Context, q *paper.Question, a *paper.Reproduction, how spequlos.How) error {
	t, err := bagstudy.Of(ctx, bagStrategies(how), q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.StrategySeeds)
	a.X = "tail removal efficiency (%)"
	a.Drawn = []paper.Panel{{Quantity: "share", YLabel: "bags with more of the tail removed (%)", NoRange: true,
		Share: true}}
	for _, s := range bagStrategies(how) {
		bagCurves(a, t, "removal "+s.String(), "share", s.String())
	}
	bagFigure(a, t, "tails", paper.Row{Quantity: "bags with a tail to remove",
		Unit: "%", Note: "the others have no such efficiency and are left out"})
	for _, s := range bagStrategies(how) {
		name := s.String()
		// Section 4.2.1 states thresholds for groups of strategies, which are held against each of
		// the group.
		switch {
		case how == spequlos.Flat:
			bagShare(a, t, "removal "+name, 30,
				paper.Row{Quantity: "bags with more than 30% removed", Series: name, Note: "at most half"}, 50, 50)
		case s.When.Trigger == spequlos.Varied:
			bagShare(a, t, "removal "+name, 30,
				paper.Row{Quantity: "bags with more than 30% removed", Series: name, Note: "at least 60%"}, 60, 60)
		default:
			bagShare(a, t, "removal "+name, 30, paper.Row{Quantity: "bags with more than 30% removed",
				Series: name, Note: "at least 80%, variance excluded"}, 80, 80)
		}
		if how == spequlos.Duplicate && s.When.Trigger == spequlos.Assigned {
			bagShare(a, t,
				"removal "+name, 99.99, paper.Row{Quantity: "bags without a tail", Series: name,
					Note: "one half"}, 50, 50)
			bagShare(a, t, "removal "+name, 50,
				paper.Row{Quantity: "bags with more than half removed", Series: name, Note: "80%"}, 80, 80)
		}
	}
	return nil
}

// bagCreditsFigure is figure 5: the part of the ordered credits that each strategy spends.
func bagCreditsFigure(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, spequlos.Strategies(), q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.StrategySeeds)
	a.X = "strategy"
	a.Drawn = []paper.Panel{{Quantity: "credits spent", YLabel: "credits spent of those ordered (%)", Dots: true}}
	few := 0
	for i, s := range spequlos.Strategies() {
		x := float64(i)
		a.Drawn[0].Names = append(a.Drawn[0].Names, s.String())
		r := bagFigure(a, t, "spent "+s.String(),
			paper.Row{Quantity: "credits spent", Series: howWords[s.How], X: &x, Unit: "%", Note: s.String()})
		if r.Computed != nil && *r.Computed < 25 {
			// The text says "less than 25%" of most strategies.
			few++
		}
	}
	for _, s := range spequlos.Strategies() {
		bagFigure(a, t, "cloud "+s.String(), paper.Row{
			Quantity: "cloud hours",
			Series:   s.String(),
			Unit:     "%",
			Note: "of the hours that the bag takes on such workers: the credits are a tenth of bounds that are " +
				"up to 37 times its time",
		})
	}
	// Most are more than half of the 18.
	a.Says(few > 9, "claim", "", float64(few), "of 18 strategies spend less than 25% of the credits: most of them")
	for _, o := range bagstudy.SpentOrders {
		bagHolds(a, t, "spent: "+o.Name, "%", o.Name+": the former is said to spend more")
	}
	return nil
}
