package ishare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// A fleetRecord is what iShare's section 5 measures of its machines. period is in s, and the same
// for all machines, so that steps can be added up.
type fleetRecord struct {
	period  float64
	machine []machineRecord
}

// A machineRecord is one machine of it. Spells are the intervals between changes from free to
// failed and back; S1 and S2 together are free.
type machineRecord struct {
	labelled *machines.Labelled
	spells   []smp.Spell
	idle     float64 // mean share of the CPU that the machine's own processes leave
	memory   float64 // mean free memory, MB; NaN where it is not measured
}

// recordsOf labels the machines of a reproduction. Errors: *ask.InputError for a machine without
// samples or of another period; that of the context.
func recordsOf(ctx context.Context, q *paper.Question, a *paper.Reproduction) (*fleetRecord, error) {
	space := smp.FiveStates()
	f := &fleetRecord{}
	for i := range q.Hosts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l, err := q.Label(&q.Hosts[i])
		if err != nil {
			return nil, err
		}
		if len(l.History.Runs) == 0 {
			return nil, &ask.InputError{Field: "trace", Reason: "machine " + q.Hosts[i].Name + " has no usable sample"}
		}
		if f.period = l.History.Period; i > 0 && f.period != f.machine[0].labelled.History.Period {
			return nil, ask.Inputf("period", "the machines are sampled at unlike periods: give the period")
		}
		m := machineRecord{labelled: l, spells: smp.Spells(space, l.History.Runs)}
		m.idle, m.memory = meanOfSamples(q.Hosts[i].Samples)
		f.machine = append(f.machine, m)
		for _, w := range l.Warnings {
			if !q.Generated { // which has just the gaps that it is meant to have
				a.Warnings = append(a.Warnings, q.Hosts[i].Name+": "+w)
			}
		}
		if q.Done != nil {
			q.Done(i+1, len(q.Hosts))
		}
	}
	return f, nil
}

// meanOfSamples returns the mean idle share and free memory of samples; NaN where there
// are none, or none with memory.
func meanOfSamples(samples []smp.Sample) (idle, memory float64) {
	seen, measured := 0, 0
	for _, s := range samples {
		if s.Down {
			continue
		}
		seen++
		idle += 1 - s.Load
		if !math.IsNaN(s.FreeMemory) {
			measured++
			memory += s.FreeMemory
		}
	}
	return idle / float64(seen), memory / float64(measured)
}

// weekend says whether a step lies on a weekend or holiday. Holidays count as weekends, as in the
// predictions.
func (m *machineRecord) weekend(step int64) bool {
	l := m.labelled
	return l.Calendar.Kind(l.Calendar.Date(l.Moment(step))) == smp.Weekend
}

// table2 is how much of the time machines spend in each state. Shares are of the time of all
// machines together; CPU and memory are means over machines, with the deviation between them.
func table2(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	f, err := recordsOf(ctx, q, a)
	if err != nil {
		return err
	}
	var steps [5]float64
	total := 0.0
	var idle, memory []float64
	for _, m := range f.machine {
		// A run is a stay in one state, in steps of the trace's period.
		for _, r := range m.labelled.History.Runs {
			steps[r.State] += float64(r.Steps)
			total += float64(r.Steps)
		}
		if !math.IsNaN(m.idle) {
			idle = append(idle, m.idle)
		}
		if !math.IsNaN(m.memory) {
			memory = append(memory, m.memory)
		}
	}
	// The shares of table 2, in the order of the states.
	for i, printed := range []float64{0.558, 0.066, 0.259, 0.092, 0.023} {
		name := smp.FiveStates().Names[i]
		a.Compare("share of time in "+name, "", printed, steps[i]/total, "")
	}
	a.Compare("share of time in S1", "", 0.556, steps[0]/total, "in section 5.1, where the table has 55.8 %")
	// A trace without memory has no row to compare, and says so.
	across := func(quantity, unit string, v []float64, mean, sd float64) {
		if len(v) == 0 {
			a.Add(paper.Row{Quantity: quantity, Unit: unit, Printed: &mean, Note: "not measured in these traces"})
			return
		}
		a.Compare(quantity, unit, mean, stat.Mean(v, nil), "")
		if len(v) > 1 {
			a.Compare(quantity+", deviation between machines", unit, sd, stat.StdDev(v, nil), "")
		}
	}
	across("available CPU", "", idle, 0.618, 0.084)
	across("available memory", "MB", memory, 297.4, 78.9)
	return nil
}

// table3 is how often a machine becomes unavailable, by cause. Counts are brought to 90 days,
// so that records of other lengths can be compared.
func table3(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	f, err := recordsOf(ctx, q, a)
	if err != nil {
		return err
	}
	rows := []struct {
		name               string
		states             []int
		from, to           float64 // failures of one machine in the paper's 90 days
		shareMin, shareMax float64
	}{
		// The share of all causes is 1, and no row.
		{"all causes", []int{smp.S3, smp.S4, smp.S5}, 405, 453, 1, 1},
		{"CPU contention, S3", []int{smp.S3}, 283, 356, 0.69, 0.79},
		{"memory contention, S4", []int{smp.S4}, 83, 121, 0.19, 0.30},
		{"revocation, S5", []int{smp.S5}, 3, 12, 0, 0.03},
	}
	for _, row := range rows {
		var counts, shares []float64
		for _, m := range f.machine {
			n, all := 0., 0.
			for _, v := range m.spells {
				if v.State == smp.Up {
					continue
				}
				all++
				if slices.Contains(row.states, v.State) {
					n++
				}
			}
			counts = append(counts, n*m.scale())
			// A machine that never failed has no shares.
			if all > 0 {
				shares = append(shares, n/all)
			}
		}
		compareRange(a, "failures of a machine in 90 days", row.name, row.from, row.to, counts)
		if len(row.states) == 1 && len(shares) > 0 {
			compareRange(a, "share of a machine's failures", row.name, row.shareMin, row.shareMax, shares)
		}
	}
	rebootWords(a, f)
	return nil
}

// scale brings counts of a record to the 90 days of the paper's. Days are those from the first to
// the last step, gaps included.
func (m *machineRecord) scale() float64 {
	runs := m.labelled.History.Runs
	days := float64(runs[len(runs)-1].End()-runs[0].First) * m.labelled.History.Period / 86400
	return 90 / days
}

// compareRange adds the range over machines beside a printed one: the mean, with
// the least and the greatest. The paper prints the least and the greatest machine; the mean of ours
// has to lie between.
func compareRange(a *paper.Reproduction, quantity, series string, from, to float64, v []float64) {
	a.Add(paper.Row{
		Quantity: quantity, Series: series,
		Printed: &from, PrintedTo: &to,
		Computed: ask.Figure(stat.Mean(v, nil)),
		Low:      ask.Figure(slices.Min(v)),
		High:     ask.Figure(slices.Max(v)),
		Note: fmt.Sprintf("mean; least %.3g, greatest %.3g of %s",
			slices.Min(v), slices.Max(v), machinesCounted(len(v))),
	})
}

// machinesCounted says how many machines there are.
func machinesCounted(n int) string {
	if n == 1 {
		return "1 machine"
	}
	return fmt.Sprintf("%d machines", n)
}

// A spellLength is a class of figure 6.
type spellLength struct {
	name  string
	hours []float64
}

// figure6 is the distribution of intervals of availability. Intervals that a record cuts are
// longer than what is seen and would shorten the distribution; they are left out and counted.
func figure6(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	f, err := recordsOf(ctx, q, a)
	if err != nil {
		return err
	}
	up := []spellLength{{name: "free, weekdays"}, {name: "free, weekends"}}
	down := []spellLength{{name: "S3"}, {name: "S4"}, {name: "S5"}}
	cut := 0
	for i := range f.machine {
		m := &f.machine[i]
		for _, v := range m.spells {
			to := &up[0]
			switch {
			case v.Cut:
				cut++
				continue
			case v.State != smp.Up:
				to = &down[v.State-smp.S3]
			case m.weekend(v.First):
				to = &up[1]
			}
			to.hours = append(to.hours, float64(v.Steps)*f.period/3600)
		}
	}
	if cut > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("%d intervals that the records begin or end in are left out", cut))
	}
	a.X = "length (h)"
	for _, group := range []struct {
		quantity string
		of       []spellLength
	}{{"share of free intervals", up}, {"share of failures", down}} {
		for _, s := range group.of {
			distribution(a, group.quantity, s)
		}
		a.Drawn = append(a.Drawn, paper.Panel{Quantity: group.quantity, YLabel: group.quantity + " shorter"})
	}
	// Both ends belong to the range.
	between := func(s spellLength, from, to float64) float64 {
		n := 0
		for _, h := range s.hours {
			if h >= from && h <= to {
				n++
			}
		}
		return float64(n) / float64(len(s.hours))
	}
	if s := up[0]; len(s.hours) > 0 {
		a.Compare("mean free interval, weekdays", "h", 3, stat.Mean(s.hours, nil), "close to")
		a.Compare("free intervals of 2 to 4 h, weekdays", "", 0.6, between(s, 2, 4), "about")
	}
	if s := up[1]; len(s.hours) > 0 {
		a.Compare("mean free interval, weekends", "h", 5, stat.Mean(s.hours, nil), "above")
		a.Compare("free intervals of 4 to 6 h, weekends", "", 0.6, between(s, 4, 6), "about")
	}
	if free := (spellLength{hours: slices.Concat(up[0].hours, up[1].hours)}); len(free.hours) > 0 {
		a.Compare("free intervals longer than 2 h", "", 0.9, 1-between(free, 0, 2), "about, in section 8.3")
		a.Compare("free intervals longer than 3 h", "", 0.6, 1-between(free, 0, 3), "about, in section 8.4")
	}
	all := spellLength{hours: slices.Concat(down[0].hours, down[1].hours, down[2].hours)}
	if len(all.hours) > 0 {
		// Just below 5 min, since an interval of exactly so many steps is not shorter.
		a.Compare("failures shorter than 5 min", "", 0.6, between(all, 0, 5./60-1e-9), "about")
	}
	return nil
}

// distribution adds the cumulative distribution of a class up to 12 h. A point for each quarter of
// an hour.
func distribution(a *paper.Reproduction, quantity string, s spellLength) {
	if len(s.hours) == 0 {
		return
	}
	slices.Sort(s.hours)
	for i := range 49 {
		h := float64(i) / 4
		if i == 0 {
			h = 5. / 60 // the rise below 5 min that the text speaks of
		}
		a.Plot(quantity, s.name, "", h, stat.CDF(h, stat.Empirical, s.hours, nil))
	}
}
