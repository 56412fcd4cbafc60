package bags

import (
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// bagFigures reads figures by their names; part is the prefix of the names, that of the runs
// without help or none.
func bagFigures(r *sim.Result, part string) BagFigures {
	f := BagFigures{
		Finish: Finish{
			Mean: simulate.IntervalOf(r, part+bot.Finish),
			P5:   simulate.IntervalOf(r, part+bot.Finish+"_p5"),
			P50:  simulate.IntervalOf(r, part+bot.Finish+"_p50"),
			P95:  simulate.IntervalOf(r, part+bot.Finish+"_p95"),
			P99:  simulate.IntervalOf(r, part+bot.Finish+"_p99"),
		},
		Ideal:        simulate.IntervalOf(r, part+bot.Ideal),
		TailSlowdown: simulate.IntervalOf(r, part+bot.Slowdown),
		TailTasks:    simulate.IntervalOf(r, part+bot.TailTasks),
		TailTime:     simulate.IntervalOf(r, part+bot.TailTime),
		Lost:         simulate.IntervalOf(r, part+bot.Lost),
	}
	if e, ok := r.Figure(part + bot.Unfinished); ok {
		f.Unfinished = e.Mean
	}
	f.predict(Values(r, part+bot.Half, part+bot.Finish))
	return f
}

// Values returns the values of figures, a row for each run in which all of them are defined.
func Values(r *sim.Result, names ...string) [][]float64 {
	var rows [][]float64
	if r == nil || len(names) == 0 {
		return nil
	}
	figures, runs := make([]sim.Estimate, len(names)), r.Replications
	for k, name := range names {
		e, ok := r.Figure(name)
		if !ok {
			return nil
		}
		figures[k], runs = e, min(runs, e.Replications())
	}
	for i := range runs {
		var row []float64
		for _, e := range figures {
			if v, ok := e.Value(i); ok {
				row = append(row, v)
			}
		}
		if len(row) == len(names) {
			rows = append(rows, row)
		}
	}
	return rows
}

// predict sets how well the time is predicted when half of the bag is done, from all runs.
func (f *BagFigures) predict(runs [][]float64) {
	var archive spequlos.Archive
	for _, r := range runs {
		// All runs are of one kind, and only the times of half and of the whole bag are known of
		// each.
		if err := archive.Add("", spequlos.PastRun{Total: r[1], Times: []float64{r[0], r[1]}}); err != nil {
			return
		}
	}
	if p, err := archive.Predict("", 0.5, 1); err == nil && p.Runs > 0 {
		f.Alpha, f.Predicted = ask.Figure(p.Alpha), ask.Figure(p.Success)
	}
}

// helpFigures returns the figures that only runs with help have.
func helpFigures(r *sim.Result, c *bot.Case) *HelpFigures {
	h := &HelpFigures{
		Without:     bagFigures(r, bot.Without),
		Saving:      simulate.IntervalOf(r, bot.Saving),
		TailRemoval: simulate.IntervalOf(r, bot.Removal),
		Ordered:     simulate.IntervalOf(r, bot.Ordered),
		Spent:       simulate.IntervalOf(r, bot.Spent),
		SpentShare:  simulate.IntervalOf(r, bot.SpentShare),
		CloudTime:   simulate.IntervalOf(r, bot.CloudTime),
		CloudTasks:  simulate.IntervalOf(r, bot.CloudTasks),
		Workers:     simulate.IntervalOf(r, bot.Workers),
	}
	if e, ok := r.Figure(bot.Removal); ok {
		h.NoTail = e.Undefined
		h.Tails = r.Replications - e.Undefined
	}
	speed := c.Cloud.Speed.Mean
	if speed == 0 {
		speed = bot.CloudSpeed.Mean
	}
	if h.CloudTime.Mean != nil {
		h.CloudShare = ask.Figure(*h.CloudTime.Mean / (c.Bag.TotalWork() / speed))
	}
	return h
}
