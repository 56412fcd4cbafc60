package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// schedule settles what is known of epoch and link before a mix is chosen, and
// states both for the choice.
func (p *planning) schedule() error {
	l, e := p.Link, p.Epoch
	if l != nil && l.Epoch != nil {
		p.delta = number(l.Epoch)
	}
	if e != nil && e.Length != nil {
		if err := ask.Positive("epoch.length", float64(*e.Length), "a time above 0 such as 2min"); err != nil {
			return err
		}
		if p.delta == nil {
			p.delta = number(e.Length)
		}
	}
	if err := p.checkSwaps(); err != nil {
		return err
	}
	public := false
	for i := range p.types {
		public = public || p.types[i].Kind == Public
	}
	share := p.objectives.MaxPublicShare
	if !public || !p.sizable() || l == nil && !p.scheduled() && share == nil {
		return nil
	}
	c := &crossing{}
	if share != nil {
		c.public = ask.Figure(float64(*share))
	}
	c.rate, c.load = p.arrivals(p.nominalCase())
	if p.delta != nil {
		c.delta = *p.delta
	}
	if p.scheduled() {
		if err := p.scheduleEpoch(c); err != nil {
			return err
		}
	}
	if l != nil {
		if err := p.stateLink(c); err != nil {
			return err
		}
	}
	var err error
	c.types, err = p.crossingTypes(c, p.types)
	p.crossing = c
	return err
}

// scheduled reports whether the part epoch says how jobs move, not only how
// often.
func (p *planning) scheduled() bool {
	e := p.Epoch
	return e != nil && (e.Length == nil || e.Migrations != nil || e.MigrationTime != nil)
}

// checkSwaps refuses more migrations in an epoch than there are dedicated
// machines to begin them, where their number is given.
func (p *planning) checkSwaps() error {
	e, l := p.Epoch, p.Link
	if e == nil || l == nil || e.Migrations == nil || l.Dedicated == nil ||
		float64(*e.Migrations) <= float64(*l.Dedicated) {
		return nil
	}
	return &ask.InputError{Field: "epoch.migrations",
		Reason: survival.TooManySwaps(float64(*e.Migrations), "link.dedicated", int64(*l.Dedicated))}
}

// arrivals returns the rate at which jobs come in a case, NaN where none is
// known, and the load.
func (p *planning) arrivals(c *planCase) (rate, load float64) {
	rate = math.NaN()
	switch {
	case p.Curve != nil:
		rate = p.Curve.Peak() * c.scale
		load = rate * c.service
	case p.Log != nil:
		rate, load = p.Log.ArrivalRate, p.Log.OfferedLoad
	case p.loaded():
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

// forCase returns the crossing of another case of the load. Replicas, places
// and what is given of the epoch stay those of the most likely figures.
func (c *crossing) forCase(rate, load float64) *crossing {
	if c == nil {
		return nil
	}
	out := *c
	out.rate, out.load = rate, load
	return &out
}

// scheduleEpoch states the epoch, with the rate at which jobs lose all their
// replicas on each public type.
func (p *planning) scheduleEpoch(c *crossing) error {
	e := p.Epoch
	if err := p.epochQuestion().Check(); err != nil {
		return epochError(err)
	}
	c.epoch = &crossingEpoch{migrations: float64(*e.Migrations), time: float64(*e.MigrationTime),
		model: e.Model.Model()}
	if e.Length != nil {
		c.epoch.length = float64(*e.Length)
	}
	if e.FailureRate != nil {
		c.epoch.failures = float64(*e.FailureRate)
		return nil
	}
	if e.PublicJobs != nil {
		if err := ask.Positive("epoch.public_jobs", float64(*e.PublicJobs), "a number above 0"); err != nil {
			return err
		}
		c.epoch.jobs = float64(*e.PublicJobs)
	}
	worst, err := p.worstOutage()
	if err != nil {
		return err
	}
	for i := range p.types {
		if t := &p.types[i]; t.Kind == Public && t.mttf == nil {
			p.a.Warnings = append(p.a.Warnings, fmt.Sprintf(
				"epoch: %s has no mttf and mttr: its jobs are taken to lose all replicas as often as those on %s",
				t.Name, p.types[worst.at].Name,
			))
		}
	}
	return nil
}

// crossingTypes states the types, with the rate at which a job on each loses
// all its replicas where the epoch follows from it.
func (p *planning) crossingTypes(c *crossing, types []machine) ([]crossingType, error) {
	out := make([]crossingType, len(types))
	worst := 0.0
	for i := range types {
		t := &types[i]
		out[i] = crossingType{public: t.Kind == Public, replicas: t.replicas, places: t.slots}
		if t.Kind == Public {
			out[i].places *= t.availability(t.nominal()) / t.replicas
		}
		if l := p.Link; l != nil && l.Replicas != nil {
			out[i].replicas = float64(*l.Replicas)
		}
		if c.epoch == nil || c.epoch.failures > 0 || t.Kind != Public || t.mttf == nil {
			continue
		}
		var err error
		if out[i].outages, err = t.outageRate(); err != nil {
			return nil, err
		}
		worst = math.Max(worst, out[i].outages)
	}
	for i := range types {
		if types[i].mttf == nil {
			out[i].outages = worst
		}
	}
	return out, nil
}

// outageRate is the rate at which a job on the type loses all its replicas.
func (t *machine) outageRate() (float64, error) {
	down, err := reliability.AllDown(reliability.Component{MTTF: *t.mttf, MTTR: *t.mttr}, int(t.replicas))
	if err != nil {
		return 0, ask.FromReliability(err)
	}
	return down.OutageRate, nil
}

// stateLink states the link; bandwidths may be left out.
func (p *planning) stateLink(c *crossing) error {
	l := p.Link
	one := int64(1)
	q := l.question()
	q.Epoch, q.Dedicated = p.delta, &one
	if q.Replicas == nil {
		q.Replicas = &one
	}
	if q.Epoch == nil {
		if c.epoch == nil {
			return ask.Missing("link.epoch",
				"the scheduling epoch such as 2min, or the part epoch that it follows from")
		}
		q.Epoch = new(1.0) // that of the mix
	}
	if math.IsNaN(c.rate) {
		return ask.Missing("link.rate", "the arrival rate such as 5/s: the load has none")
	}
	if l.Dedicated != nil {
		q.Dedicated, c.dedicated = whole(l.Dedicated), ask.Figure(float64(*l.Dedicated))
	}
	params, err := q.Params()
	if err != nil {
		return ask.In("link", err)
	}
	c.footprint = params.Footprint
	if l.Uplink != nil {
		c.up, c.down = float64(*l.Uplink), float64(*l.Downlink)
	}
	return nil
}

// crossed returns what the mix that leads comes to; nil without one, or where
// nothing is asked of link and epoch.
func (p *planning) crossed() *crossed {
	if p.a.Mix == nil || p.crossing == nil {
		return nil
	}
	items, err := p.mixing.items(p.nominalCase())
	if err != nil {
		return nil // the mix was chosen by them
	}
	x := p.crossing.by(p.mixing.figure).at(items, p.leading())
	return &x
}

func percent(v float64) string { return units.FormatFraction(v, 3) }

// crossingError says what keeps a scenario from having a mix: the link, or that
// no epoch is stable.
func (p *planning) crossingError(ctx context.Context, c *planCase, need float64) error {
	items, err := p.mixing.items(c)
	if err != nil {
		return err
	}
	free := &mixer{types: p.types, figure: p.mixing.figure}
	s, err := free.cheapest(ctx, items, need, 0, 0)
	if err != nil {
		return p.mixError(err, "")
	}
	x := p.crossing.by(p.mixing.figure).at(items, s.Counts)
	why := "the mix needs more public machines (by at_least, or because dedicated ones have limits) than "
	if !x.stable {
		best := p.crossing.epoch
		return &ask.InfeasibleError{
			Constraint: "epoch",
			Limit:      2/x.failures - 2*best.time,
			Infimum:    x.migrations * best.time,

			Reason: fmt.Sprintf("%sa stable epoch allows: the cheapest mix that does has %s of its work on public machines, its migrations need an epoch above %s s (x T), the detection of failures one below %s s (2/y − 2T)",
				why, percent(x.share), ask.Digits(x.migrations*best.time), ask.Digits(2/x.failures-2*best.time)),
		}
	}
	if most := p.crossing.public; most != nil && x.carried {
		_, public := publicWorth(p.types, items, s.Counts)
		return &ask.InfeasibleError{
			Constraint: "max_public_share",
			Limit:      *most,
			Infimum:    public,
			Reason: fmt.Sprintf("%smax_public_share allows: of what the cheapest mix without it is worth %s is public, and at most %s may be",
				why, percent(public), percent(*most)),
		}
	}
	direction, load, has := "uplink", x.up, p.crossing.up
	if x.down/p.crossing.down > x.up/p.crossing.up {
		direction, load, has = "downlink", x.down, p.crossing.down
	}
	return &ask.InfeasibleError{
		Constraint: "link",
		Limit:      has,
		Infimum:    load,

		Reason: fmt.Sprintf(
			"%sthe link carries: the cheapest mix that does has %s of its work on public machines, and offers the %s %s bit/s of %s",
			why, percent(x.share), direction, ask.Digits(load), ask.Digits(has),
		),
	}
}
