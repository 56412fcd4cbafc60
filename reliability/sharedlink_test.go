package reliability_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// Where all jobs go to public resources that hold one for every dedicated
// server the shared link is that of the paper.
func TestSharedLinkIsLinkAtShareOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		p := reliability.LinkParams{
			Uplink: rapid.Float64Range(1, 1e9).Draw(rt, "up"), Downlink: rapid.Float64Range(1, 1e9).Draw(rt, "down"),
			Footprint: rapid.Float64Range(1e-3, 1e3).Draw(rt, "m"), Replicas: rapid.IntRange(1, 9).Draw(rt, "k"),
			Dedicated: rapid.Float64Range(0.5, 1e4).Draw(rt, "Nd"), Epoch: rapid.Float64Range(0.1, 1e4).Draw(rt, "epoch"),
			ArrivalRate: rapid.Float64Range(0, 100).Draw(rt, "rate"),
		}
		want, err := reliability.Link(p)
		var full *reliability.LinkError
		if errors.As(err, &full) {
			want = full.Limits
		}
		got, err := reliability.SharedLink(reliability.SharedLinkParams{
			Uplink: p.Uplink, Downlink: p.Downlink, Footprint: p.Footprint, Copies: float64(p.Replicas), Share: 1,
			Dedicated: p.Dedicated, Places: p.Dedicated * 2, Epoch: p.Epoch, ArrivalRate: p.ArrivalRate,
		})
		if err != nil {
			rt.Fatal(err)
		}
		numtest.Close(t, "uplink load", got.UplinkLoad, want.UplinkLoad, 1e-12)
		numtest.Close(t, "downlink load", got.DownlinkLoad, want.DownlinkLoad, 1e-12)
		if math.Abs(got.MaxArrivalRate-want.MaxArrivalRate) > 1e-9*p.Uplink {
			rt.Errorf("arrival rate %v, want %v", got.MaxArrivalRate, want.MaxArrivalRate)
		}
		if full == nil {
			numtest.Close(t, "swaps", got.MaxSwaps, math.Min(want.MaxDedicatedUplink, want.MaxDedicatedDownlink), 1e-9)
			numtest.Close(t, "epoch", got.MinEpoch, want.MinEpoch, 1e-9)
		}
	})
}

// By hand: 100 servers, 20 public places, 5 % of 1.2 jobs a second, 80 Mbit a
// job, two copies, an epoch of 2 min: 160 Mbit·(0.06 + 20/120)/s up.
func TestSharedLinkByHand(t *testing.T) {
	p := reliability.SharedLinkParams{Uplink: 50e6, Downlink: 50e6, Footprint: 80e6, Copies: 2, Share: 0.05, Dedicated: 100, Places: 20, Epoch: 120, ArrivalRate: 1.2}
	l, err := reliability.SharedLink(p)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "swaps", l.Swaps, 20, 0)
	numtest.Close(t, "up", l.UplinkLoad, 160e6*(0.06+1./6), 1e-14)
	numtest.Close(t, "down", l.DownlinkLoad, 80e6/6, 1e-14)
	numtest.Close(t, "epoch", l.MinEpoch, 20/(50./160-0.06), 1e-13)
	numtest.Close(t, "arrival rate", l.MaxArrivalRate, (50./160-1./6)/0.05, 1e-13)
	p.Share, p.Places = 0, 0
	if l, err = reliability.SharedLink(p); err != nil || l.UplinkLoad != 0 || l.DownlinkLoad != 0 || !math.IsInf(l.MaxArrivalRate, 1) || l.MinEpoch != 0 {
		t.Errorf("a link that nothing uses: %+v, %v", l, err)
	}
	for _, bad := range []func(p *reliability.SharedLinkParams){
		func(p *reliability.SharedLinkParams) { p.Share = 1.1 }, func(p *reliability.SharedLinkParams) { p.Copies = 0.5 }, func(p *reliability.SharedLinkParams) { p.Epoch = 0 },
		func(p *reliability.SharedLinkParams) { p.Places = math.NaN() }, func(p *reliability.SharedLinkParams) { p.Uplink = -1 },
		func(p *reliability.SharedLinkParams) { p.Share, p.ArrivalRate, p.Copies = 1, 1e300, 1e10 },
	} {
		q := p
		bad(&q)
		if _, err := reliability.SharedLink(q); !errors.As(err, new(*reliability.DomainError)) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}
