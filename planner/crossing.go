package planner

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/internal/worth"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// A timing is what is known of link and epoch before a mix is chosen. An epoch
// that is given is known here; one that follows from the mix is found for each
// mix that is looked at.
type timing struct {
	delta    *float64        // s, the epoch for the link; nil: that of the mix
	crossing *mixes.Crossing // what both hold the mix to; nil: nothing
}

// schedule settles what is known of epoch and link before a mix is chosen, and
// states both for the choice. The link has an epoch of its own, which comes
// before that of the part epoch. Nothing holds the mix where no machine is
// public, or where neither link, epoch nor a share is asked.
func (p *premises) schedule() (t timing, err error) {
	l, e := p.Link, p.Epoch
	if l != nil && l.Epoch != nil {
		t.delta = ask.Number(l.Epoch)
	}
	if e != nil && e.Length != nil {
		if err := ask.Positive("epoch.length", float64(*e.Length), "a time above 0 such as 2min"); err != nil {
			return t, err
		}
		t.delta = cmp.Or(t.delta, ask.Number(e.Length))
	}
	if err := p.checkSwaps(); err != nil {
		return t, err
	}
	public := slices.ContainsFunc(p.types, func(t worth.Machine) bool { return t.Kind == scenario.Public })
	share := p.objectives.MaxPublicShare
	if !public || !p.sizable() || l == nil && !p.scheduled() && share == nil {
		return t, nil
	}
	c := &mixes.Crossing{}
	if share != nil {
		c.Public = ask.Figure(float64(*share))
	}
	c.Rate, c.Load = p.arrivals(p.nominalCase())
	c.Delta = ask.Value(t.delta)
	if p.scheduled() {
		if err := p.scheduleEpoch(c); err != nil {
			return t, err
		}
	}
	if l != nil {
		if err := p.stateLink(c, t.delta); err != nil {
			return t, err
		}
	}
	c.Types, err = p.crossingTypes(c, p.types, p.nominalCase())
	t.crossing = c
	return t, err
}

// scheduled reports whether the part epoch says how jobs move, not only how
// often. A length alone says how often, and no more is asked.
func (p *premises) scheduled() bool {
	e := p.Epoch
	return e != nil && (e.Length == nil || e.Migrations != nil || e.MigrationTime != nil)
}

// checkSwaps refuses more migrations in an epoch than there are dedicated
// machines to begin them, where their number is given. PCU section 4.6 has one
// migration begin on each dedicated machine in an epoch.
func (p *premises) checkSwaps() error {
	e, l := p.Epoch, p.Link
	if e == nil || l == nil || e.Migrations == nil || l.Dedicated == nil ||
		float64(*e.Migrations) <= float64(*l.Dedicated) {
		return nil
	}
	return &ask.InputError{Field: "epoch.migrations",
		Reason: survival.TooManySwaps(float64(*e.Migrations), "link.dedicated", int64(*l.Dedicated))}
}

// arrivals returns the rate at which jobs come in a case, NaN where none is
// known, and the load. Of a curve it is the peak. The rate of the part link
// stands before that of the load.
func (p *premises) arrivals(c *planCase) (rate, load float64) {
	rate = math.NaN()
	switch {
	case p.Curve != nil:
		rate = p.Curve.Peak() * c.scale
		load = rate * c.service
	case p.Log != nil:
		rate, load = p.Log.ArrivalRate, p.Log.OfferedLoad
	case p.Traffic.Loaded():
		s := p.scenario(c)
		load = s.Offered()
		if s.Clock {
			rate = s.Rate
		}
	}
	if l := p.Link; l != nil && l.Rate != nil {
		rate = float64(*l.Rate)
	}
	return rate, load
}

// scheduleEpoch states the epoch, with the rate at which jobs lose all their
// replicas on each public type. A failure rate that is given needs no machines to
// follow from. A public type of unknown times is charged as the worst that is
// known.
func (p *premises) scheduleEpoch(c *mixes.Crossing) error {
	e := p.Epoch
	if err := p.epochQuestion().Check(); err != nil {
		return epochError(err)
	}
	c.Epoch = &mixes.CrossingEpoch{Migrations: float64(*e.Migrations), Time: float64(*e.MigrationTime),
		Length: float64(ask.Value(e.Length)), Model: e.Model.Model()}
	if e.FailureRate != nil {
		c.Epoch.Failures = float64(*e.FailureRate)
		return nil
	}
	if e.PublicJobs != nil {
		if err := ask.Positive("epoch.public_jobs", float64(*e.PublicJobs), "a number above 0"); err != nil {
			return err
		}
		c.Epoch.Jobs = float64(*e.PublicJobs)
	}
	worst, err := p.worstOutage()
	if err != nil {
		return err
	}
	for i := range p.types {
		if t := &p.types[i]; t.Kind == scenario.Public && t.MeanUp == nil {
			p.warn(fmt.Sprintf(
				"epoch: %s has no mttf and mttr: its jobs are assumed to lose all replicas as often as those on %s",
				t.Name, p.types[worst.at].Name,
			))
		}
	}
	return nil
}

// crossingTypes states the types at the figures of a case, with the rate at which a job on each loses
// all its replicas where the epoch follows from it. A link may say how many
// replicas cross it, whatever the machines take.
func (p *premises) crossingTypes(c *mixes.Crossing, types []worth.Machine, at *planCase) ([]mixes.CrossingType, error) {
	out := make([]mixes.CrossingType, len(types))
	worst := 0.0
	for i := range types {
		t := &types[i]
		out[i] = mixes.CrossingType{Public: t.Kind == scenario.Public, Replicas: t.Copies, Places: t.Holds}
		// Places are the jobs that one machine holds on average: it holds none
		// while it is away, and replicas share it.
		if t.Kind == scenario.Public {
			out[i].Places *= at.machines[i].Up() / t.Copies
		}
		if l := p.Link; l != nil && l.Replicas != nil {
			out[i].Replicas = float64(*l.Replicas)
		}
		if c.Epoch == nil || c.Epoch.Failures > 0 || t.Kind != scenario.Public || t.MeanUp == nil {
			continue
		}
		var err error
		if out[i].Outages, err = t.OutageRate(); err != nil {
			return nil, err
		}
		worst = math.Max(worst, out[i].Outages)
	}
	// The rates that are not known are those of the worst type, once all are
	// known.
	for i := range types {
		if types[i].MeanUp == nil {
			out[i].Outages = worst
		}
	}
	return out, nil
}

// stateLink states the link; bandwidths may be left out. The link is checked with
// one dedicated machine and one replica where the mix decides how many there are.
func (p *premises) stateLink(c *mixes.Crossing, delta *float64) error {
	l := p.Link
	one := int64(1)
	q := l.Question()
	q.Epoch, q.Dedicated = delta, &one
	q.Replicas = cmp.Or(q.Replicas, &one)
	if q.Epoch == nil {
		if c.Epoch == nil {
			return ask.Missing("link.epoch",
				"the scheduling epoch such as 2min, or the part epoch that it follows from")
		}
		// Any epoch does for the check of the others; the one of the mix takes
		// its place.
		q.Epoch = new(1.0) // that of the mix
	}
	if math.IsNaN(c.Rate) {
		return ask.Missing("link.rate", "the arrival rate such as 5/s: the load has none")
	}
	if l.Dedicated != nil {
		q.Dedicated, c.Dedicated = ask.Whole(l.Dedicated), ask.Figure(float64(*l.Dedicated))
	}
	params, err := q.Params()
	if err != nil {
		return ask.In("link", err)
	}
	c.Footprint = params.Footprint
	if l.Uplink != nil {
		c.Up, c.Down = float64(*l.Uplink), float64(*l.Downlink)
	}
	return nil
}

// percent writes a share as reasons and notes show it.
func percent(v float64) string { return units.FormatFraction(v, 3) }

// crossingError says what keeps a scenario from having a mix: the link, or that
// no epoch is stable. The cheapest mix without link and epoch shows what forbids
// it: no stable epoch, too many public machines, or a link that it overloads.
func (m *chosen) crossingError(ctx context.Context) error {
	crossing := m.mixing.Crossing
	free := &mixer{types: m.types, Choice: mixes.Choice{Model: m.mixing.Model}}
	s, err := free.Cheapest(ctx, m.items, m.need, 0, 0)
	if err != nil {
		return mixError(err, "")
	}
	x := crossing.By(m.mixing.Model).At(m.items, s.Counts)
	why := "the mix needs more public machines (because of at_least, or of limits on dedicated ones) than "
	if !x.Stable {
		best := crossing.Epoch
		return ask.Infeasiblef("epoch", 2/x.Failures-2*best.Time, x.Migrations*best.Time,
			"%sa stable epoch allows: the cheapest mix with a stable epoch has %s of its work on public machines, "+
				"its migrations need an epoch above %s (x T), the detection of failures one below %s (2/y − 2T)",
			why, percent(x.Share), ask.Time(x.Migrations*best.Time), ask.Time(2/x.Failures-2*best.Time))
	}
	if most := crossing.Public; most != nil && x.Carried {
		_, public := mixes.PublicWorth(m.items, s.Counts)
		return ask.Infeasiblef("max_public_share", *most, public,
			"%smax_public_share allows: the cheapest mix without that limit has %s of its worth on public machines, "+
				"and only %s is allowed",
			why, percent(public), percent(*most))
	}
	// Of the two directions the one that is fuller is named.
	direction, load, has := "uplink", x.Up, crossing.Up
	if x.Down/crossing.Down > x.Up/crossing.Up {
		direction, load, has = "downlink", x.Down, crossing.Down
	}
	return ask.Infeasiblef("link", has, load,
		"%sthe link carries: the cheapest mix that keeps to the link has %s of its work on public machines, and "+
			"offers the %s %s bit/s of %s",
		why, percent(x.Share), direction, ask.Digits(load), ask.Digits(has))
}
