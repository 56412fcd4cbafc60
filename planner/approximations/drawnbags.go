package approximations

import (
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A drawnBag is a bag of a class of SpeQuloS on machines of its table 2, its number of
// tasks and their work each by a factor. The names of machines and classes are
// those of its tables 2 and 3.
type drawnBag struct {
	hosts      string
	server     bags.Server
	class      string
	size, work float64
}

// drawnBags are those of drawnbags.csv.
func drawnBags() []drawnBag {
	var all []drawnBag
	for _, r := range table("drawnbags.csv") {
		all = append(all, drawnBag{r["hosts"], r.server(), r["class"], r.number("size"), r.number("work")})
	}
	return all
}

// late says whether tasks arrive one by one under BOINC. Tasks of class random
// arrive one by one; those of the others are there at the start.
func (d drawnBag) late() bool { return d.server == bags.BOINC && d.class == "random" }

// key of the measure of a figure.
func (d drawnBag) key(figure string) string {
	if d.late() {
		return figure + "Late"
	}
	return figure + d.server.String()
}

// setup is the bag on its machines. Sizes are rounded to whole tasks, as a bag
// has them.
func (d drawnBag) setup() (*bags.Setup, error) {
	classes, traces := bags.Bags(), hosts.Traces()
	b := classes[slices.IndexFunc(classes, func(b bags.Bag) bool { return b.Name == d.class })]
	b.Size = bags.Spread{Mean: math.Round(b.Size.Mean * d.size), SD: b.Size.SD * d.size}
	b.Work = bags.Spread{Mean: b.Work.Mean * d.work, SD: b.Work.SD * d.work}
	p, err := traces[slices.IndexFunc(traces, func(t hosts.Trace) bool { return t.Name == d.hosts })].Platform()
	return &bags.Setup{Bag: b, Hosts: p, Server: d.server}, err
}

// finishingDrawn simulates these bags beside their closed form.
func finishingDrawn() ([]trial, error) {
	var all []trial
	for _, d := range drawnBags() {
		s, err := d.setup()
		if err != nil {
			return nil, err
		}
		f, err := bags.Finish(s)
		if err != nil {
			return nil, err
		}
		study, err := bot.NewStudy(&bot.Case{Bag: s.Bag, Hosts: s.Hosts, Server: s.Server})
		if err != nil {
			return nil, err
		}
		runs := 200
		if d.class == "random" { // the last arrival differs much from run to run
			runs = 1000
		}
		all = append(all, trial{
			study: "drawn bags",
			name: fmt.Sprintf("%s on %s: %s of %g times the tasks and %g times the work", d.server, d.hosts,
				d.class, d.size, d.work),
			model:   study,
			options: sim.Options{Replications: runs},
			says: []saying{
				{d.key("DrawnMedian"), bot.Finish + "_p50", f.Quantile(0.5), 0},
				{d.key("DrawnHigh"), bot.Finish + "_p95", f.Quantile(0.95), 0},
			},
		})
	}
	return all, nil
}

// drawnMeasures are apart from those of the other bags, since these bags were
// drawn by a seed and not chosen.
func drawnMeasures() []Measure {
	const those = "bags of SpeQuloS with half to twice the tasks and the work, on machines of its table 2"
	var all []Measure
	for _, k := range []struct{ key, server, regime string }{
		{"xwhep", "xwhep", those},
		{"boinc", "boinc", "small and big " + those},
		{"Late", "boinc", "random " + those + ": tasks that arrive one by one"},
		{"checkpoint", "checkpoint", those},
	} {
		all = append(all, timesOfBags("Drawn", k.key, k.server, k.regime)...)
	}
	return all
}
