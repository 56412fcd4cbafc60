package bot

import (
	"errors"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// A count that no memory holds is refused before it is begun.
func TestCountMoments(t *testing.T) {
	for _, moments := range []int{math.MinInt, 1, mostMoments + 1, math.MaxInt} {
		var domain *DomainError
		if _, _, err := (&Count{Moments: moments}).Series(nil, 10, nil); !errors.As(err, &domain) {
			t.Errorf("%d moments: %v", moments, err)
		}
	}
}

// A run draws about as many states of machines as it says before, and each machine is counted at each moment that falls
// into its stays.
func TestCountStates(t *testing.T) {
	e := func(m float64) law.Law { return law.Exponential{Scale: m} }
	const horizon = 50_000.0
	short := hosts.Record{Span: 50}
	for i := range 1000 {
		short.Changes = append(short.Changes, 1e-6*float64(i))
	}
	for i, p := range []hosts.Platform{
		{Count: 300, Up: e(600), Down: e(200)},
		{Count: 300, Up: law.Weibull{Shape: 0.7, Scale: 900}, Down: e(4000)},
		{Count: 50, Up: e(20), Down: e(20)},
		{Count: 400, Up: e(1e6), Down: e(1e5)},
		{Count: 7},
		{Count: 30, Up: e(600), Down: e(200), Groups: hosts.Groups{Count: 3, Up: e(30_000), Down: e(2000)}},
		// Of records with one whole spell, and with spells of less than a law holds.
		{Count: 2, Records: []hosts.Record{{Changes: []float64{100, 200}, Span: 300}, {Changes: []float64{0}, Span: 9}}},
		{Count: 1, Records: []hosts.Record{short}},
	} {
		p.Speed.Mean = 1
		c := &Count{Hosts: &p, Moments: 41}
		chance := func(entity ...uint64) *rand.Rand { return sim.Stream(1, i, entity...) }
		counts, states, err := c.Series(chance, horizon, nil)
		if err != nil {
			t.Fatal(err)
		}
		if want := c.States(horizon); math.Abs(float64(states)-want) > 0.1*want {
			t.Errorf("%d: %d states, %.0f were expected", i, states, want)
		}
		run, err := p.Begin(chance)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float64, len(counts))
		for m := range p.Count {
			h := run.Host(m)
			for k := range want {
				for at := horizon / 40 * float64(k); h.Until <= at; {
					h.Next()
				}
				if h.Up {
					want[k]++
				}
			}
		}
		if !slices.Equal(counts, want) {
			t.Errorf("%d: counted %v, want %v", i, counts, want)
		}
	}
}

// What the law says of recorded machines sorts all that they change, which took most of each run of many. It is done
// once, whatever the number of runs.
func TestCountAsksTheLawOnce(t *testing.T) {
	const machines, changes = 50, 2000
	p := &hosts.Platform{Speed: hosts.Speed{Mean: 1}}
	for i := range machines {
		r := hosts.Record{Span: changes}
		for k := range changes {
			r.Changes = append(r.Changes, float64(k)+float64(i)/machines)
		}
		p.Records = append(p.Records, r)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	c := &Count{Hosts: p, Moments: 3}
	if _, err := sim.Run(t.Context(), c, sim.Options{Seed: 1, Replications: 20, Horizon: 10}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	// 8 bytes a change, and some for the streams of the machines.
	if took := float64(after.TotalAlloc - before.TotalAlloc); took > 3*8*machines*changes {
		t.Errorf("20 runs took %.3g bytes from memory, one of their laws takes %d", took, 8*machines*changes)
	}
	if mean, sd := (*Count)(nil).Law(); !math.IsNaN(mean) || !math.IsNaN(sd) {
		t.Errorf("law of no count: %g, %g", mean, sd)
	}
}
