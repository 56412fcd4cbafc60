package spequlos

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/papers/bagstudy"
	"github.com/capplan/capplan/internal/papers/means"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// bagsDiffer is what differs in every figure of SpeQuloS; bagsWhy adds what does in one of them.
const bagsDiffer = "the traces are not to be had: machines come and go by laws through the quartiles of table 2, " +
	"each for itself, so that what is common to them is missing (the number of seti machines spreads by 73 here and " +
	"by 6793 in the table); the greatest times up were chosen so that the mean number there comes out. " +
	"Cloud workers boot in 2 min and one of their results completes a task, both readings; " +
	"the paper says nothing of how many runs stand behind its numbers. Nothing else is chosen to meet a printed " +
	"number, but where a row says so"

// bagsWhy are the reasons that sizes differ for, as far as they are known.
var bagsWhy = []struct{ name, why string }{
	{
		"figure-2",
		"XWHEP: half of the bags take less than an hour, and a lost task is missed after 15 min, " +
			"so that one loss among the last tasks doubles a bag; how often machines of the traces left while a bag " +
			"ran is not printed. BOINC: few machines of the laws leave for more than a day, " +
			"which is what its worst bags wait for",
	},
	{"table-1", "The tails of XWHEP are as long as its timeout allows, and count for more in bags that take minutes"},
	{"table-2", "The spread and the extremes are those of machines that leave together, which independent ones do not"},
	{
		"figure-4",
		"To remove all of a tail help must have done the rest in a ninth of the time of nine tenths of the bag: " +
			"half a minute of a big bag on seti, and a worker boots in two minutes",
	},
	{
		"figure-5",
		"Conservative starts as many workers as the credits pay for until the end that the rate of the bag " +
			"foretells, which is near where tasks still arrive: all of them are spent, and more than by greedy, " +
			"whose idle workers stop",
	},
	{
		"table-4",
		"Bags of random end when their last task has arrived, which half of the bag does not foretell; " +
			"the shares are of 100 runs, and of how many they are in the paper is not said",
	},
}

const bagsWhat = "36 environments, six kinds of machines, BOINC and XWHEP, three kinds of bags, simulated; " +
	"95% intervals over the seeds, which run on the same machines with and without help"

// Reproducibles are the figures and tables of SpeQuloS. All but figure 1 are read off a table
// of runs, see package bagstudy: the stored one, unless other seeds are asked for.
func Reproducibles() []paper.Reproducible {
	what := func(name, source, title, reproduced string,
		run func(context.Context, *paper.Question, *paper.Reproduction) error) paper.Reproducible {
		// Names of parts of a figure, such as figure-4a, share the reason of the figure.
		differs := bagsDiffer
		for _, w := range bagsWhy {
			if strings.HasPrefix(name, w.name) {
				differs += ". " + w.why
			}
		}
		return paper.Reproducible{
			Name:       "spequlos-" + name,
			Source:     "SpeQuloS " + source,
			Title:      title,
			Reproduced: reproduced,
			Differs:    differs,
			Run:        run,
		}
	}
	all := []paper.Reproducible{
		what("figure-1", "figure 1", "A bag with its tail",
			"one bag, small on nd under XWHEP: tasks done over time, and at the rate of the first nine tenths; "+
				"the share of bags with a tail from the stored runs of figure 2",
			// The share of bags with a tail is a claim on all environments, which one bag cannot
			// carry.
			bagCurve),
		what("figure-2", "figure 2", "Tail slowdown", bagsWhat, bagSlowdownFigure),
		what("table-1", "table 1", "Tasks and time in the tail", bagsWhat, bagTailTable),
		what("table-2", "table 2", "Available machines",
			"their number by simulation, over the ten days of 20 runs; the quartiles are what their laws were made of",
			bagHostsTable),
	}
	for _, f := range []struct {
		letter, name string
		how          spequlos.How
	}{{"a", "flat", spequlos.Flat}, {"b", "reschedule", spequlos.Reschedule},
		{"c", "cloud duplication", spequlos.Duplicate}} {
		all = append(all, what("figure-4"+f.letter, "figure 4("+f.letter+")", "Tail removal efficiency, "+f.name,
			bagsWhat+"; of bags that without help took more than 1.05 times the ideal time",
			func(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
				return bagRemovalFigure(ctx, q, a, f.how)
			}))
	}
	all = append(all,
		what("figure-5", "figure 5, section 4.2.2", "Credits spent by strategy", bagsWhat, bagCreditsFigure))
	for i, s := range bagstudy.Servers {
		// The paper letters its panels by bag first, then by server.
		for k, b := range bags.Bags() {
			letter := string(rune('a' + 2*k + i))
			all = append(all, what("figure-6"+letter, "figure 6("+letter+")",
				"Completion with and without help: "+s.String()+", "+b.Name, bagsWhat,
				func(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
					return bagTimesFigure(ctx, q, a, s, b.Name)
				}))
		}
	}
	return append(all,
		what("gains", "sections 1, 4.2.1, 4.3.1 and 4.3.3", "What help gains, in words", bagsWhat, bagGains),
		what("figure-7", "figure 7", "Stability of the time of a bag",
			bagsWhat+"; times over the mean of their environment", bagStabilityFigure),
		what("table-4", "table 4", "Predictions at half of the bag within 20%",
			bagsWhat+"; with help by 9C-C-R and α of all runs of an environment", bagPredictionTable),
	)
}

// takeBags says what the table is of. The number of seeds is part of what was reproduced, since
// every interval hangs on it.
func takeBags(a *paper.Reproduction, t *bagstudy.Table, seeds int) {
	a.Seed = &t.Seed
	a.Reproduced += fmt.Sprintf("; %d seeds behind each environment", seeds)
}

// bagFigure adds a mean of the table, with what is printed where it is a number. The row is
// returned for callers that judge it at once.
func bagFigure(a *paper.Reproduction, t *bagstudy.Table, name string, r paper.Row) *paper.Row {
	if v, ok := t.Figures[name]; ok {
		r = r.With(v)
	}
	return a.Add(r)
}

// bagCurves adds a curve of the table. Shares come in per cent, with the
// interval over seeds.
func bagCurves(a *paper.Reproduction, t *bagstudy.Table, name, quantity, series string) {
	for _, p := range t.Curves[name] {
		a.Add(paper.Row{Quantity: quantity, Series: series, X: &p.X, Unit: "%"}.With(p.Share))
	}
}

// bagShare adds what is printed of a curve at an x. low and high are the same for a single number.
// An x that is no point of the curve leaves the computed part empty, and the verdict open.
func bagShare(a *paper.Reproduction, t *bagstudy.Table, curve string, x float64, r paper.Row, low, high float64) {
	r.Printed = &low
	if high > low {
		r.PrintedTo = &high
	}
	r.Unit = "%"
	for _, p := range t.Curves[curve] {
		if p.X == x {
			r = r.With(p.Share)
		}
	}
	a.Add(r)
}

// bagHolds adds what the text says without a number, by the interval of a
// difference that it says is above 0. An interval with 0 in it leaves the claim open: chance alone
// would do.
func bagHolds(a *paper.Reproduction, t *bagstudy.Table, name, unit, note string) {
	r := paper.Row{Quantity: "claim", Unit: unit, Note: note, Verdict: paper.CannotBeTold}
	if v, ok := t.Figures[name]; ok {
		r = r.With(v)
		switch {
		case v[1] > 0:
			r.Verdict = paper.Agrees
		case v[2] < 0:
			r.Verdict = paper.Differs
		}
	}
	a.Add(r)
}

// bagCurve is figure 1. The seed is that of the question, 1 where none is given, so that the
// drawing is the same each time. One bag has a shape and no mean: the rows say "of this bag".
func bagCurve(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	nd := slices.IndexFunc(hosts.Traces(), func(t hosts.Trace) bool { return t.Name == "nd" })
	p, err := hosts.Traces()[nd].Platform()
	if err != nil {
		return err
	}
	seed := max(q.Seed, 1)
	chance := func(entity ...uint64) *rand.Rand { return sim.Stream(seed, 0, entity...) }
	o, err := bot.Simulate(&bot.Case{Bag: bags.Bags()[0], Hosts: p, Server: bot.XWHEP}, chance, ctx.Err)
	if err != nil {
		return err
	}
	a.Seed = &seed
	a.X = "time (h)"
	a.Drawn = []paper.Panel{{Quantity: "tasks done", YLabel: "tasks done (%)", Share: true}}
	ideal, ok := o.Progress.IdealTime()
	if !ok {
		return nil
	}
	a.Plot("tasks done", "at a constant rate", "%", 0, 0)
	a.Plot("tasks done", "at a constant rate", "%", ideal/3600, 100)
	series := "done"
	// Half a per cent a step: the small bag has 1000 tasks, of which more points would not be seen.
	for k := 1; k <= 200; k++ {
		at, ok := o.Progress.CompletionTime(float64(k) / 200)
		if !ok {
			break
		}
		a.Plot("tasks done", series, "%", at/3600, float64(k)/2)
		// The line changes its name where it leaves the ideal one, so that the tail is drawn in a
		// colour of its own.
		if next, _ := o.Progress.CompletionTime(float64(k+1) / 200); series == "done" && next > ideal {
			series = "the tail"
			a.Plot("tasks done", series, "%", at/3600, float64(k)/2) // where the other line ends
		}
	}
	tasks, time, _ := o.Tail()
	for _, r := range []struct {
		quantity, unit string
		v              float64
	}{{"ideal time", "s", ideal}, {"time of the bag", "s", o.End}, {"tasks in the tail", "%", 100 * tasks},
		{"time in the tail", "%", 100 * time}} {
		a.Add(paper.Row{Quantity: r.quantity, Unit: r.unit, Computed: ask.Figure(r.v),
			Note: "of this bag"})
	}
	// Of most bags the text says that they have the shape of this one.
	t := bagstudy.Stored()
	for _, s := range bagstudy.Servers {
		for _, p := range t.Curves["slowdown "+s.String()] {
			if p.X == bot.LeastSlowdown {
				slowed := means.Interval{100 - p.Share[0], 100 - p.Share[2], 100 - p.Share[1]}
				a.Add(paper.Row{Quantity: "bags with a tail", Series: s.String(), Unit: "%", Printed: new(50.),
					Note: "more than, for most of the time in words; of all environments, slowed by more than 1.05",
				}.With(slowed))
			}
		}
	}
	return nil
}

// bagSlowdownFigure is figure 2: how much longer a bag takes than at the rate of its first nine
// tenths, as a distribution over all environments.
func bagSlowdownFigure(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, nil, q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	a.X = "tail slowdown"
	a.Drawn = []paper.Panel{{Quantity: "share", YLabel: "bags at most so slow (%)", XLog: true, Share: true}}
	for _, s := range bagstudy.Servers {
		bagCurves(a, t, "slowdown "+s.String(), "share", s.String())
	}
	for _, s := range bagstudy.Servers {
		name := s.String()
		bagShare(a, t, "slowdown "+name, 1.33,
			paper.Row{Quantity: "bags slowed by at most 1.33", Series: name, Note: "about one half"}, 50, 50)
		// Section 2.2 gives the numbers by server: XWHEP first, BOINC where it differs.
		twice, worst := 75., 4.
		if s == bot.BOINC {
			twice, worst = 67, 10
		}
		bagShare(a, t, "slowdown "+name, 2, paper.Row{Quantity: "bags slowed by at most 2",
			Series: name, Note: "a quarter of those of XWHEP, a third of BOINC's are doubled"}, twice, twice)
		bagFigure(a, t, "worst slowdown "+name,
			paper.Row{Quantity: "slowdown that 5% exceed", Series: name, Printed: &worst, Note: "about"})
	}
	return nil
}

// bagTailTable is table 1: which part of a bag's tasks and time lies in its tail, by kind of
// machines and server.
func bagTailTable(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t, err := bagstudy.Of(ctx, nil, q.Seeds, q.Seed, q.Done)
	if err != nil {
		return err
	}
	takeBags(a, t, t.Seeds)
	printed := map[string][2][2]float64{ // tasks and time, of BOINC and XWHEP
		"desktop grids":     {{4.65, 51.8}, {5.11, 45.2}},
		"best-effort grids": {{3.74, 27.4}, {6.40, 16.5}},
		"spot instances":    {{2.94, 22.7}, {5.19, 21.6}},
	}
	for _, kind := range bagstudy.Kinds {
		for i, s := range bagstudy.Servers {
			for k, m := range []string{bagstudy.TailTasks, bagstudy.TailTime} {
				v := printed[kind.Name][i][k]
				quantity := "tasks in the tail"
				if k == 1 {
					quantity = "time in the tail"
				}
				bagFigure(a, t, m+" "+kind.Name+" "+s.String(),
					paper.Row{Quantity: quantity, Series: kind.Name + ", " + s.String(), Unit: "%", Printed: &v})
			}
		}
	}
	return nil
}

// bagHostsTable is table 2: how many machines are there at once. Laws were fitted to the quartiles
// of the table, and the greatest times up to its mean, so that the mean is no test of them but the
// spread and the extremes are.
func bagHostsTable(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	t := bagstudy.Stored()
	if q.Seeds > 0 || q.Seed > 1 {
		t = &bagstudy.Table{Seeds: max(q.Seeds, 2), Seed: max(q.Seed, 1), Figures: map[string]means.Interval{}}
		if err := t.CountHosts(ctx, t.Seeds, t.Seed); err != nil {
			return err
		}
	}
	a.Seed = &t.Seed
	for _, trace := range hosts.Traces() {
		p, err := trace.Platform()
		if err != nil {
			return err
		}
		_, sd := p.Present()
		bagFigure(a, t, "machines "+trace.Name+" "+bot.Present,
			paper.Row{Quantity: "machines there", Series: trace.Name, Printed: &trace.Mean, Note: "chosen to meet it"})
		a.Compare("their standard deviation", "", trace.SD, sd, trace.Name+": of independent machines, by the law")
		bagFigure(a, t, "machines "+trace.Name+" "+bot.Fewest, paper.Row{
			Quantity: "fewest",
			Series:   trace.Name,
			Printed:  &trace.Least,
			Note:     "in ten days; the trace is of more",
		})
		bagFigure(a, t, "machines "+trace.Name+" "+bot.Most,
			paper.Row{Quantity: "most", Series: trace.Name, Printed: &trace.Most, Note: "in ten days; " +
				"the trace is of more"})
	}
	return nil
}
