package station

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// The mean number of arrivals between two of a curve is 1, and between any two
// times the integral of the rate, found here by small steps.
func TestCurveInverts(t *testing.T) {
	v := newCurve(&varying.Cycle{Start: []float64{3, 4, 8, 9}, End: 12, Rate: []float64{2, 0, 0.5, 7}})
	r := rand.New(rand.NewPCG(1, 1))
	for range longtest.Of(40, 200) {
		from, mean := 30*r.Float64(), 60*r.ExpFloat64()
		to := v.after(from, mean)
		const steps = 400_000
		sum := 0.0
		for k := range steps {
			i, _ := v.interval(from + (to-from)*(float64(k)+0.5)/steps)
			sum += v.rate[i] * (to - from) / steps
		}
		if math.Abs(sum-mean) > 1e-3*(1+mean) {
			t.Fatalf("from %v: %v arrivals by %v, want %v", from, sum, to, mean)
		}
	}
}

// M_t/M/c_t with losses and with a queue, against the forward equations of the
// number there, integrated until they repeat.
func TestShiftsAgainstTheForwardEquations(t *testing.T) {
	cycle := varying.Cycle{Start: []float64{0, 3, 6}, End: 10, Rate: []float64{1, 6, 2}}
	// Servers only rise, and fall where few are busy, so that nobody is served by
	// more servers than there are.
	shifts := []int{5, 9, 9}
	for _, loss := range []bool{true, false} {
		s := Station{Servers: 9, Loss: loss, Shifts: shifts, Classes: []Class{{Curve: &cycle, Service: exponential(1)}}}
		if !loss {
			s.Places = 30
			s.Shifts = []int{9, 9, 9}
		}
		want := forward(&s, cycle)
		got, err := Simulate(context.Background(), &s, sim.Options{Seed: 1, Horizon: 1000, WarmUp: 20, Replications: 40})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range want {
			name := fmt.Sprintf("interval %d.wait_probability", i+1)
			if loss {
				name = fmt.Sprintf("interval %d.blocking_probability", i+1)
			}
			e, ok := got.Figure(name)
			if half := (e.High - e.Low) / 2; !ok || math.Abs(e.Mean-w) > 2*half+1e-3 {
				t.Errorf("loss %v: %s %v..%v, want %v", loss, name, e.Low, e.High, w)
			}
		}
	}
}

// forward returns the share of the arrivals in each interval who find all servers
// busy. Those of a fall from nine to five servers are still busy with whom they
// serve: the states above five drain.
func forward(s *Station, cycle varying.Cycle) []float64 {
	const dt = 1e-3
	room := s.Places
	if s.Loss {
		room = s.Servers
	}
	p := make([]float64, room+1)
	p[0] = 1
	var full, came []float64
	for range 4 {
		full, came = make([]float64, 3), make([]float64, 3)
		for k := range int(cycle.End / dt) {
			i := 0
			for i < 2 && float64(k)*dt >= cycle.Start[i+1] {
				i++
			}
			c, rate := s.Shifts[i], cycle.Rate[i]
			top := room
			if s.Loss {
				top = c
			}
			flow := func(p []float64) []float64 {
				d := make([]float64, len(p))
				for n := range p {
					if n < top {
						d[n] -= rate * p[n]
						d[n+1] += rate * p[n]
					}
					if n > 0 {
						m := float64(min(n, s.Servers))
						d[n] -= m * p[n]
						d[n-1] += m * p[n]
					}
				}
				return d
			}
			d := flow(p)
			mid := make([]float64, len(p))
			for n := range p {
				mid[n] = p[n] + dt/2*d[n]
			}
			d = flow(mid)
			for n := range p {
				p[n] += dt * d[n]
				if n >= c && (s.Loss || n < top) {
					full[i] += rate * p[n] * dt
				}
				if s.Loss || n < top {
					came[i] += rate * p[n] * dt
				}
			}
		}
	}
	for i := range full {
		full[i] /= came[i]
	}
	return full
}
