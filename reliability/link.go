package reliability

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// LinkParams describe the network link between a dedicated cluster and the
// public resources (PCU 4.6, the bottleneck network link). Data and bandwidth
// in one unit of data, times in one unit of time.
type LinkParams struct {
	Uplink      float64 // B_up, towards the public resources, > 0
	Downlink    float64 // B_down, > 0
	Footprint   float64 // m, mean data moved per job, > 0
	Replicas    int     // k >= 1
	Dedicated   float64 // N_d, dedicated servers, >= 0
	Epoch       float64 // δ, time between two rounds of migrations, > 0
	ArrivalRate float64 // λ, jobs arriving per unit of time, >= 0
}

func (p LinkParams) check(fn string) error {
	return all(positive(fn, "Uplink", p.Uplink), positive(fn, "Downlink", p.Downlink),
		positive(fn, "Footprint", p.Footprint), atLeast(fn, "Replicas", p.Replicas, 1),
		nonNegative(fn, "Dedicated", p.Dedicated), positive(fn, "Epoch", p.Epoch),
		nonNegative(fn, "ArrivalRate", p.ArrivalRate))
}

// A Direction is one of the two directions of a link.
type Direction string

const (
	Uplink   Direction = "uplink"
	Downlink Direction = "downlink"
)

// LinkLimits says what a link allows. Every limit is strict: the value itself
// loads the link fully and leaves no steady state.
type LinkLimits struct {
	MaxArrivalRate       float64   // λ < B_up/(km) - N_d/δ; <= 0 if migrations alone fill the uplink
	MaxDedicatedUplink   float64   // N_d < δ (B_up/(km) - λ)
	MaxDedicatedDownlink float64   // N_d < δ B_down/m
	MinEpoch             float64   // δ > N_d / min(B_up/(km) - λ, B_down/m)
	Binding              Direction // which of the two limits N_d and δ
	UplinkLoad           float64   // λ_b = km (λ + N_d/δ), data per unit of time
	DownlinkLoad         float64   // m N_d/δ
	UplinkUtilization    float64   // UplinkLoad / B_up
	DownlinkUtilization  float64   // DownlinkLoad / B_down
}

// A LinkError is the certificate that a link cannot carry its load.
type LinkError struct {
	Direction Direction
	Load      float64    // data per unit of time
	Bandwidth float64    // Load >= Bandwidth
	Hopeless  bool       // new jobs alone fill the uplink: no N_d or δ helps
	Limits    LinkLimits // what would do; MinEpoch is 0 if Hopeless
}

func (e *LinkError) Error() string {
	hint := fmt.Sprintf("an epoch above %.10g would do", e.Limits.MinEpoch)
	if e.Hopeless {
		hint = "new jobs alone fill it"
	}
	return fmt.Sprintf("reliability: Link: infeasible: the %s must carry %.10g and has %.10g; %s",
		e.Direction, e.Load, e.Bandwidth, hint)
}

// Unwrap returns ErrInfeasible.
func (e *LinkError) Unwrap() error { return ErrInfeasible }

// Link returns what the bottleneck link allows in the worst case of PCU 4.6:
// every arriving job goes to k public resources and every dedicated server
// swaps its job each epoch:
//
//	uplink    λ_b = km λ + km N_d/δ < B_up
//	downlink  m N_d/δ < B_down
//
// A link that cannot carry p returns a *LinkError, which holds the limits. PCU
// prints N_d < m δ B_down; dimensions ask for N_d < δ B_down/m.
func Link(p LinkParams) (LinkLimits, error) {
	if err := p.check("Link"); err != nil {
		return LinkLimits{}, err
	}
	copies := float64(p.Replicas) * p.Footprint
	jobs := p.Uplink / copies  // jobs per unit of time that the uplink carries
	up := jobs - p.ArrivalRate // of which migrations may take
	down := p.Downlink / p.Footprint
	swaps := p.Dedicated / p.Epoch
	l := LinkLimits{
		MaxArrivalRate:       jobs - swaps,
		MaxDedicatedUplink:   p.Epoch * up,
		MaxDedicatedDownlink: p.Epoch * down,
		Binding:              Uplink,
		UplinkLoad:           copies * (p.ArrivalRate + swaps),
		DownlinkLoad:         p.Footprint * swaps,
	}
	l.UplinkUtilization = l.UplinkLoad / p.Uplink
	l.DownlinkUtilization = l.DownlinkLoad / p.Downlink
	if down < up {
		l.Binding = Downlink
	}
	for _, v := range []float64{l.MaxArrivalRate, l.MaxDedicatedUplink, l.MaxDedicatedDownlink, l.UplinkLoad,
		l.UplinkUtilization, l.DownlinkUtilization} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return LinkLimits{}, &DomainError{"Link", "limits", v, "rates and sizes within 1e-300 to 1e300 of each other"}
		}
	}
	if up <= 0 {
		return LinkLimits{}, &LinkError{Uplink, l.UplinkLoad, p.Uplink, true, l}
	}
	l.MinEpoch = p.Dedicated / math.Min(up, down)
	if l.UplinkUtilization >= 1 {
		return LinkLimits{}, &LinkError{Uplink, l.UplinkLoad, p.Uplink, false, l}
	}
	if l.DownlinkUtilization >= 1 {
		return LinkLimits{}, &LinkError{Downlink, l.DownlinkLoad, p.Downlink, false, l}
	}
	return l, nil
}

// A ClusterLimit is the greatest dedicated cluster that a link serves.
type ClusterLimit struct {
	Servers   int       // greatest whole N_d strictly below the limit
	Limit     float64   // least of the two limits of N_d
	Direction Direction // which one
}

// MaxCluster returns the greatest dedicated cluster for the link of p, whose
// Dedicated is ignored: N_d < δ min(B_up/(km) - λ, B_down/m). If new jobs
// alone fill the uplink it returns a *LinkError.
func MaxCluster(p LinkParams) (ClusterLimit, error) {
	p.Dedicated = 0
	l, err := Link(p)
	if err != nil {
		return ClusterLimit{}, err
	}
	limit := math.Min(l.MaxDedicatedUplink, l.MaxDedicatedDownlink)
	if limit > 1<<53 {
		return ClusterLimit{}, fault.New("reliability", "MaxCluster", fmt.Sprintf("limit %g", limit), ErrCountTooLarge)
	}
	// A limit that is whole up to the rounding of its five operations is a
	// limit that is not reached.
	n := math.Round(limit)
	if math.Abs(limit-n) > 0x1p-49*limit {
		n = math.Ceil(limit)
	}
	return ClusterLimit{max(0, int(n)-1), limit, l.Binding}, nil
}

// A LeastLinkAnswer holds the bandwidths that a link must exceed.
type LeastLinkAnswer struct {
	Uplink   float64 // km (λ + N_d/δ)
	Downlink float64 // m N_d/δ
}

// LeastLink returns the bandwidths that the cluster and load of p need; its
// Uplink and Downlink are ignored. Both are bounds to be exceeded.
func LeastLink(p LinkParams) (LeastLinkAnswer, error) {
	p.Uplink, p.Downlink = 1, 1
	if err := p.check("LeastLink"); err != nil {
		return LeastLinkAnswer{}, err
	}
	swaps := p.Dedicated / p.Epoch
	a := LeastLinkAnswer{
		Uplink:   float64(p.Replicas) * p.Footprint * (p.ArrivalRate + swaps),
		Downlink: p.Footprint * swaps,
	}
	if math.IsInf(a.Uplink, 0) || math.IsInf(a.Downlink, 0) || math.IsNaN(a.Uplink) {
		return LeastLinkAnswer{}, &DomainError{"LeastLink", "Uplink", a.Uplink, "a load that floats can hold"}
	}
	return a, nil
}
