package smp

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
)

// ninth is a day that fails at step 9 of 23, for one step.
func ninth() Day {
	path := make([]int, 24)
	path[9] = 2
	return dayOf(SequenceOf(path))
}

// A machine that fails at nine on each of 15 days, and is free again at ten, is
// not given even odds to pass nine: the stays after ten weigh as one.
func TestToFailureAtTheSameHour(t *testing.T) {
	var days []Day
	for range 15 {
		days = append(days, ninth())
	}
	f, err := EstimateToFailure(repairable(), Sequences(days))
	if err != nil {
		t.Fatal(err)
	}
	r := solveFrom(t, f.Kernel, 23, Auto, Start{}).Reliability
	numtest.Close(t, "R(8)", r[8], 1, 1e-15)
	numtest.Close(t, "R(23)", r[23], 1.0/16, 1e-14)
	for _, m := range []BandMethod{Bootstrap, WaldLogit, WaldLogLog} {
		o := BandOptions{Method: m, Samples: 40, Seed: 1}
		b, err := ReliabilityBand(context.Background(), repairable(), days, Start{}, []int{8, 23}, &o)
		if err != nil {
			t.Fatal(err)
		}
		none := 1 - math.Pow(0.05, 1.0/15) // of Clopper and Pearson
		if b.Low[1] != 0 || math.Abs(b.High[1]-none) > 1e-12 || b.High[0] != 1 || math.Abs(b.Low[0]-(1-none)) > 1e-12 {
			t.Errorf("method %d: bands %v .. %v, want 0 .. %v where all fail", m, b.Low, b.High, none)
		}
	}
}

// Without a failure, or with all after one, it is the product limit.
func TestToFailureIsTheProductLimit(t *testing.T) {
	up := Space{[]string{"1", "2"}, []bool{false, false}}
	down := Space{[]string{"1", "2", "3"}, []bool{false, false, true}}
	after := []Sequence{SequenceOf(path("31122213111")), SequenceOf(path("3111211331222"))}
	for _, c := range []struct {
		space   Space
		windows []Sequence
	}{{up, []Sequence{SequenceOf(path("1122211")), SequenceOf(path("11121222"))}}, {down, after}} {
		a, err := EstimateToFailure(c.space, c.windows)
		if err != nil {
			t.Fatal(err)
		}
		b, err := EstimateCensored(c.space, c.windows)
		if err != nil {
			t.Fatal(err)
		}
		x, y := a.Kernel.Atoms(), b.Kernel.Atoms()
		if len(x) != len(y) {
			t.Fatalf("%d atoms, want %d", len(x), len(y))
		}
		for i := range x {
			numtest.Close(t, "atom", x[i].Prob, y[i].Prob, 1e-15)
		}
	}
}

// By hand: up until 3 and 5, then again for 2 and, cut, 4 steps.
func TestToFailureByHand(t *testing.T) {
	space := Space{[]string{"up", "down"}, []bool{false, true}}
	w := []Sequence{
		{{State: 0, Steps: 3, Next: 1}, {State: 1, Steps: 1, Next: 0}, {State: 0, Steps: 2, Next: 1}, {State: 1, Steps: 1, Next: Cut}},
		{{State: 0, Steps: 5, Next: 1}, {State: 1, Steps: 1, Next: 0}, {State: 0, Steps: 4, Next: Cut}},
	}
	f, err := EstimateToFailure(space, w)
	if err != nil {
		t.Fatal(err)
	}
	// At risk at age 2: two stays before a failure and two halves; one half leaves.
	// At 3: two and a half, one leaves. At 5: the other alone.
	s := 1 - 0.5/3
	for l, want := range map[int]float64{1: 1, 2: s, 3: s * (1 - 1/2.5), 4: s * (1 - 1/2.5), 5: 0} {
		got, err := f.Kernel.Survival(0, l)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "S", got, want, 1e-14)
	}
}

// Bands of 90 % from ten days of known Markov machines cover them in 88 to 92 % of
// cases over all, and of none in less than 86 or more than 96 %.
func TestBandCoversMarkovMachines(t *testing.T) {
	all := 0.0
	for i, k := range markovMachines(t) {
		share := coverage(t, k, uint64(i), 10, longtest.Of(60, 200))
		t.Logf("machine %d: covered in %.1f %%", i, 100*share)
		if share < 0.86 || share > 0.96 {
			t.Errorf("machine %d: 90 %% bands cover in %.1f %%, want 86 to 96", i, 100*share)
		}
		all += share / 3
	}
	if all < 0.88 || all > 0.92 {
		t.Errorf("90 %% bands cover in %.1f %%, want 88 to 92", 100*all)
	}
}

// From forty days they cover as many, and of each machine 86 to 94 %.
func TestBandOfFortyDays(t *testing.T) {
	longtest.Skip(t)
	all := 0.0
	for i, k := range markovMachines(t) {
		share := coverage(t, k, uint64(i), 40, 200)
		t.Logf("machine %d: covered in %.1f %%", i, 100*share)
		if share < 0.86 || share > 0.94 {
			t.Errorf("machine %d: 90 %% bands cover in %.1f %%, want 86 to 94", i, 100*share)
		}
		all += share / 3
	}
	if all < 0.88 || all > 0.92 {
		t.Errorf("90 %% bands cover in %.1f %%, want 88 to 92", 100*all)
	}
}

// Wilson's limits for 8 of 40 days, whose variance a bootstrap would find to be
// r(1 − r)/40, with the t law of 39 degrees: 0.2 ± about 0.1, and more above than below.
func TestScoreLimits(t *testing.T) {
	const r, n = 0.2, 40.0
	near := (n*r + 0.5) / (n + 1)
	v := near * (1 - near) / n * (n - 1) / n
	low, high := scoreLimits(r, v, n, 0.9)
	q := 1.684875 // t_39(0.95), Abramowitz and Stegun table 26.10 between 30 and 40
	for _, limit := range []float64{low, high} {
		// Where |r − p| = q √(p(1 − p)/n).
		numtest.Close(t, "distance", math.Abs(r-limit), q*math.Sqrt(limit*(1-limit)/n), 1e-5)
	}
	if high-r <= r-low {
		t.Errorf("limits %v and %v of %v", low, high, r)
	}
}

func markovMachines(t *testing.T) []*Kernel {
	return []*Kernel{markovMachine(t, 0.15, 0.01), markovMachine(t, 0, 0.02), markovMachine(t, 0, 0.1)}
}

// coverage is how often bands of 90 % from drawn days hold the machine's own chances at
// 6, 12, 18 and 24 steps.
func coverage(t *testing.T, k *Kernel, seed uint64, days, reps int) float64 {
	t.Helper()
	horizons := []int{6, 12, 18, 24}
	want := solveFrom(t, k, 24, Auto, Start{}).Reliability
	rng := rand.New(rand.NewPCG(31, seed))
	covered := make([]int, len(horizons))
	all := 0
	for rep := range reps {
		var d []Day
		for range days {
			d = append(d, dayOf(simulate(rng, k, 0, 24)))
		}
		b, err := ReliabilityBand(context.Background(), k.Space(), d, Start{}, horizons, &BandOptions{Samples: 120, Seed: uint64(rep)})
		if err != nil {
			t.Fatal(err)
		}
		for m, h := range horizons {
			if b.Low[m] <= want[h] && want[h] <= b.High[m] {
				covered[m]++
				all++
			}
		}
	}
	for m, h := range horizons {
		t.Logf("%d steps, stays free with %.3f: covered in %.1f %%", h, want[h], 100*float64(covered[m])/float64(reps))
	}
	return float64(all) / float64(reps*len(horizons))
}

// markovMachine is light, from which it grows heavy or fails with chances that do
// not depend on the age.
func markovMachine(t *testing.T, heavier, fails float64) *Kernel {
	t.Helper()
	var atoms []Atom
	light, heavy, failed := 1.0, 1.0, 1.0
	for l := 1; l <= 400; l++ {
		atoms = append(atoms, Atom{0, 1, l, light * heavier}, Atom{0, 2, l, light * fails},
			Atom{1, 0, l, heavy * 0.25}, Atom{1, 2, l, heavy * 0.05}, Atom{2, 0, l, failed * 0.2})
		light, heavy, failed = light*(1-heavier-fails), heavy*0.7, failed*0.8
	}
	k, err := NewKernel(repairable(), atoms)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
