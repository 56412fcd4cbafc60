package planner

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/internal/mixes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// linkQuestion puts together what the link is asked, with the given replicas,
// where there is no mix: in the worst case, when every job goes to public
// machines.
func (l *leading) linkQuestion(epoch *float64, replicas int64) (*survival.LinkQuestion, error) {
	q := l.Link.Question()
	q.Epoch, q.Explain = epoch, l.Explain
	if q.Replicas == nil {
		q.Replicas = &replicas
	}
	switch {
	case q.Epoch == nil:
		return nil, ask.Missing("link.epoch",
			"the scheduling epoch such as 2min, or the part epoch that it follows from")
	case l.Link.Rate != nil:
		q.Rate = float64(*l.Link.Rate)
	case l.load != nil && l.load.Rate != nil:
		q.Rate = *l.load.Rate
	case l.load != nil:
		return nil, ask.Missing("link.rate", "the arrival rate such as 5/s: the load has none")
	}
	return q, nil
}

// link answers for the mix, or for what the scenario gives, at the epoch of the
// scenario, else the one that was found; nil where no epoch is stable.
func (l *leading) link(ctx context.Context, found *survival.EpochAnswer,
	unscheduled string) (*survival.LinkAnswer, error) {
	if l.Link == nil || unscheduled != "" {
		return nil, nil
	}
	if x := l.crossed(); x != nil {
		return l.mixedLink(x)
	}
	// Without a mix all jobs go to public machines, with the replicas of the type
	// that takes the most.
	k := int64(1)
	for i := range l.types {
		if t := &l.types[i]; t.Kind == scenario.Public {
			k = max(k, int64(t.replicas))
		}
	}
	if l.Link.Replicas == nil && len(l.types) == 0 {
		return nil, ask.Missing("link.replicas", "the number of replicas of a job such as 2, or public machines")
	}
	epoch := l.delta
	if epoch == nil && found != nil {
		epoch = &found.Epoch
	}
	q, err := l.linkQuestion(epoch, k)
	if err != nil {
		return nil, err
	}
	a, err := survival.Link(ctx, q)
	return a, ask.In("link", err)
}

// mixedLink answers for what the mix puts on the link. The loads are told without
// a link's bandwidth too, and what it can bear only with it.
func (l *leading) mixedLink(x *mixes.Crossed) (*survival.LinkAnswer, error) {
	c := l.crossing
	s := c.Link(x)
	a := &survival.LinkAnswer{
		Footprint:   c.Footprint / 8,
		Replicas:    int64(math.Ceil(x.Copies - 1e-9)),
		Dedicated:   new(int64(x.Dedicated)),
		Epoch:       ask.Figure(x.Epoch),
		Rate:        s.ArrivalRate,
		PublicShare: ask.Figure(x.Share),
		Places:      ask.Figure(x.Places),
		Copies:      ask.Figure(x.Copies),
	}
	if x.Share == 0 {
		a.Warnings = append(a.Warnings, "the mix has no public machines: nothing crosses the link")
	}
	if has := l.dedicated(); l.Link.Dedicated != nil && int64(*l.Link.Dedicated) != has {
		a.Warnings = append(a.Warnings,
			fmt.Sprintf("link.dedicated is %d and the mix has %d dedicated machines: the link is charged for the %d",
				*l.Link.Dedicated, has, *l.Link.Dedicated))
	}
	given := c.Up > 0
	// SharedLink wants bandwidths. Any will do where only loads are taken from
	// its answer.
	if !given { // loads alone are asked for
		s.Uplink, s.Downlink = 1, 1
	}
	limits, err := reliability.SharedLink(s)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a.Swaps, a.MinUplink, a.MinDownlink =
		ask.Figure(limits.Swaps), ask.Figure(limits.UplinkLoad), ask.Figure(limits.DownlinkLoad)
	if given {
		a.Uplink, a.Downlink = ask.Figure(c.Up), ask.Figure(c.Down)
		a.UplinkUtilization, a.DownlinkUtilization =
			ask.Figure(limits.UplinkLoad/c.Up), ask.Figure(limits.DownlinkLoad/c.Down)
		binding := string(limits.Binding)
		a.Binding, a.MaxArrivalRate, a.MinEpoch =
			&binding, ask.Figure(limits.MaxArrivalRate), ask.Figure(limits.MinEpoch)
		limitDedicated(a, x, &limits, &s)
	}
	if l.Explain {
		explainShared(a, &s, l.mix.mixing.Model != nil)
	}
	if x.Carried {
		return a, nil
	}
	return a, overload(a, x)
}

// limitDedicated says how many dedicated machines the link serves. Beyond as many as
// public machines hold jobs more of them swap nothing more.
func limitDedicated(a *survival.LinkAnswer, x *mixes.Crossed, limits *reliability.SharedLinkLimits,
	s *reliability.SharedLinkParams) {
	limit := func(servers float64) *float64 {
		if servers > x.Places {
			return nil
		}
		return ask.Figure(servers)
	}
	// From λ_b = km·sλ + km·x/δ solved for x at the bandwidth.
	a.MaxDedicatedUplink = limit(s.Epoch * (s.Uplink/(s.Copies*s.Footprint) - s.Share*s.ArrivalRate))
	a.MaxDedicatedDownlink = limit(s.Epoch * s.Downlink / s.Footprint)
	if most := limit(limits.MaxSwaps); most != nil && *most < math.MaxInt64/2 {
		a.MaxDedicated = new(int64(math.Max(math.Ceil(*most*(1-1e-15))-1, 0)))
	}
}

// overload is the error of a mix that the scenario forces on the link. The
// direction with the greater utilization is named.
func overload(a *survival.LinkAnswer, x *mixes.Crossed) error {
	if *a.DownlinkUtilization >= 1 && *a.DownlinkUtilization > *a.UplinkUtilization {
		return &ask.InfeasibleError{
			Constraint: "downlink",
			Limit:      *a.Downlink,
			Infimum:    x.Down,
			Reason: fmt.Sprintf("the downlink is offered %s and carries %s",
				units.FormatBandwidth(x.Down, 5), units.FormatBandwidth(*a.Downlink, 5)),
		}
	}
	return &ask.InfeasibleError{
		Constraint: "uplink",
		Limit:      *a.Uplink,
		Infimum:    x.Up,
		Reason: fmt.Sprintf("the uplink is offered %s and carries %s",
			units.FormatBandwidth(x.Up, 5), units.FormatBandwidth(*a.Uplink, 5)),
	}
}

// explainShared shows what the mix puts on the link. Its source is PCU section
// 4.6 with the share s of the jobs in place of all of them.
func explainShared(a *survival.LinkAnswer, s *reliability.SharedLinkParams, queued bool) {
	sharing := "jobs are spread as the machines are worth: the share s of the work is the share of the jobs"
	if queued {
		sharing = "an arrival takes an idle place at random: s is the share of the served jobs by the queue of the mix; " +
			"lost jobs are charged as if they were served"
	}
	e := &ask.Explanation{Model: "the share of the jobs that the mix serves on public machines goes to k of them each; every epoch dedicated machines swap jobs with public ones"}
	k, m, d := ask.Digits(s.Copies), ask.Digits(s.Footprint), ask.Digits(s.Epoch)
	e.Step("swaps in an epoch", "x = min(N_d, P)",
		fmt.Sprintf("min(%s, %s) = %s", ask.Digits(s.Dedicated), ask.Digits(s.Places), ask.Digits(*a.Swaps)),
		"PCU section 4.6 has N_d; a swap needs a job on either side")
	e.Step("uplink", "λ_b = km·sλ + km·x/δ", fmt.Sprintf("%s·%s bit·(%s·%s per s + %s/%s s) = %s bit/s", k, m,
		ask.Digits(s.Share), ask.Digits(s.ArrivalRate), ask.Digits(*a.Swaps), d,
		ask.Digits(*a.MinUplink)), "PCU section 4.6 with the share s of the jobs that go to public machines")
	e.Step("downlink", "m·x/δ",
		fmt.Sprintf("%s bit·%s/%s s = %s bit/s", m, ask.Digits(*a.Swaps), d, ask.Digits(*a.MinDownlink)),
		"PCU section 4.6")
	if a.MaxArrivalRate != nil {
		e.Step("arrival rate", "λ < (B_up/(km) − x/δ)/s",
			ask.Digits(*a.MaxArrivalRate)+" per s", "the first solved for λ")
	}
	e.Assumptions = []string{
		sharing,
		"the worst case of what is left: every dedicated machine swaps its job each epoch as long as public machines hold one; protocol overhead is left out",
	}
	a.Explanation = e
}
