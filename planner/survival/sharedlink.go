package survival

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// SharedLink says what a mix of dedicated and public machines puts on the link between them, and
// what the link allows. Bandwidths of 0 are not given: then only the loads are. With queued, the
// share of the public machines is that of the queue of the mix, which the explanation names.
// Errors: *ask.InputError; *ask.InfeasibleError, beside the answer, if the link is offered more
// than it carries.
func SharedLink(s reliability.SharedLinkParams, queued, explain bool) (*LinkAnswer, error) {
	a := &LinkAnswer{
		Footprint:   s.Footprint / 8,
		Replicas:    int64(math.Ceil(s.Copies - 1e-9)),
		Dedicated:   new(int64(s.Dedicated)),
		Epoch:       ask.Figure(s.Epoch),
		Rate:        s.ArrivalRate,
		PublicShare: ask.Figure(s.Share),
		Places:      ask.Figure(s.Places),
		Copies:      ask.Figure(s.Copies),
	}
	given := s.Uplink > 0
	// The model wants bandwidths. Any will do where only loads are taken from its answer.
	if !given {
		s.Uplink, s.Downlink = 1, 1
	}
	limits, err := reliability.SharedLink(s)
	if err != nil {
		return nil, ask.FromReliability(err)
	}
	a.Swaps, a.MinUplink, a.MinDownlink =
		ask.Figure(limits.Swaps), ask.Figure(limits.UplinkLoad), ask.Figure(limits.DownlinkLoad)
	if given {
		a.Uplink, a.Downlink = ask.Figure(s.Uplink), ask.Figure(s.Downlink)
		a.UplinkUtilization, a.DownlinkUtilization =
			ask.Figure(limits.UplinkLoad/s.Uplink), ask.Figure(limits.DownlinkLoad/s.Downlink)
		a.Binding, a.MaxArrivalRate, a.MinEpoch =
			new(string(limits.Binding)), ask.Figure(limits.MaxArrivalRate), ask.Figure(limits.MinEpoch)
		limitDedicated(a, &limits, &s)
	}
	if explain {
		explainShared(a, &s, queued)
	}
	// Full but for the rounding of the loads is full.
	const full = 1 - 1e-13
	if given && (limits.UplinkLoad >= s.Uplink*full || limits.DownlinkLoad >= s.Downlink*full) {
		return a, overload(a)
	}
	return a, nil
}

// limitDedicated says how many dedicated machines the link serves. Beyond as many as
// public machines hold jobs more of them swap nothing more.
func limitDedicated(a *LinkAnswer, limits *reliability.SharedLinkLimits, s *reliability.SharedLinkParams) {
	limit := func(servers float64) *float64 {
		if servers > s.Places {
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

// overload is the error of a link that is offered more than it carries. The direction with
// the greater utilization is named.
func overload(a *LinkAnswer) error {
	if *a.DownlinkUtilization >= 1 && *a.DownlinkUtilization > *a.UplinkUtilization {
		return ask.Infeasiblef("downlink", *a.Downlink, *a.MinDownlink, "the downlink is offered %s and carries %s",
			units.FormatBandwidth(*a.MinDownlink, 5), units.FormatBandwidth(*a.Downlink, 5))
	}
	return ask.Infeasiblef("uplink", *a.Uplink, *a.MinUplink, "the uplink is offered %s and carries %s",
		units.FormatBandwidth(*a.MinUplink, 5), units.FormatBandwidth(*a.Uplink, 5))
}

// explainShared shows what the mix puts on the link. Its source is PCU section
// 4.6 with the share s of the jobs in place of all of them.
func explainShared(a *LinkAnswer, s *reliability.SharedLinkParams, queued bool) {
	sharing := "jobs are spread in proportion to the worth of machines: the share s of the work is the share of the " +
		"jobs"
	if queued {
		sharing = "an arrival takes an idle place at random: s is the share of the served jobs by the queue " +
			"of the mix; lost jobs are charged as if they were served"
	}
	e := &ask.Explanation{Model: "the share of the jobs that the mix serves on public machines goes to k of them " +
		"each; every epoch dedicated machines swap jobs with public ones"}
	k, m, d := ask.Digits(s.Copies), ask.Digits(s.Footprint), ask.Digits(s.Epoch)
	e.Step("swaps in an epoch", "x = min(N_d, P)", ask.Sprintf("min(%v, %v) = %v", s.Dedicated, s.Places, *a.Swaps),
		"PCU section 4.6 has N_d; a swap needs a job on either side")
	e.Step("uplink", "λ_b = km·sλ + km·x/δ",
		ask.Sprintf("%s·%s bit·(%v·%v per s + %v/%s s) = %v bit/s", k, m, s.Share, s.ArrivalRate, *a.Swaps, d,
			*a.MinUplink), "PCU section 4.6 with the share s of the jobs that go to public machines")
	e.Step("downlink", "m·x/δ", ask.Sprintf("%s bit·%v/%s s = %v bit/s", m, *a.Swaps, d, *a.MinDownlink),
		"PCU section 4.6")
	if a.MaxArrivalRate != nil {
		e.Step("arrival rate", "λ < (B_up/(km) − x/δ)/s",
			ask.Digits(*a.MaxArrivalRate)+" per s", "the first solved for λ")
	}
	e.Assumptions = []string{
		sharing,
		"the worst case: every dedicated machine swaps its job each epoch as long as public machines hold one; " +
			"protocol overhead is left out",
	}
	a.Explanation = e
}
