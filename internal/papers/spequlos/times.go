package spequlos

import (
	"context"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/sim/bot"
)

var howWords = map[spequlos.How]string{spequlos.Flat: "flat",
	spequlos.Reschedule: "reschedule", spequlos.Duplicate: "cloud duplication"}

// bagTimesFigure is the mean time of a bag by the kind of machines. One server and one kind of bag
// on each kind of machines, without help and with the strategy 9C-C-R.
func bagTimesFigure(ctx context.Context, q *paper.Question, a *paper.Reproduction, s bot.Server, bag string) error {
	t, err := bagstudy.Of(ctx, []spequlos.Strategy{bagstudy.MainStrategy}, q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	a.X = "machines"
	a.Drawn = []paper.Panel{{Quantity: "mean time", YLabel: "mean time of a bag (s)", Dots: true, YLog: true}}
	for i, trace := range hosts.Traces() {
		// Machines have no order: their places are those of table 2.
		x := float64(i)
		a.Drawn[0].Names = append(a.Drawn[0].Names, trace.Name)
		name := trace.Name + " " + s.String() + " " + bag
		without := paper.Row{Quantity: "mean time", Series: "without help", X: &x, Unit: "s", Note: trace.Name}
		with := paper.Row{Quantity: "mean time", Series: "9C-C-R", X: &x, Unit: "s", Note: trace.Name}
		// Of 36 environments the text gives two as numbers.
		for _, p := range printedTimes {
			if p.name == name {
				without.Printed, with.Printed = &p.without, &p.with
			}
		}
		bagFigure(a, t, name+" without", without)
		bagFigure(a, t, name+" with", with)
		// The printed time on seti is met only where some of the machines leave for good, of which
		// the paper says nothing.
		if without.Printed != nil && trace.Name == "seti" {
			bagFigure(a, t, name+" departing without", paper.Row{
				Quantity: "with departures",
				Series:   "without help",
				Unit:     "s",
				Printed:  without.Printed,
				Note:     "chosen to meet it: 4.5 of 100 that leave do so for good",
				Verdict:  paper.CannotBeTold,
			})
			bagFigure(a, t, name+" departing with", paper.Row{
				Quantity: "with departures",
				Series:   "9C-C-R",
				Unit:     "s",
				Printed:  with.Printed,
				Note:     "on the same machines",
			})
		}
	}
	for _, trace := range hosts.Traces() {
		bagHolds(a, t, trace.Name+" "+s.String()+" "+bag+" saving", "s",
			trace.Name+": help is said to shorten it in all cases")
	}
	for _, trace := range hosts.Traces() {
		bagFigure(a, t, trace.Name+" "+s.String()+" "+bag+" cloud", paper.Row{
			Quantity: "cloud hours",
			Series:   trace.Name,
			Unit:     "%",
			Note:     "of the hours that the bag takes on such workers",
		})
	}
	return nil
}

// printedTimes are the two pairs that section 4.3.1 gives as numbers.
var printedTimes = []struct {
	name          string
	without, with float64
}{{"seti boinc random", 28818, 3195}, {"spot10 xwhep big", 2524, 2521}}
