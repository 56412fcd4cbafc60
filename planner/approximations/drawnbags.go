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

// drawnBags are those of TestFinishOfDrawnBags in package sim/bot: drawn by a seed and
// written down before they were run, twelve at a time. By some of the first 24, and by
// those of class random under BOINC of all 36, the closed form was mended; then the last 12
// were drawn, and by one of them it was once more.
var drawnBags = []drawnBag{
	{"g5klyo", bags.Checkpoint, "big", 1.29, 1.09},
	{"spot100", bags.BOINC, "small", 0.96, 1.4},
	{"g5klyo", bags.XWHEP, "big", 1.8, 0.61},
	{"spot100", bags.BOINC, "random", 1.62, 1.12},
	{"spot10", bags.Checkpoint, "random", 0.63, 0.84},
	{"nd", bags.BOINC, "small", 0.71, 1.8},
	{"spot10", bags.XWHEP, "small", 1.2, 0.79},
	{"g5kgre", bags.XWHEP, "random", 0.59, 1.36},
	{"seti", bags.Checkpoint, "big", 0.71, 0.69},
	{"seti", bags.XWHEP, "big", 0.89, 0.67},
	{"nd", bags.Checkpoint, "random", 1.16, 1.29},
	{"g5kgre", bags.BOINC, "small", 1.4, 1.26},
	{"seti", bags.XWHEP, "small", 0.52, 0.89},
	{"seti", bags.Checkpoint, "big", 1.22, 0.86},
	{"g5klyo", bags.BOINC, "small", 0.94, 0.66},
	{"g5klyo", bags.Checkpoint, "random", 1.15, 1.59},
	{"g5kgre", bags.BOINC, "small", 1.96, 0.69},
	{"nd", bags.Checkpoint, "big", 1.1, 1.27},
	{"spot100", bags.XWHEP, "small", 1.83, 0.73},
	{"g5kgre", bags.XWHEP, "big", 0.96, 1.32},
	{"spot10", bags.Checkpoint, "big", 0.9, 0.63},
	{"spot10", bags.BOINC, "random", 1.28, 0.87},
	{"spot100", bags.BOINC, "random", 1.15, 1.32},
	{"nd", bags.XWHEP, "random", 0.76, 0.79},
	{"g5klyo", bags.Checkpoint, "big", 1.78, 0.93},
	{"nd", bags.XWHEP, "small", 0.55, 1.27},
	{"g5kgre", bags.BOINC, "random", 0.75, 1.63},
	{"g5kgre", bags.XWHEP, "random", 0.57, 1.54},
	{"nd", bags.BOINC, "big", 0.64, 0.57},
	{"g5klyo", bags.XWHEP, "small", 0.68, 1.41},
	{"seti", bags.Checkpoint, "small", 0.52, 1.25},
	{"spot100", bags.BOINC, "random", 0.5, 0.77},
	{"seti", bags.Checkpoint, "random", 1.18, 0.81},
	{"spot10", bags.BOINC, "small", 0.52, 0.7},
	{"spot100", bags.Checkpoint, "big", 1.22, 0.73},
	{"spot10", bags.XWHEP, "big", 1.37, 1.07},
	{"spot100", bags.BOINC, "random", 0.95, 0.79},
	{"spot100", bags.BOINC, "random", 1.86, 1.43},
	{"nd", bags.XWHEP, "random", 0.54, 1.56},
	{"g5kgre", bags.BOINC, "random", 1.43, 1.95},
	{"seti", bags.Checkpoint, "random", 0.66, 1.72},
	{"spot10", bags.BOINC, "random", 0.97, 0.59},
	{"seti", bags.BOINC, "random", 1.21, 1.51},
	{"g5klyo", bags.BOINC, "random", 0.88, 0.83},
	{"g5klyo", bags.XWHEP, "random", 1.71, 1.23},
	{"nd", bags.BOINC, "random", 0.89, 1.36},
	{"spot10", bags.Checkpoint, "random", 1.05, 1.58},
	{"g5kgre", bags.BOINC, "random", 1.03, 0.77},
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
	for _, d := range drawnBags {
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
