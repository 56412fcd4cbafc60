package reliability_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

func TestUpDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var u reliability.UpDown
		type key struct {
			machine int
			up      bool
		}
		spells := map[key][]reliability.Spell{}
		clock := map[int]float64{}
		for range rapid.IntRange(1, 60).Draw(t, "spells") {
			m := rapid.IntRange(-1, 3).Draw(t, "machine")
			start := clock[m] + float64(rapid.IntRange(0, 3).Draw(t, "gap"))
			s := reliability.Spell{m, start, start + float64(rapid.IntRange(0, 9).Draw(t, "length")),
				rapid.Bool().Draw(t, "up"), rapid.Bool().Draw(t, "censored"), rapid.Bool().Draw(t, "cut")}
			clock[m] = s.End
			if err := u.Add(s); err != nil {
				t.Fatal(err)
			}
			spells[key{m, s.Up}] = append(spells[key{m, s.Up}], s)
			spells[key{99, s.Up}] = append(spells[key{99, s.Up}], s)
		}
		records := append(u.Machines(), u.Fleet())
		if f := records[len(records)-1]; f.Machine != len(clock) {
			t.Fatalf("fleet of %d, want %d", f.Machine, len(clock))
		}
		records[len(records)-1].Machine = 99
		for _, r := range records {
			for _, side := range []struct {
				up  bool
				got reliability.StateTotals
			}{{true, r.Up}, {false, r.Down}} {
				list := spells[key{r.Machine, side.up}]
				var want reliability.StateTotals
				var completeTime, squares float64
				for _, s := range list {
					l := s.End - s.Start
					want.Spells++
					want.Time += l
					if !s.Censored {
						want.Ended++
						if !s.Cut {
							want.Complete++
							completeTime += l
						}
					}
				}
				if want.Spells > 0 {
					want.Mean = want.Time / float64(want.Spells)
				}
				if want.Complete > 0 {
					want.MeanComplete = completeTime / float64(want.Complete)
				}
				if want.Ended > 0 {
					want.MeanLife = want.Time / float64(want.Ended)
				}
				for _, s := range list {
					squares += (s.End - s.Start - want.Mean) * (s.End - s.Start - want.Mean)
				}
				if len(list) > 1 {
					want.StdDev = math.Sqrt(squares / float64(len(list)-1))
				}
				if math.Abs(side.got.StdDev-want.StdDev) > 1e-9 {
					t.Fatalf("machine %d: %+v, want %+v", r.Machine, side.got, want)
				}
				side.got.StdDev = want.StdDev
				if side.got != want {
					t.Fatalf("machine %d: %+v, want %+v", r.Machine, side.got, want)
				}
			}
			if total := r.Up.Time + r.Down.Time; total > 0 && r.Availability != r.Up.Time/total {
				t.Fatalf("%+v", r)
			}
		}
	})
}

func TestUpDownErrors(t *testing.T) {
	var u reliability.UpDown
	var e *reliability.SpellError
	if err := u.Add(reliability.Spell{Machine: 7, Start: 5, End: 3}); !errors.As(err, &e) || e.Machine != 7 {
		t.Errorf("backward: %v", err)
	}
	if n := len(u.Machines()); n != 0 {
		t.Errorf("a refused spell left %d machines", n)
	}
	if err := u.Add(reliability.Spell{Machine: 7, Start: 5, End: 9, Up: true}); err != nil {
		t.Fatal(err)
	}
	if err := u.Add(reliability.Spell{Machine: 7, Start: 8, End: 12}); !errors.As(err, &e) || e.Before != 9 {
		t.Errorf("overlap: %v", err)
	}
	wantDomain(t, u.Add(reliability.Spell{Start: math.NaN()}), "Start")
	wantDomain(t, u.Add(reliability.Spell{End: math.Inf(1)}), "End")
	wantDomain(t, u.Add(reliability.Spell{Start: -1e308, End: 1e308}), "End - Start")
	if f := u.Fleet(); f.Up.Spells != 1 || f.Down.Spells != 0 || f.Availability != 1 {
		t.Errorf("%+v", f)
	}
	var none reliability.UpDown
	if f := none.Fleet(); f != (reliability.MachineRecord{}) {
		t.Errorf("empty: %+v", f)
	}
}

// A watch that begins and ends in the middle of spells: MeanLife keeps to the
// truth, within 4 standard errors, where the mean of complete spells is short.
func TestUpDownCensoring(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var u reliability.UpDown
	const mttf, mttr, watch = 50.0, 20.0, 100.0
	for m := range 4000 {
		up := rng.Float64() < mttf/(mttf+mttr) // stationary
		for at, first := 0.0, true; at < watch; first = false {
			mean := mttr
			if up {
				mean = mttf
			}
			end := at + mean*rng.ExpFloat64() // memoryless: also from the cut
			s := reliability.Spell{Machine: m, Start: at, End: math.Min(end, watch), Up: up, Censored: end >= watch, Cut: first}
			if err := u.Add(s); err != nil {
				t.Fatal(err)
			}
			at, up = end, !up
		}
	}
	f := u.Fleet()
	if se := mttf / math.Sqrt(float64(f.Up.Ended)); math.Abs(f.MTTF()-mttf) > 4*se {
		t.Errorf("MTTF = %v, want %v ± %v", f.MTTF(), mttf, se)
	}
	if se := mttr / math.Sqrt(float64(f.Down.Ended)); math.Abs(f.MTTR()-mttr) > 4*se {
		t.Errorf("MTTR = %v, want %v ± %v", f.MTTR(), mttr, se)
	}
	if f.Up.MeanComplete > 0.8*mttf {
		t.Errorf("mean of complete spells %v is not short", f.Up.MeanComplete)
	}
	numtest.Close(t, "availability", f.Availability, 5.0/7, 0.01)
}

func ExampleUpDown() {
	var u reliability.UpDown
	for _, s := range []reliability.Spell{
		{Machine: 1, Start: 0, End: 40, Up: true, Cut: true},
		{Machine: 1, Start: 40, End: 50},
		{Machine: 1, Start: 50, End: 100, Up: true, Censored: true},
		{Machine: 2, Start: 0, End: 100, Up: true, Cut: true, Censored: true},
	} {
		if err := u.Add(s); err != nil {
			fmt.Println(err)
		}
	}
	f := u.Fleet()
	fmt.Printf("MTTF %g, MTTR %g, availability %g\n", f.MTTF(), f.MTTR(), f.Availability)
	// Output:
	// MTTF 190, MTTR 10, availability 0.95
}

func BenchmarkUpDown(b *testing.B) {
	b.Run("spells=588463", func(b *testing.B) {
		for b.Loop() {
			var u reliability.UpDown
			for i := range 588_463 {
				m, at := i%1288, float64(i/1288)
				if err := u.Add(reliability.Spell{Machine: m, Start: at, End: at + 1, Up: i&1 == 0}); err != nil {
					b.Fatal(err)
				}
			}
			u.Fleet()
		}
	})
}
