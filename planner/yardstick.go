package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A yardstick is what mixes of a scenario's machines are measured by, those that a plan
// chooses and a fleet that is given alike: the fleet of servers of speed 1 whose
// objectives they are held to, and what each machine counts for, at the most likely
// figures. Counts of machines are by type, in the order of the scenario.
type yardstick struct {
	*premises
	mixing  *mixer
	held    *sizing.Fleet
	items   []cover.Item
	need    float64 // servers of speed 1
	binding string  // the objective that needs them
}

// measure states what mixes are measured by. Errors: *ask.InputError and
// *ask.InfeasibleError where no fleet meets the objectives, and that of the
// context. The mix and the fleet that is checked come to their figures in one way
// by it.
func (p *premises) measure(ctx context.Context, crossing *mixes.Crossing) (*yardstick, error) {
	c := p.nominalCase()
	f, err := p.fleet(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := p.checkWhole(f); err != nil {
		return nil, err
	}
	y := &yardstick{
		premises: p,
		mixing:   &mixer{types: p.types, Choice: mixes.Choice{Crossing: crossing}},
		held:     f,
	}
	n, err := p.needOf(ctx, f, c)
	if err != nil {
		return nil, err
	}
	y.need, y.binding = n.servers, n.binding
	if y.mixing.Model, err = p.figure(ctx, f, p.types, c); err != nil {
		return nil, err
	}
	y.items, err = y.mixing.items(c)
	return y, err
}

// drawnFleet is the fleet of a draw. No draw moves the load of a curve, whose peak is known.
func (y *yardstick) drawnFleet(ctx context.Context, c *planCase) (*sizing.Fleet, error) {
	if y.Curve != nil {
		return y.fleetOf(c, y.held.Load)
	}
	return y.fleet(ctx, c)
}

// checkUnlike refuses what no mix of machines is measured by, before anything is computed:
// the size with its draws comes first and may take long.
func (p *premises) checkUnlike() error {
	if len(p.types) == 0 || !p.sizable() {
		return nil
	}
	rate, mean, _ := p.Nominal().Counted()
	if load := rate * mean; load > 0 && load < 1e-100 { // as of package unlike
		return ask.Inputf("load", "%s erl is outside the domain of mixes, want 0, or at least 1e-100", ask.Digits(load))
	}
	alike := !slices.ContainsFunc(p.types, func(t worth.Machine) bool {
		return t.Kind != scenario.Dedicated || t.Speed != nil
	})
	if err := p.limits.CheckUnlike(p.service.Model, &p.Traffic, alike); err != nil {
		return sized(err)
	}
	return nil
}

// checkWhole refuses public machines beside a log of wide jobs. Part of a server
// runs no wide job, so that what a public machine is worth on average is of no
// use to it. Losses are counted in machines, which such a log does not know.
func (p *premises) checkWhole(f *sizing.Fleet) error {
	if f.WideJobs() && p.Headroom() != nil {
		return ask.Inputf("objectives.spare",
			"a log of wide jobs has no machines that may be lost: want no spare, zones and survive with it")
	}
	if f.WholeOnly() {
		for i := range p.types {
			if p.types[i].Kind == scenario.Public {
				return ask.Inputf(fmt.Sprintf("machines[%d].kind", i),
					"a public machine beside a log of wide jobs needs the model wait (service.model): a fraction of "+
						"a server cannot run a wide job")
			}
		}
	}
	return nil
}

// does returns the figures of a mix for the most likely figures. With figures of their own the
// machines stand side by side; for a log they are counted as servers of speed 1.
func (y *yardstick) does(ctx context.Context, counts []int64) (queueing.Figures, error) {
	if figure := y.mixing.Model; figure != nil {
		return figure.At(counts, 0)
	}
	servers := y.worthOf(counts)
	// The mix chosen is worth the need but for rounding, and must not miss by that the
	// objective that it was chosen to meet.
	if servers >= y.need*(1-1e-9) {
		servers = math.Max(servers, y.need)
	}
	// A log of wide jobs is replayed on whole servers: what a fraction of one would add is
	// not there.
	if y.held.WholeOnly() {
		servers = math.Floor(servers * (1 + 1e-12))
	}
	return y.held.At(ctx, math.Min(servers, 1e12))
}

// value is that of an objective of a mix.
func (y *yardstick) value(ctx context.Context, o queueing.Objective, counts []int64) (float64, error) {
	if x := y.mixing.Model; x != nil {
		return x.Value(o, counts)
	}
	g, err := y.does(ctx, counts)
	return o.Value(g), err
}

// offered is the load, of a log that of its jobs.
func (y *yardstick) offered() float64 {
	if y.Log != nil {
		return y.Log.OfferedLoad
	}
	return y.held.Load.Offered()
}

// worthOf is how many servers of speed 1 machines are worth.
func (y *yardstick) worthOf(counts []int64) float64 {
	servers := 0.0
	for i, n := range counts {
		servers += y.items[i].Worth * float64(n)
	}
	return servers
}

// missingServers are the servers of speed 1 that have to stand beside a fleet. A
// mix that meets the objectives by its own figures misses nothing, whatever it is
// worth.
func (y *yardstick) missingServers(counts []int64) float64 {
	if x := y.mixing.Model; x != nil {
		if x.Meets(counts) {
			return 0
		}
		return x.Missing(counts, y.need)
	}
	return math.Max(y.need*(1-1e-12)-y.worthOf(counts), 0)
}

// missing returns for each type how many more machines of it alone make a fleet that lacks servers
// meet the objectives, NaN if its limit comes first. It takes more machines to help, never to harm.
// If the work of a fleet is spent before, the last types are left out.
func (y *yardstick) missing(ctx context.Context, counts []int64, lacks float64) []float64 {
	most := make([]int64, len(counts))
	for i, n := range counts {
		most[i] = int64(1e12) - n
		if limit := ask.Whole(y.types[i].Limit); limit != nil {
			most[i] = *limit - n
		}
		if w := y.items[i].Worth; w > 0 { // far beyond what is needed no more help
			most[i] = min(most[i], int64(math.Min(10*y.need/w+100, 1e12)))
		}
	}
	more := make([]float64, len(counts))
	if x := y.mixing.Model; x != nil && x.Meets(counts) {
		return more
	} else if x != nil {
		return x.More(ctx, counts, most, lacks, y.work.More.Left)
	}
	if lacks > 0 { // by worth
		for i := range counts {
			more[i] = math.Ceil(lacks / y.items[i].Worth * (1 - 1e-12))
			if !(more[i] <= float64(most[i])) {
				more[i] = math.NaN()
			}
		}
	}
	return more
}

// publicAway returns what the dedicated machines of a mix do alone; nil where
// it has no public ones. What is left while the public machines are away at once
// is what a planner can rely on.
func (y *yardstick) publicAway(ctx context.Context, counts []int64) (*sizing.Candidate, error) {
	f := y.held
	alone, dedicated, public := slices.Clone(counts), int64(0), int64(0)
	for i := range y.types {
		if y.types[i].Kind == scenario.Public {
			public += counts[i]
			alone[i] = 0
		} else {
			dedicated += counts[i]
		}
	}
	if public == 0 {
		return nil, nil
	}
	c := &sizing.Candidate{Servers: dedicated}
	switch g, err := y.does(ctx, alone); {
	case errors.Is(err, queueing.ErrUnstable):
		c.Unstable, c.OfferedLoad = true, y.offered()
	case err != nil:
		return nil, ask.FromQueueing("servers", err)
	default:
		c.Figures, c.Met = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives), f.MetBy(g)
	}
	return c, nil
}

// allowed reports whether link and epoch allow a mix at the most likely figures.
// Link and epoch are judged by the figures of this very mix where it has a model.
func (y *yardstick) allowed(counts []int64) bool {
	return y.mixing.Crossing.By(y.mixing.Model).Admits(y.items, counts)
}

// shared reports whether a mix keeps to the share that may be public, at the most
// likely figures.
func (y *yardstick) shared(counts []int64) bool {
	return y.mixing.Crossing.Shares(y.items, counts)
}

// afterLoss returns what is left after the loss that does the most harm to the
// tightest objective; nil where none has to be survived. The model has found it
// while it judged the mix, whose headroom is part of its objectives.
func (y *yardstick) afterLoss(counts []int64) *MixLoss {
	x, f := y.mixing.Model, y.held
	if x == nil || x.Room == nil {
		return nil
	}
	worst := &MixLoss{}
	worst.Left, worst.Met = x.WorstLoss(counts)
	for i, n := range worst.Left {
		worst.Lost = append(worst.Lost, counts[i]-n)
	}
	g, err := x.At(worst.Left, 0)
	if err != nil {
		worst.Unstable = true
		return worst
	}
	worst.Figures = sizing.FiguresOf(g, f.Kind, f.Clock, f.Objectives)
	return worst
}

// outset states a mix as a candidate, held against no draw yet.
func (y *yardstick) outset(name string, counts []int64) MixCandidate {
	c := MixCandidate{Name: name, Counts: counts}
	for j, n := range counts {
		c.Cost += y.items[j].Price * float64(n)
	}
	c.Cost = units.ExactCents(c.Cost)
	_, c.PublicShare = mixes.PublicWorth(y.items, counts)
	return c
}
