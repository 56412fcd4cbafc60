package unlike

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// eachOutage calls back with the machines up of every set of groups that are there
// and every number up in each of them, machine i standing in group i mod G.
func eachOutage(k Coming, back func(up int, chance float64)) {
	groups := int(k.Outages.Groups)
	for there := range 1 << groups {
		chance := math.Pow(k.Outages.Up, float64(bits.OnesCount(uint(there)))) *
			math.Pow(1-k.Outages.Up, float64(groups-bits.OnesCount(uint(there))))
		machines := 0
		for i := range int(k.Machines) {
			machines += there >> (i % groups) & 1
		}
		own, choose := k.Up/k.Outages.Up, 1.0
		for u := range machines + 1 {
			back(u, chance*choose*math.Pow(own, float64(u))*math.Pow(1-own, float64(machines-u)))
			choose *= float64(machines-u) / float64(u+1)
		}
	}
}

// Of machines that share outages the figures are the mean over all sets of groups
// and all numbers up, however they are asked for.
func TestOutagesAgainstAllSets(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 22))
	for trial := range 60 {
		m := Queue{
			ArrivalRate: math.Exp(2.5 * rng.Float64()),
			ServiceTime: 1,
			WhenFull:    WhenFull(trial % 3),
			Patience:    0.7,
		}
		k := independent(float64(rng.IntN(14)), 0, math.Exp(rng.Float64()-0.5), float64(1+rng.IntN(2)))
		k.Outages = Outages{Groups: float64(1 + rng.IntN(5)), Up: 0.8 + 0.19*rng.Float64()}
		k.Up = k.Outages.Up * (0.6 + 0.4*float64(rng.IntN(2)))
		kinds := []Coming{independent(0, 1, 1, 1), k}
		racks := math.Ceil(2 * m.ArrivalRate * rng.Float64())
		lost, late, busy, whole := 0.0, 0.0, 0.0, 0.0
		eachOutage(k, func(up int, chance float64) {
			at := m
			at.Beside = []Group{{racks, 1}, {float64(up) / k.PerJob, k.Speed}}
			whole += chance
			switch f, err := at.At(0); {
			case errors.Is(err, queueing.ErrUnstable):
				late += chance
			case err != nil:
				t.Fatal(err)
			default:
				late += chance * f.WaitTail(0.3)
				lost += chance * (f.Blocking + f.Abandonment)
			}
			b, err := at.Busy()
			if err != nil {
				t.Fatal(err)
			}
			busy += chance * b[1]
		})
		numtest.Close(t, "all chances", whole, 1, 1e-12)
		v := Varying{Queue: m, Coming: []Coming{k}}
		v.Beside = []Group{{racks, 1}}
		f, err := v.At(0)
		if m.WhenFull == Queued && errors.Is(err, queueing.ErrUnstable) {
			continue // on average
		}
		if err != nil {
			t.Fatal(err)
		}
		table, err := NewMixTable(m, kinds, 1e-6)
		if err != nil {
			t.Fatal(err)
		}
		counts := []float64{racks, k.Machines}
		g, err := table.At(counts)
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []queueing.Figures{f, g} {
			numtest.Close(t, "lost", got.Blocking+got.Abandonment, lost, 1e-8)
			if m.WhenFull != Lossy {
				numtest.Close(t, "late", got.WaitTail(0.3), late, 1e-8)
			}
		}
		_, b, err := v.Busy()
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "busy", b[0], busy, 1e-8)
		o := queueing.Objective{Metric: queueing.WaitTail, Limit: 0.05, Wait: 0.3}
		if m.WhenFull == Lossy {
			o = queueing.Objective{Metric: queueing.Blocking, Limit: 0.05}
			mix, err := NewLossMix(m.ArrivalRate, kinds, 1e-4)
			if err != nil {
				t.Fatal(err)
			}
			log, err := mix.LogBlocking(counts)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "loss of the mix", math.Exp(log), lost, 1e-8)
		}
		for range gaussPays + 1 { // sums first, then a Gauss rule
			slack, err := table.Slack(counts, []queueing.Objective{o})
			if err != nil {
				t.Fatal(err)
			}
			if want := o.Slack(f); math.Abs(slack-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("trial %d: slack %v, want %v", trial, slack, want)
			}
		}
	}
}

// Values of testdata/outages.py, which integrates the product form for every set of
// groups by Simpson's rule.
func TestOutagesAgainstNumpy(t *testing.T) {
	for _, r := range []struct{ racks, spots, groups, there, up, loss float64 }{
		{30, 40, 4, 0.98, 0.9, 0.001413908429246},
		{45, 13, 3, 0.95, 0.9, 0.005405834889911},
		{20, 50, 1, 0.99, 0.99, 0.005529437778352},
	} {
		k := independent(r.spots, r.up, 0.8, 1)
		k.Outages = Outages{Groups: r.groups, Up: r.there}
		v := Varying{Queue: Queue{ArrivalRate: 40, ServiceTime: 1, Beside: []Group{{r.racks, 1}}}, Coming: []Coming{k}}
		f, err := v.At(0)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "loss", f.Blocking, r.loss, 1e-9)
	}
}

// Many machines are taken in steps; one group of all is away with its chance.
func TestOutagesOfMany(t *testing.T) {
	k := independent(20_000, 0.9, 1, 1)
	k.Outages = Outages{Groups: 4, Up: 0.98}
	m := Queue{ArrivalRate: 13_500, ServiceTime: 1}
	want := 0.0
	for there := range 5 {
		chance := math.Exp(logBinomial(float64(there), 4, 0.98))
		f, err := (Varying{m, []Coming{independent(5000*float64(there), 0.9/0.98, 1, 1)}}).At(0)
		if err != nil {
			t.Fatal(err)
		}
		want += chance * f.Blocking
	}
	f, err := (Varying{m, []Coming{k}}).At(0)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "loss", f.Blocking, want, 1e-9)
	mix, err := NewLossMix(13_500, []Coming{k}, 1e-4)
	if err != nil {
		t.Fatal(err)
	}
	log, err := mix.LogBlocking([]float64{20_000})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "loss of the mix", math.Exp(log), want, 1e-7)
}

func TestOutagesRefuse(t *testing.T) {
	for _, o := range []Outages{
		{Groups: 1.5, Up: 0.9},
		{Groups: -1, Up: 0.9},
		{Groups: 2, Up: 1.2},
		{Groups: 2, Up: 0.4},
		{Groups: math.NaN(), Up: 0.9},
	} {
		k := independent(5, 0.5, 1, 1)
		k.Outages = o
		_, err := (Varying{Queue{ArrivalRate: 1, ServiceTime: 1}, []Coming{k}}).At(0)
		if !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%+v: %v, want a *DomainError", o, err)
		}
	}
}

// Of a pool that goes at once any number of machines is looked at in no time: with so many
// nobody is lost while it is there.
func TestPoolOfAnySize(t *testing.T) {
	for _, machines := range []float64{1e4, 1e7, 1e9, 1e12} {
		v := Varying{
			Queue:  Queue{ArrivalRate: 7.5, ServiceTime: 1, Beside: []Group{{Servers: 3, Speed: 1.3}}},
			Coming: []Coming{{Machines: machines, Up: 0.7, Speed: 3.3, PerJob: 1, Outages: Outages{Groups: 1, Up: 0.995}}},
		}
		f, err := v.At(0)
		a := 7.5 / 1.3
		want := 0.005 * a * a * a / 6 / (1 + a + a*a/2 + a*a*a/6)
		if err != nil || math.Abs(f.Blocking-want) > 1e-12 {
			t.Errorf("%v machines: %v lost, %v, want %v", machines, f.Blocking, err, want)
		}
	}
}

// Machines that stand alone in their groups come and go as independent ones do, and those of groups of two
// sizes as two kinds.
func TestKindsOfEvenGroups(t *testing.T) {
	k := Coming{Up: 0.9, Speed: 1.5, PerJob: 1, Outages: Outages{4, 0.95}}
	wait := func(kinds ...Coming) float64 {
		f, err := Varying{Queue{ArrivalRate: 2, ServiceTime: 1, WhenFull: Queued}, kinds}.At(0)
		if err != nil {
			t.Fatal(err)
		}
		return f.WaitProbability
	}
	for _, n := range []float64{3, 4, 5, 8, 10, 15} {
		as := k
		as.Machines = n
		want := wait(as)
		if got := wait(k.Of(n)); math.Abs(got-want) > 1e-12 || (n <= 4) != (k.Of(n).Outages == Outages{}) {
			t.Errorf("%v machines: P(W > 0) = %v, want %v", n, got, want)
		}
		parts := k.Of(n).even()
		if got := wait(parts...); math.Abs(got-want) > 1e-12 || (len(parts) == 2) != (n > 4 && n != 8) {
			t.Errorf("%v machines in %d kinds: P(W > 0) = %v, want %v", n, len(parts), got, want)
		}
	}
}
