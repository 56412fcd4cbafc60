package bags

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags/internal/attempts"
	"github.com/capplan/capplan/law"
)

// Of exponential laws the variance of a machine's time is 2 (1 − A)(T τ − τ²(1 −
// e^(−T/τ)))/(A T²), and of others that of courses which are drawn. Machines of g5klyo,
// most of whose stays take a minute and some hours, have twice the deviation that
// exponential laws of the same means would have.
func TestTimeVariance(t *testing.T) {
	c := attempts.Course{Up: law.Exponential{Scale: 3000}, Down: law.Exponential{Scale: 1000}}
	for _, by := range []float64{100, 1000, 10000, 50000} {
		x := by / 750
		want := 2 * 0.25 / 0.75 * (x + math.Expm1(-x)) / (x * x)
		if got := c.TimeVariance(by); math.Abs(got-want) > 0.01*want {
			t.Errorf("exponential, %v s: %v, want %v", by, got, want)
		}
	}
	for _, k := range []struct {
		name string
		by   float64
	}{{"g5klyo", 6750}, {"g5klyo", 30000}, {"g5kgre", 30000}, {"spot10", 6750}, {"nd", 6750}} {
		p := onTrace(t, k.name, Setup{}).Hosts
		c := attempts.Course{Up: p.Up, Down: p.Down}
		const runs = 4000
		got, want := c.TimeVariance(k.by), drawnVariance(t, c, p.Availability(), k.by, runs)
		if math.Abs(math.Sqrt(got/want)-1) > 0.05 {
			t.Errorf("%s, %v s: deviation %.4f, drawn %.4f", k.name, k.by, math.Sqrt(got), math.Sqrt(want))
		}
	}
}

// drawnVariance is that of so many courses.
func drawnVariance(t *testing.T, c attempts.Course, availability, by float64, runs int) float64 {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	mean, square := 0.0, 0.0
	for range runs {
		laws, up := []law.Law{c.Down, c.Up}, 0
		if r.Float64() < availability {
			up = 1
		}
		left, err := law.LengthBiasedQuantile(laws[up], r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		left *= r.Float64()
		there := 0.0
		for at := 0.0; at < by; up = 1 - up {
			there += float64(up) * min(left, by-at)
			at += left
			if left, err = laws[1-up].Quantile(r.Float64()); err != nil {
				t.Fatal(err)
			}
		}
		mean += there / float64(runs)
		square += there * there / float64(runs)
	}
	return (square - mean*mean) / (mean * mean)
}

// The chances of 9700 tasks of BOINC on 82 machines, against 900 runs of package sim/bot.
// Summed over seven courses of the fluid phase the law had steps: .27 from 6650 to 6757 s, by
// which half of them are done.
func TestLawHasNoSteps(t *testing.T) {
	f, err := Finish(onTrace(t, "spot10", Setup{
		Bag: Bag{Size: Spread{Mean: 9700}, Work: Spread{Mean: 0.95 * 6e4}}, Server: BOINC}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ at, chance float64 }{
		{6508, 0.05}, {6650, 0.25}, {6757, 0.5}, {6880, 0.75}, {6995, 0.9}, {7070, 0.95}, {7194, 0.99}} {
		got := f.Chance(want.at)
		t.Logf("%.0f s: %.3f, simulated %.2f", want.at, got, want.chance)
		if math.Abs(got-want.chance) > 0.07 {
			t.Errorf("by %.0f s: %.3f, simulated %.2f", want.at, got, want.chance)
		}
	}
}
