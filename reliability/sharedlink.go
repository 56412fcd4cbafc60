package reliability

import "math"

// SharedLinkParams describe the link where only a share of the jobs goes to
// public resources. Data and bandwidth in one unit of data, times in one unit
// of time.
type SharedLinkParams struct {
	Uplink      float64 // B_up, towards the public resources, > 0
	Downlink    float64 // B_down, > 0
	Footprint   float64 // m, mean data moved per job, > 0
	Copies      float64 // k, mean replicas of a job on public resources, >= 1
	Share       float64 // s, of the arriving jobs that go to public resources, 0 <= s <= 1
	Dedicated   float64 // N_d, dedicated servers, >= 0
	Places      float64 // P, jobs that the public resources hold at a time, >= 0
	Epoch       float64 // δ, time between two rounds of migrations, > 0, may be infinite
	ArrivalRate float64 // λ, jobs arriving per unit of time, >= 0
}

// SharedLinkLimits say what such a link carries and what it allows. Every limit
// is strict; an infinite one is none.
type SharedLinkLimits struct {
	Swaps          float64 // x = min(N_d, P), jobs exchanged in an epoch at most
	UplinkLoad     float64 // k m (s λ + x/δ), data per unit of time
	DownlinkLoad   float64 // m x/δ
	MaxArrivalRate float64 // λ < (B_up/(km) − x/δ)/s
	MaxSwaps       float64 // x < δ min(B_up/(km) − s λ, B_down/m)
	MinEpoch       float64 // δ > x/min(B_up/(km) − s λ, B_down/m); infinite where new jobs alone fill the uplink
	Binding        Direction
}

// Loads returns x, the load of the uplink and that of the downlink, unchecked.
func (p SharedLinkParams) Loads() (swaps, up, down float64) {
	swaps = math.Min(p.Dedicated, p.Places)
	rate := 0.0
	if swaps > 0 {
		rate = swaps / p.Epoch
	}
	return swaps, p.Copies * p.Footprint * (p.Share*p.ArrivalRate + rate), p.Footprint * rate
}

// SharedLink returns what the link of PCU 4.6 carries where a share s of the
// work is done on public resources that hold P jobs at a time:
//
//	uplink    λ_b = k m s λ + k m x/δ,  x = min(N_d, P)
//	downlink  m x/δ
//
// Both terms of the paper scale. It lets every arriving job go to public
// resources, s = 1; a job that a dedicated server takes does not cross the link.
// It lets all N_d servers swap their job each epoch; a swap needs a job on the
// other side, so that there are no more of them than public resources hold
// jobs. With s = 1 and P ≥ N_d this is [Link]; with s = P = 0 nothing crosses.
// Whether the loads fit the link is left to the caller.
func SharedLink(p SharedLinkParams) (SharedLinkLimits, error) {
	const fn = "SharedLink"
	if err := all(positive(fn, "Uplink", p.Uplink), positive(fn, "Downlink", p.Downlink),
		positive(fn, "Footprint", p.Footprint),
		nonNegative(fn, "Dedicated", p.Dedicated), nonNegative(fn, "Places", p.Places),
		nonNegative(fn, "ArrivalRate", p.ArrivalRate)); err != nil {
		return SharedLinkLimits{}, err
	}
	switch {
	case !(p.Copies >= 1) || math.IsInf(p.Copies, 1):
		return SharedLinkLimits{}, &DomainError{fn, "Copies", p.Copies, "finite and at least 1"}
	case !(p.Share >= 0 && p.Share <= 1):
		return SharedLinkLimits{}, &DomainError{fn, "Share", p.Share, "0 to 1"}
	case !(p.Epoch > 0):
		return SharedLinkLimits{}, &DomainError{fn, "Epoch", p.Epoch, "above 0"}
	}
	l := SharedLinkLimits{Binding: Uplink}
	l.Swaps, l.UplinkLoad, l.DownlinkLoad = p.Loads()
	if math.IsInf(l.UplinkLoad, 0) || math.IsNaN(l.UplinkLoad) {
		return SharedLinkLimits{}, &DomainError{fn, "UplinkLoad", l.UplinkLoad, "a load that floats can hold"}
	}
	jobs := p.Uplink / (p.Copies * p.Footprint) // per unit of time that the uplink carries
	left, down := jobs-p.Share*p.ArrivalRate, p.Downlink/p.Footprint
	if down < left {
		l.Binding = Downlink
	}
	rate := 0.0
	if l.Swaps > 0 {
		rate = l.Swaps / p.Epoch
	}
	l.MaxArrivalRate = math.Inf(1)
	if p.Share > 0 {
		l.MaxArrivalRate = (jobs - rate) / p.Share
	}
	l.MaxSwaps = p.Epoch * math.Min(left, down)
	switch {
	case l.Swaps == 0:
	case left <= 0:
		l.MinEpoch = math.Inf(1)
	default:
		l.MinEpoch = l.Swaps / math.Min(left, down)
	}
	return l, nil
}
