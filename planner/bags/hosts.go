package bags

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
	"github.com/capplan/capplan/units"
)

// A HostsQuestion asks how many machines are up, over time.
type HostsQuestion struct {
	Hosts        *hosts.Platform    `json:"-"`
	Horizon      *float64           `json:"horizon_s,omitempty"` // nil: 10 days, or less of many that come and go often
	Seed         uint64             `json:"seed,omitempty"`
	Replications int                `json:"replications,omitempty"` // 0: 30
	Progress     func(done, of int) `json:"-"`
}

// A HostsAnswer is the number of machines that are up.
type HostsAnswer struct {
	Hosts    string `json:"hosts"`
	Machines int    `json:"machines"`
	// Availability is the share of time that a machine is up.
	Availability float64  `json:"availability"`
	MeanUp       *float64 `json:"mean_up_s"`   // null for records
	MeanDown     *float64 `json:"mean_down_s"` // null for records and for machines that never leave
	Mean         float64  `json:"mean"`        // of the number that is up, by the law
	SD           float64  `json:"sd"`
	// Simulated holds the same by simulation, and the least and greatest number of a run.
	Simulated CountFigures `json:"simulated"`
	// Published is from SpeQuloS table 2; null for other machines.
	Published *PublishedCount `json:"published"`
	// Horizon is the length of a run.
	Horizon float64 `json:"horizon_s"`
	// Times and Counts are a single run.
	Times        []float64 `json:"times_s"`
	Counts       []float64 `json:"counts"`
	Seed         uint64    `json:"seed"`
	Replications int       `json:"replications"`
	Warnings     []string  `json:"warnings,omitempty"`
}

// CountFigures are means over the runs, with confidence intervals.
type CountFigures struct {
	Mean   simulate.Interval `json:"mean"`
	SD     simulate.Interval `json:"sd"`
	Fewest simulate.Interval `json:"fewest"`
	Most   simulate.Interval `json:"most"`
}

// A PublishedCount is what a table says of the number of machines that are up.
type PublishedCount struct {
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"`
	Fewest float64 `json:"fewest"`
	Most   float64 `json:"most"`
	// MostSD is the greatest standard deviation that a number with these extremes and this mean can
	// have.
	MostSD float64 `json:"greatest_sd"`
}

// countMoments is the number of moments of a run at which machines are counted: one an hour over
// the default of ten days.
const countMoments = 241

// Hosts answers a HostsQuestion.
func Hosts(ctx context.Context, q *HostsQuestion) (*HostsAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	if q.Hosts == nil {
		return nil, ask.Missing("hosts", "seti, nd, g5klyo, g5kgre, spot10, spot100, a trace, or laws")
	}
	if err := q.Hosts.Check(); err != nil {
		return nil, FromModel(err)
	}
	horizon := ask.Or(q.Horizon, 10*hosts.Day)
	if !(horizon >= 1 && horizon <= 1e9) {
		return nil, ask.Inputf("horizon", "is %s, want 1 s to 1e9 s such as 10d", ask.Digits(horizon))
	}
	n := cmp.Or(q.Replications, 30)
	if n < 1 || n > mostReplications {
		return nil, ask.Inputf("replications", "is %d, want 1 to 1,000,000 runs", n)
	}
	count := &bot.Count{Hosts: q.Hosts, Moments: countMoments}
	o := sim.Options{Seed: q.Seed, Replications: n, Horizon: horizon, Progress: q.Progress}
	most := q.mostStates()
	if q.Replications == 0 {
		o.Events = uint64(most)
	}
	if q.Horizon == nil {
		horizon = spanOf(count, horizon, most)
		o.Horizon = horizon
	}
	r, err := sim.Run(ctx, count, o)
	if err != nil {
		return nil, FromModel(err)
	}
	a := &HostsAnswer{
		Hosts: q.Hosts.Name, Machines: q.Hosts.Machines(), Availability: q.Hosts.Availability(),
		Horizon: horizon, Seed: q.Seed, Replications: r.Replications,
		Simulated: CountFigures{
			Mean:   simulate.IntervalOf(&r, bot.Present),
			Fewest: simulate.IntervalOf(&r, bot.Fewest),
			Most:   simulate.IntervalOf(&r, bot.Most),
		},
	}
	a.Mean, a.SD = count.Law()
	a.Simulated.SD = spreadOf(&r, a.Mean)
	if sd := &a.Simulated.SD; a.SD > 0 && sd.High != nil && *sd.High == 0 {
		sd.High = nil // no run saw a machine leave
	}
	if q.Hosts.Up != nil {
		a.MeanUp = ask.Figure(q.Hosts.Up.Mean())
	}
	if q.Hosts.Down != nil {
		a.MeanDown = ask.Figure(q.Hosts.Down.Mean())
	}
	if err := a.series(ctx, count, q.Seed, horizon); err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, simulate.Short(&r, 0)...)
	for _, t := range hosts.Traces() {
		if t.Name == q.Hosts.Name {
			a.Published = &PublishedCount{t.Mean, t.SD, t.Least, t.Most, hosts.MostSpread(t.Mean, t.Least, t.Most)}
		}
	}
	if q.Hosts.Departure > 0 {
		a.Warnings = append(a.Warnings, "the law is that of the start: machines that leave for good do not count in it")
	}
	if w := spreadWarning(q.Hosts); w != "" {
		a.Warnings = append(a.Warnings, w)
	}
	return a, nil
}

// mostStates is how many states of machines are drawn where nobody asks for more: they take less than other events, but
// for those of an age at an hour of the week.
func (q *HostsQuestion) mostStates() float64 {
	if q.Hosts.Population != nil {
		return simulate.MostEvents / 5
	}
	return simulate.MostEvents * 3 / 2
}

// spanOf is a horizon or, where two runs and that of Counts would draw more than most states, a shorter one: machines
// begin as they go on.
func spanOf(c *bot.Count, horizon, most float64) float64 {
	return horizon * min(1, most/(3*c.States(horizon)))
}

// series runs the first replication again and keeps its counts.
func (a *HostsAnswer) series(ctx context.Context, c *bot.Count, seed uint64, horizon float64) error {
	counts, _, err := c.Series(streamOf(seed, 0), horizon, ctx.Err)
	if err != nil {
		return err
	}
	a.Counts = counts
	for i := range counts {
		a.Times = append(a.Times, horizon*float64(i)/float64(len(counts)-1))
	}
	return nil
}

// streamOf returns what a replication draws from, by entity.
func streamOf(seed uint64, replication int) bot.Chance {
	return func(entity ...uint64) *rand.Rand { return sim.Stream(seed, replication, entity...) }
}

// spreadWarning says if the number of independent machines varies less than that of a published
// trace did.
func spreadWarning(p *hosts.Platform) string {
	for _, t := range hosts.Traces() {
		if t.Name != p.Name || len(p.Records) > 0 {
			continue
		}
		if _, sd := p.Present(); sd < t.SD/2 {
			return fmt.Sprintf("the number of machines that come and go independently varies too little: its "+
				"standard deviation is %.3g, that of %s was %.4g (at most %.4g is possible); machines in groups "+
				"that share outages vary more",
				sd, t.Name, t.SD, hosts.MostSpread(t.Mean, t.Least, t.Most))
		}
	}
	return ""
}

// The standard deviation of the number of recorded machines that are up, relative to its mean and
// to that of independent machines, above which the formulas are said to miss what the machines have
// in common. commonShare is what the closed form is off by anyway; commonTimes is the factor of
// spreadWarning.
const (
	commonShare = 0.05
	commonTimes = 2
)

// commonWarning says if the number of recorded machines varies more than that of independent
// machines, which the formulas take them to be.
func commonWarning(p *hosts.Platform) string {
	if len(p.Records) == 0 {
		return ""
	}
	mean, sd := p.Present()
	a := p.Availability()
	own := math.Sqrt(float64(p.Machines()) * a * (1 - a))
	if !(sd > commonShare*mean && sd > commonTimes*own) {
		return ""
	}
	return fmt.Sprintf("these machines come and go together: %.3g of them are available on average with a "+
		"standard deviation of %.3g, which would be %.2g if they were independent; the formulas assume that "+
		"they are, and the bag may take many times as long while few are available: a simulation follows the records",
		mean, sd, own)
}

// Plots returns one run, with the mean and the published extremes.
func (a *HostsAnswer) Plots(context.Context) ([]ask.Plot, error) {
	p := ask.Plot{
		Title:    "Available machines",
		Subtitle: fmt.Sprintf("%s, %s machines, seed %d", a.Hosts, units.FormatNumber(float64(a.Machines), 6), a.Seed),
		X:        ask.Axis{Name: "time", Unit: "s"},
		Y:        ask.Axis{Name: "machines"},
		Curves:   []ask.Curve{{Name: "one run", X: a.Times, Y: a.Counts}},
		Across:   []ask.Rule{{Value: a.Mean, Name: "mean"}},
	}
	if c := a.Published; c != nil {
		p.Across = append(p.Across, ask.Rule{Value: c.Fewest, Name: "published least"},
			ask.Rule{Value: c.Most, Name: "published most"})
	}
	return []ask.Plot{p}, nil
}
