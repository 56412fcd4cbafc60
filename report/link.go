package report

import (
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

// Link says what the bottleneck link allows.
func Link(a *survival.LinkAnswer) *Section {
	s := &Section{
		ID:       "link",
		Title:    "What does the link allow?",
		Notes:    a.Warnings,
		Formulas: a.Explanation,
	}
	ofMix := a.PublicShare != nil // the rest is the worst case, all jobs on public machines
	switch {
	case ofMix && *a.PublicShare == 0:
		s.Say("nothing crosses it: the mix has no public machines")
		return s
	case a.MaxArrivalRate != nil && ofMix:
		s.Say("fewer than %s jobs arriving, with %s and %s of the jobs on public machines",
			rate(*a.MaxArrivalRate, 5), Plural(*a.Dedicated, "dedicated server"), fraction(*a.PublicShare, 3))
	case a.MaxArrivalRate != nil:
		s.Say("fewer than %s jobs arriving, with %s (%s binds servers and epoch)",
			rate(*a.MaxArrivalRate, 5), Plural(*a.Dedicated, "dedicated server"), *a.Binding)
	case a.MaxDedicated != nil:
		s.Say("at most %s (%s binds)", Plural(*a.MaxDedicated, "dedicated server"), *a.Binding)
	default:
		s.Say("more than %s up and %s down", bandwidth(*a.MinUplink, 5), bandwidth(*a.MinDownlink, 5))
	}
	if ofMix {
		s.Fact("jobs over the link", fraction(*a.PublicShare, 3), "what the mix serves on public machines")
		s.Fact("swaps in an epoch", maybe(a.Swaps, number, 5), "at most: one for each dedicated machine and each job on public ones")
	}
	s.Fact("servers, by the uplink", sized("< ", maybe(a.MaxDedicatedUplink, number, 7), ""))
	s.Fact("servers, by the downlink", sized("< ", maybe(a.MaxDedicatedDownlink, number, 7), ""))
	if a.MinEpoch != nil && *a.MinEpoch > 0 {
		s.Fact("epoch", "> "+duration(*a.MinEpoch, 4), "for these servers")
	}
	s.Fact("uplink used", maybe(a.UplinkUtilization, fraction, 3))
	s.Fact("downlink used", maybe(a.DownlinkUtilization, fraction, 3))
	if a.MinUplink != nil && a.Uplink != nil {
		s.Fact("uplink needed", "> "+bandwidth(*a.MinUplink, 5))
		s.Fact("downlink needed", "> "+bandwidth(*a.MinDownlink, 5))
	}
	if ofMix {
		s.Fact("replicas of a job", count(a.Replicas))
	}
	s.Plots(a, "Below the line the uplink carries every arriving job and every swap.")
	return s
}

func bandwidth(v float64, digits int) string { return units.FormatBandwidth(v, digits) }
