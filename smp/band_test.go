package smp

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

func dayOf(s Sequence) Day { return Day{Parts: []Sequence{s}, Whole: true} }

// The 90 % band of 40 simulated days covers the known reliability in 85 to
// 95 % of 200 repetitions.
func TestBandCoverage(t *testing.T) {
	k := trueFleet(t)
	const n, reps, days = 24, 200, 40
	want := solveFrom(t, k, n, Auto, Start{}).Reliability
	for _, o := range []BandOptions{{Method: Bootstrap, Samples: 120}, {Method: WaldLogit}, {Method: WaldLogLog}} {
		if o.Method != WaldLogit && !longtest.Wanted() {
			continue // 24,000 estimates by Bootstrap
		}
		rng := rand.New(rand.NewPCG(21, 22))
		horizons := []int{12, n}
		covered := make([]int, len(horizons))
		for rep := range reps {
			var d []Day
			for range days {
				d = append(d, dayOf(simulate(rng, k, 0, n)))
			}
			o.Seed = uint64(rep)
			b, err := ReliabilityBand(context.Background(), repairable(), d, Start{}, horizons, &o)
			if err != nil {
				t.Fatal(err)
			}
			for m, h := range horizons {
				if b.Low[m] < 0 || b.High[m] > 1 || b.Low[m] > b.Estimate[m] || b.High[m] < b.Estimate[m] {
					t.Fatalf("band %v..%v around %v", b.Low[m], b.High[m], b.Estimate[m])
				}
				if b.Low[m] <= want[h] && want[h] <= b.High[m] {
					covered[m]++
				}
			}
		}
		t.Logf("method %d: covered %v of %d", o.Method, covered, reps)
		for m, c := range covered {
			if c < 170 || c > 190 {
				t.Errorf("method %d, horizon %d: covered %d of %d, want 170..190", o.Method, horizons[m], c, reps)
			}
		}
	}
}

func TestBandEdges(t *testing.T) {
	var d []Day
	for range 10 {
		d = append(d, dayOf(SequenceOf(make([]int, 30))))
	}
	for _, m := range []BandMethod{Bootstrap, WaldLogit, WaldLogLog} {
		b, err := ReliabilityBand(context.Background(), repairable(), d, Start{}, []int{0, 20}, &BandOptions{Method: m, Samples: 20})
		if err != nil {
			t.Fatal(err)
		}
		// None of ten days failed: 0.05^(1/10).
		want := math.Pow(0.05, 0.1)
		if b.Estimate[1] != 1 || b.High[1] != 1 || math.Abs(b.Low[1]-want) > 1e-14 || b.Low[0] != 1 || len(b.Warnings) == 0 {
			t.Errorf("method %d: %+v, want low %v", m, b, want)
		}
	}
	one := &BandOptions{Seed: 5, Samples: 50}
	d = append(d, dayOf(SequenceOf([]int{0, 0, 0, 2, 2, 0})))
	a, _ := ReliabilityBand(context.Background(), repairable(), d, Start{}, []int{20}, one)
	b, _ := ReliabilityBand(context.Background(), repairable(), d, Start{}, []int{20}, one)
	if !reflect.DeepEqual(a, b) {
		t.Error("the same seed gave another band")
	}
	if _, err := ReliabilityBand(context.Background(), repairable(), d[:1], Start{}, []int{20}, nil); err == nil {
		t.Error("one day gave a band")
	}
}

// Where the number of resamples is not given, very many stays are drawn from less often.
func TestBandOfManyStays(t *testing.T) {
	day := dayOf(make(Sequence, 100_000))
	for days, want := range map[int]int{1: 399, 2: 199, 30: 20} {
		if got := usualResamples(slices.Repeat([]Day{day}, days)); got != want {
			t.Errorf("%d days: %d resamples, want %d", days, got, want)
		}
	}
	if got := usualResamples(make([]Day, 10)); got != 400 {
		t.Errorf("%d resamples, want 400", got)
	}
}
