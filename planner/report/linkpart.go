package report

import (
	"fmt"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/units"
)

func linkSection(_ *planner.PlanQuestion, a *planner.PlanAnswer) (*Section, error) {
	l := a.Link
	if l == nil {
		return nil, nil
	}
	s := &Section{ID: "link", Title: "What does the link allow?", Explanation: l.Explanation, Notes: append([]string{}, l.Warnings...)}
	s.Lead = linkLead(l)
	if l.PublicShare != nil {
		s.row("jobs over the link", fraction(*l.PublicShare), "what the mix serves on public machines")
		s.row("swaps in an epoch", optional(l.Swaps, func(v float64) string { return number(v, 5) }), "at most: one for each dedicated machine and each job on public ones")
	}
	s.row("dedicated, by the uplink", optional(l.MaxDedicatedUplink, func(v float64) string { return "fewer than " + number(v, 6) }))
	s.row("dedicated, by the downlink", optional(l.MaxDedicatedDownlink, func(v float64) string { return "fewer than " + number(v, 6) }))
	worst := "in the worst case"
	if l.PublicShare != nil {
		worst = "with every swap made"
	}
	s.row("uplink used", optionalFraction(l.UplinkUtilization), worst)
	s.row("downlink used", optionalFraction(l.DownlinkUtilization))
	if l.MinEpoch != nil && *l.MinEpoch > 0 {
		s.row("epoch", "longer than "+duration(*l.MinEpoch))
	}
	if l.PublicShare == nil || *l.PublicShare > 0 {
		s.row("replicas of a job", count(l.Replicas))
	}
	if l.Uplink == nil || l.PublicShare != nil && *l.PublicShare == 0 || l.Epoch == nil {
		return s, nil
	}
	v, err := l.Drawn()
	if err != nil {
		return nil, err
	}
	zero := 0.0
	jobs := plural(l.Replicas, "replica", "replicas")
	if l.PublicShare != nil {
		jobs += ", " + fraction(*l.PublicShare) + " of the jobs"
	}
	c := chart.Chart{
		Title: "What the link takes",
		Subtitle: units.FormatBandwidth(*l.Uplink, 4) + " up, " + units.FormatBandwidth(*l.Downlink, 4) + " down, " +
			units.FormatSize(l.Footprint, 4) + " a job, " + jobs + ", epoch " + duration(*l.Epoch),
		XLabel: "dedicated machines",
		YLabel: "greatest arrival rate (per s)",
		YMin:   &zero,
		Series: []chart.Series{{Name: "greatest arrival rate", X: v.Dedicated, Y: v.Rate, Style: chart.Line}},
	}
	if l.Rate > 0 {
		c.HLines = []chart.Rule{{Value: l.Rate, Label: "arrival rate"}}
	}
	if l.MaxArrivalRate != nil && *l.MaxArrivalRate > 0 {
		c.Marks = []chart.Mark{{X: float64(*l.Dedicated), Y: *l.MaxArrivalRate, Label: rate(*l.MaxArrivalRate)}}
	}
	caption := "Below the line the uplink carries every arriving job and every swap."
	if l.PublicShare != nil {
		caption = "Below the line the uplink carries the share of the jobs that goes to public machines and every swap."
	}
	s.figure("link", caption, c)
	return s, nil
}

// linkLead is the answer about the link in one sentence.
func linkLead(l *survival.LinkAnswer) string {
	machines := func(n int64) string { return plural(n, "dedicated machine", "dedicated machines") }
	switch {
	case l.PublicShare != nil && *l.PublicShare == 0:
		return "Nothing crosses it: the mix has no public machines."
	case l.MaxArrivalRate != nil && l.PublicShare != nil:
		return fmt.Sprintf("Fewer than %s arriving, with %s and %s of the jobs on public machines.",
			rate(*l.MaxArrivalRate), machines(*l.Dedicated), fraction(*l.PublicShare))
	case l.MaxArrivalRate != nil:
		return fmt.Sprintf("Fewer than %s arriving, with %s.", rate(*l.MaxArrivalRate), machines(*l.Dedicated))
	case l.MaxDedicated != nil:
		return fmt.Sprintf("At most %s (%s binds).", machines(*l.MaxDedicated), *l.Binding)
	default:
		return fmt.Sprintf("It takes more than %s up and %s down.", units.FormatBandwidth(*l.MinUplink, 4), units.FormatBandwidth(*l.MinDownlink, 4))
	}
}
