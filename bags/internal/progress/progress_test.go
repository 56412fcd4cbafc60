package progress

import (
	"math"
	"testing"
)

// Of stays with an exponential law of mean m a share s/(e^(s/m) − 1)/m is saved every s.
func TestPace(t *testing.T) {
	for _, save := range []float64{20, 600, 2000, 9000} {
		a := &Attempts{Stays: func(t float64) float64 { return math.Exp(-t / 3000) }, Save: save, Wait: 100}
		p := a.Pace()
		want := save / math.Expm1(save/3000) / 3100
		if math.Abs(p.Rate/want-1) > 1e-3 || math.Abs(p.Stay/3000-1) > 1e-3 {
			t.Errorf("save %v: %v of stays of %v, want %v of 3000", save, p.Rate, p.Stay, want)
		}
		// 2m²(t/m − 1 + e^(−t/m)) of two moments a time t apart at most
		for _, x := range []float64{1000, 3000, 20000, 1e6} {
			want := 2 * 9e6 * (x/3000 + math.Expm1(-x/3000))
			if got := p.unlike(x); math.Abs(got/want-1) > 0.01 {
				t.Errorf("unlike(%v) = %v, want %v", x, got, want)
			}
		}
	}
}

// Tasks and machines that lose nothing: the work of all takes its time, and the rest of the largest follows it.
func TestWorkIsKept(t *testing.T) {
	for _, stays := range []float64{1, 5, 40} {
		law := func(t float64) float64 { return math.Exp(-t / 1000) }
		pace := (&Attempts{Stays: law, Save: 1e-3}).Pace()
		c := &Crowd{Alone: pace, Busy: pace, Machines: func(float64) float64 { return 50 }}
		tasks := []Tasks{{0, 2000, stays * 1000, 0}, {0, 1000, stays * 100, 1}, {0, 1, 100e3, 2}}
		f := c.Follow(tasks, 3, 1e-6, math.Inf(1))
		sum := 0.0
		for _, k := range tasks {
			sum += k.Number * k.Work
		}
		sum = (sum - 100e3) / 50
		half := 0.0
		for half < 1e9 && f.Left(2, half) > 0.5 {
			half += 10
		}
		// The largest has come by about as much work as the others when these are done.
		if want := sum + 100e3 - stays*1000; math.Abs(half/want-1) > 0.04 {
			t.Errorf("%v stays: the largest is done by %v, want %v", stays, half, want)
		}
		if f.Busy > 1.02*(sum+100e3/50) || f.Busy < 0.7*sum {
			t.Errorf("%v stays: busy until %v, work for %v", stays, f.Busy, sum)
		}
	}
}
