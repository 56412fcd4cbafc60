package survival

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/reliability"
	"github.com/capplan/capplan/units"
)

// A LinkQuestion asks what the link between a dedicated cluster and public
// resources allows. Without a bandwidth it asks for the least link, without a
// number of dedicated servers for the greatest cluster. It is that of PCU section
// 4.6: every arriving job goes to k public resources over the uplink, and each
// epoch every dedicated server swaps its job.
type LinkQuestion struct {
	Uplink *float64 `json:"uplink_bps,omitempty"` // towards the public resources
	// Downlink is towards the cluster; both directions are given, or neither.
	Downlink  *float64 `json:"downlink_bps,omitempty"`
	Footprint *float64 `json:"footprint_bytes"` // data moved per job
	// Replicas are the public resources that a job goes to, 1 or more.
	Replicas *int64 `json:"replicas"`
	// Dedicated are the servers of the cluster; nil asks for the most.
	Dedicated *int64 `json:"dedicated_servers,omitempty" as:"dedicated"`
	// Epoch is the time between two swaps of a server's job.
	Epoch *float64 `json:"epoch_s"`
	// Rate is that of arriving jobs.
	Rate    float64 `json:"arrival_rate_per_s,omitempty" as:"rate"`
	Explain bool    `json:"explain,omitempty"`
}

// A LinkAnswer holds the limits. Each is strict, since at the limit itself the link
// is full: rates and servers must stay below, epochs and bandwidths above. Limits
// that need what was not given are null.
type LinkAnswer struct {
	// MaxArrivalRate, MinEpoch and the utilizations need both the link and the
	// servers.
	MaxArrivalRate       *float64 `json:"max_arrival_rate_per_s"`
	MaxDedicatedUplink   *float64 `json:"max_dedicated_uplink"`
	MaxDedicatedDownlink *float64 `json:"max_dedicated_downlink"`
	MaxDedicated         *int64   `json:"max_dedicated_servers"` // greatest whole number below both
	MinEpoch             *float64 `json:"min_epoch_s"`
	Binding              *string  `json:"binding"` // which of the two directions limits servers and epoch
	// MinUplink and MinDownlink are what the servers need.
	MinUplink           *float64 `json:"min_uplink_bps"`
	MinDownlink         *float64 `json:"min_downlink_bps"`
	UplinkUtilization   *float64 `json:"uplink_utilization"`
	DownlinkUtilization *float64 `json:"downlink_utilization"`
	Uplink              *float64 `json:"uplink_bps"`
	Downlink            *float64 `json:"downlink_bps"`
	// What follows repeats the question.
	Footprint float64  `json:"footprint_bytes"`
	Replicas  int64    `json:"replicas"`
	Dedicated *int64   `json:"dedicated_servers"`
	Epoch     *float64 `json:"epoch_s"` // null: jobs are never swapped
	Rate      float64  `json:"arrival_rate_per_s"`
	// Of a mix: the share of the served jobs that public machines take, the jobs that
	// they hold at a time, the mean replicas of one, and the jobs that are
	// swapped in an epoch. Null where the worst case is asked for, all jobs
	// on public machines and a swap for each dedicated server.
	PublicShare *float64 `json:"public_share,omitempty"`
	Places      *float64 `json:"public_places,omitempty"`
	Copies      *float64 `json:"copies_per_public_job,omitempty"`
	Swaps       *float64 `json:"swaps_per_epoch,omitempty"`

	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// Link answers a LinkQuestion. Errors: *ask.InputError; *ask.InfeasibleError where
// the link cannot carry the cluster, with the direction, the load and what
// would do.
func Link(_ context.Context, q *LinkQuestion) (*LinkAnswer, error) {
	p, err := q.Params()
	if err != nil {
		return nil, err
	}
	a := &LinkAnswer{
		Uplink:    q.Uplink,
		Downlink:  q.Downlink,
		Footprint: *q.Footprint,
		Replicas:  *q.Replicas,
		Dedicated: q.Dedicated,
		Epoch:     q.Epoch,
		Rate:      q.Rate,
	}
	// What the cluster needs and what the link allows are two questions, and both are answered
	// where both are given.
	if q.Dedicated != nil {
		least, err := reliability.LeastLink(p)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		a.MinUplink, a.MinDownlink = ask.Figure(least.Uplink), ask.Figure(least.Downlink)
	}
	if q.Uplink != nil {
		limits, err := reliability.Link(p)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		cluster, err := reliability.MaxCluster(p)
		if err != nil {
			return nil, ask.FromReliability(err)
		}
		most := int64(cluster.Servers)
		a.MaxDedicated, a.Binding = &most, new(string(cluster.Direction))
		a.MaxDedicatedUplink, a.MaxDedicatedDownlink =
			ask.Figure(limits.MaxDedicatedUplink), ask.Figure(limits.MaxDedicatedDownlink)
		if q.Dedicated != nil {
			a.MaxArrivalRate, a.MinEpoch = ask.Figure(limits.MaxArrivalRate), ask.Figure(limits.MinEpoch)
			a.UplinkUtilization, a.DownlinkUtilization =
				ask.Figure(limits.UplinkUtilization), ask.Figure(limits.DownlinkUtilization)
		}
	}
	if q.Explain {
		a.explain(p)
	}
	return a, nil
}

// Params checks the question and turns it into bits and seconds.
func (q *LinkQuestion) Params() (p reliability.LinkParams, err error) {
	if q == nil {
		return p, ask.NoQuestion()
	}
	switch {
	case q.Footprint == nil:
		return p, ask.Missing("footprint", "the data moved per job such as 1MB")
	case q.Replicas == nil:
		return p, ask.Missing("replicas", "the number of replicas of a job such as 2")
	case q.Epoch == nil:
		return p, ask.Missing("epoch", "the scheduling epoch such as 2min")
	case (q.Uplink == nil) != (q.Downlink == nil):
		field := "uplink"
		if q.Downlink == nil {
			field = "downlink"
		}
		return p, ask.Missing(field, "both bandwidths such as 100Mbps, or neither to ask for the smallest link")
	case q.Uplink == nil && q.Dedicated == nil:
		return p, ask.Missing("uplink",
			"uplink and downlink such as 100Mbps (what does the link allow?), or dedicated (what link does the "+
				"cluster need?)")
	case *q.Replicas < 1 || *q.Replicas > 1e9:
		return p, ask.Inputf("replicas", "is %d, want 1 to 1e9 replicas", *q.Replicas)
	case q.Dedicated != nil && (*q.Dedicated < 0 || *q.Dedicated > 1e12):
		return p, ask.Inputf("dedicated", "is %d, want 0 to 1e12 servers", *q.Dedicated)
	}
	for _, f := range []struct {
		name string
		v    *float64
		want string
	}{
		{"footprint", q.Footprint, "a size above 0"}, {"epoch", q.Epoch, "a duration above 0"},
		{"uplink", q.Uplink, "a bandwidth above 0"}, {"downlink", q.Downlink, "a bandwidth above 0"},
	} {
		if f.v == nil {
			continue
		}
		if err := ask.Positive(f.name, *f.v, f.want); err != nil {
			return p, err
		}
	}
	// A link without bandwidths gets 1 bit/s each way, which the least link does
	// not look at.
	p = reliability.LinkParams{
		Uplink:   1,
		Downlink: 1,
		// Sizes are in bytes and bandwidths in bits a second.
		Footprint:   8 * *q.Footprint,
		Replicas:    int(*q.Replicas),
		Epoch:       *q.Epoch,
		ArrivalRate: q.Rate,
	}
	if q.Uplink != nil {
		p.Uplink, p.Downlink = *q.Uplink, *q.Downlink
	}
	p.Dedicated = float64(ask.Value(q.Dedicated))
	return p, nil
}

// explain shows the formulas.
func (a *LinkAnswer) explain(p reliability.LinkParams) {
	e := &ask.Explanation{Model: "every arriving job goes to k public resources, every dedicated server swaps its " +
		"job each epoch"}
	k, m, d := ask.Digits(float64(p.Replicas)), ask.Digits(p.Footprint), ask.Digits(p.Epoch)
	if a.Uplink != nil {
		if a.MaxArrivalRate != nil {
			e.Step("arrival rate", "λ < B_up/(km) − N_d/δ",
				ask.Sprintf("%v/(%s·%s bit) − %v/%s s = %v per s", p.Uplink, k, m, p.Dedicated, d, *a.MaxArrivalRate),
				"PCU section 4.6")
		}
		e.Step("servers by the uplink", "N_d < δ(B_up/(km) − λ)",
			ask.Sprintf("%s s·(%v/(%s·%s bit) − %v per s) = %v", d, p.Uplink, k, m, p.ArrivalRate,
				*a.MaxDedicatedUplink), "PCU section 4.6")
		e.Step("servers by the downlink", "N_d < δ B_down/m",
			ask.Sprintf("%s s·%v/%s bit = %v", d, p.Downlink, m, *a.MaxDedicatedDownlink),
			"PCU section 4.6 prints m δ B_down; the dimensions require this")
	}
	if a.MinUplink != nil {
		e.Step("least link", "B_up > km(λ + N_d/δ), B_down > mN_d/δ",
			ask.Sprintf("%v and %v bit/s", *a.MinUplink, *a.MinDownlink), "PCU section 4.6")
	}
	e.Assumptions = []string{"the worst case: no job finishes within the epoch on the machine where it began; " +
		"protocol overhead is left out"}
	a.Explanation = e
}

// Plots returns the greatest arrival rate that the link takes against the
// dedicated servers: that of the worst case, or at the public share and the
// places of a mix, where more servers than places swap nothing more.
func (a *LinkAnswer) Plots(context.Context) ([]ask.Plot, error) {
	if a.Uplink == nil || a.Downlink == nil || a.Epoch == nil || a.PublicShare != nil && *a.PublicShare == 0 {
		return nil, ask.NotDrawn("the drawing shows a link that jobs cross: give uplink and downlink")
	}
	curve := ask.Curve{Name: "greatest arrival rate"}
	full, err := a.greatestRates(&curve)
	if err != nil {
		return nil, err
	}
	jobs := fault.Count(a.Replicas, "replica")
	if a.PublicShare != nil {
		jobs += ", " + units.FormatFraction(*a.PublicShare, 3) + " of the jobs"
	}
	p := ask.Plot{
		Title: "What the link takes",
		Subtitle: fmt.Sprintf("%s up, %s down, %s a job, %s, epoch %s", units.FormatBandwidth(*a.Uplink, 4),
			units.FormatBandwidth(*a.Downlink, 4), units.FormatSize(a.Footprint, 4), jobs,
			units.FormatDuration(*a.Epoch, 4)),
		X:      ask.Axis{Name: "dedicated servers"},
		Y:      ask.Axis{Name: "greatest arrival rate", Unit: "per_s"},
		Curves: []ask.Curve{curve},
	}
	if len(curve.X) == 0 {
		return nil, ask.NothingDrawn("the link takes no job, so there is no curve to draw")
	}
	if full <= curve.X[len(curve.X)-1] {
		p.Upright = []ask.Rule{{Value: full, Name: "downlink full at"}}
	}
	// What was asked is marked: the servers with the greatest rate, or the rate
	// with the most servers.
	if a.Dedicated != nil && a.MaxArrivalRate != nil && *a.MaxArrivalRate > 0 {
		p.Marks = []ask.Mark{{X: float64(*a.Dedicated), Y: *a.MaxArrivalRate}}
	}
	if a.Rate > 0 {
		p.Across = []ask.Rule{{Value: a.Rate, Name: "arrival rate"}}
	}
	if a.Dedicated == nil && a.MaxDedicated != nil && a.Rate > 0 {
		p.Marks = []ask.Mark{{X: float64(*a.MaxDedicated), Y: a.Rate, Name: "servers, at most", ByX: true}}
	}
	return []ask.Plot{p}, nil
}

// greatestRates adds the points of the curve, and returns the servers at which
// the downlink is full.
func (a *LinkAnswer) greatestRates(curve *ask.Curve) (full float64, err error) {
	if a.PublicShare == nil {
		p := reliability.LinkParams{
			Uplink:    *a.Uplink,
			Downlink:  *a.Downlink,
			Footprint: 8 * a.Footprint,
			Replicas:  int(a.Replicas),
			Epoch:     *a.Epoch,
		}
		limits, err := reliability.Link(p)
		if err != nil {
			return 0, ask.FromReliability(err)
		}
		most := math.Min(limits.MaxDedicatedUplink, limits.MaxDedicatedDownlink)
		for i := range 101 {
			n := most * float64(i) / 100
			// Each server swaps a job an epoch, which the uplink does not take
			// from arrivals.
			curve.Add(n, limits.MaxArrivalRate-n/p.Epoch)
		}
		return limits.MaxDedicatedDownlink, nil
	}
	s := reliability.SharedLinkParams{
		Uplink:    *a.Uplink,
		Downlink:  *a.Downlink,
		Footprint: 8 * a.Footprint,
		Copies:    ask.Value(a.Copies),
		Share:     *a.PublicShare,
		Places:    ask.Value(a.Places),
		Epoch:     *a.Epoch,
	}
	// Twice the dedicated servers show what more of them would cost.
	most := math.Max(2*float64(ask.Value(a.Dedicated)), 1)
	for i := range 101 {
		s.Dedicated = most * float64(i) / 100
		limits, err := reliability.SharedLink(s)
		if err != nil {
			return 0, ask.FromReliability(err)
		}
		// With more servers the downlink is full, or the uplink before any arrival.
		if limits.DownlinkLoad >= s.Downlink || limits.MaxArrivalRate < 0 {
			break
		}
		curve.Add(s.Dedicated, limits.MaxArrivalRate)
	}
	return s.Epoch * s.Downlink / s.Footprint, nil
}
