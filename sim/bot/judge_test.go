package bot

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Bounds against the exact binomial sums of Python (math.comb, by bisection), and that help
// holds a chance from its share of the runs on, if they are so many that they tell.
func TestJudgedBounds(t *testing.T) {
	for _, k := range []struct {
		late, runs int
		low, high  float64
	}{{0, 59, 0.9504924, 1}, {59, 59, 0, 0.0495076}, {1, 2, 0.0253206, 0.9746794}, {30, 600, 0.9327903, 0.9637840}, {8, 1000, 0.9856118, 0.9960131}, {0, 0, 0, 1}} {
		low, high := (&Trial{Runs: k.runs, Late: k.late}).Bounds()
		if math.Abs(low-k.low) > 1e-6 || math.Abs(high-k.high) > 1e-6 {
			t.Errorf("%d of %d late: %v to %v, want %v to %v", k.late, k.runs, low, high, k.low, k.high)
		}
	}
	for _, k := range []struct {
		late, runs int
		chance     float64
		want       bool
	}{{30, 600, 0.95, true}, {31, 600, 0.95, false}, {1, 20, 0.95, false}, {0, 39, 0.95, true}, {0, 38, 0.95, false},
		{8, 1000, 0.99, true}, {9, 1000, 0.99, false}, {99, 100, 0.01, true}} {
		if got := (&Trial{Runs: k.runs, Late: k.late}).Holds(k.chance); got != k.want {
			t.Errorf("%d of %d late, %v wanted: %v", k.late, k.runs, k.chance, got)
		}
	}
}

// Runs that are to be made first are, and each of the others after them once.
func TestFirstRunsOfADrawing(t *testing.T) {
	d := Drawing{First: []int{5, 0, 2}}
	var got []int
	for k := range 8 {
		got = append(got, d.replication(k))
	}
	if want := []int{5, 0, 2, 1, 3, 4, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// So many runs hold a chance if all are in time, and one fewer does not.
func TestLeastHeld(t *testing.T) {
	for _, chance := range []float64{0.01, 0.5, 0.9, 0.95, 0.99} {
		n := LeastHeld(chance)
		if !(&Trial{Runs: n}).Holds(chance) || n > 1 && (&Trial{Runs: n - 1}).Holds(chance) {
			t.Errorf("%v: %d runs", chance, n)
		}
	}
}

// staged follows help that is late with a chance p on so many runs, exactly, by numbers of late runs
// by the batch, and calls ended with each end that a trial may have, and the chance of that.
func staged(p, chance float64, runs int, ended func(t *Trial, share float64)) {
	open, looks := map[int]float64{0: 1}, []look(nil)
	for n := 0; n < runs; {
		batch := min(refineBatch, runs-n)
		n += batch
		next := map[int]float64{}
		for more := range batch + 1 {
			chance := distuv.Binomial{N: float64(batch), P: p}.Prob(float64(more))
			for before, share := range open {
				next[before+more] += share * chance
			}
		}
		open = map[int]float64{}
		looks = append(looks, look{})
		for late, share := range next {
			t := &Trial{Runs: n, Late: late}
			l := t.lookAt(chance, Drawing{Most: runs})
			looks[len(looks)-1] = l
			if isLate, inTime := l.over(); !isLate && !inTime && n < runs {
				open[late] = share
				continue
			}
			t.looks = slices.Clone(looks)
			ended(t, share)
		}
	}
}

// Help that is late half as often again as it may be is taken, and such that is late half as often
// left, with a chance of a twentieth at most; what is taken holds the chance, what is left does not;
// and help that is hardly ever late, or far too often, takes a fifth of all the runs at most.
func TestJudgedInStages(t *testing.T) {
	for _, k := range []struct {
		chance float64
		runs   int
	}{{0.5, 60}, {0.9, 300}, {0.95, 600}, {0.98, 1000}} {
		course := func(p float64) (taken, mean float64) {
			staged(p, k.chance, k.runs, func(j *Trial, share float64) {
				mean += share * float64(j.Runs)
				isLate, inTime := j.looks[len(j.looks)-1].over()
				holds := j.Holds(k.chance)
				if isLate && holds || inTime && !holds {
					t.Errorf("%d of %d late, %v wanted: in time %v, holds %v", j.Late, j.Runs, k.chance, inTime, holds)
				}
				if holds {
					taken += share
				}
			})
			return taken, mean
		}
		taken, _ := course(min(RefineConfidence, 1.5*(1-k.chance)))
		kept, _ := course(0.5 * (1 - k.chance))
		_, sooner := course(0.01 * (1 - k.chance))
		_, far := course(min(0.95, 4*(1-k.chance)))
		t.Logf("%v wanted: taken %.3f, left %.3f, after %.0f and %.0f of %d runs", k.chance, taken, 1-kept, sooner, far, k.runs)
		if taken > 0.05 || kept < 0.95 || max(sooner, far) > max(2*refineBatch, float64(k.runs)/5) {
			t.Errorf("%v wanted: taken %.3f, left %.3f, after %.0f and %.0f of %d runs", k.chance, taken, 1-kept, sooner, far, k.runs)
		}
	}
}

// Of a trial that ends as soon as it is decided each bound is passed by the chance itself in one of
// twenty at most: those of a number of runs that was set before were by up to one of eight.
func TestStagedBounds(t *testing.T) {
	const chance, runs = 0.9, 300
	type end struct{ runs, late int }
	type bounds struct{ low, high float64 }
	known := map[end]bounds{}
	for _, p := range []float64{0.02, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.125, 0.15, 0.2, 0.4} {
		low, high := 0.0, 0.0
		staged(p, chance, runs, func(j *Trial, share float64) {
			if share < 1e-6 {
				return
			}
			e := end{j.Runs, j.Late}
			b, ok := known[e]
			if !ok {
				b.low, b.high = j.Bounds()
				known[e] = b
			}
			if !(b.low <= j.InTime() && j.InTime() <= b.high) {
				t.Errorf("%d of %d late: %v to %v", j.Late, j.Runs, b.low, b.high)
			}
			if b.low > 1-p {
				low += share
			}
			if b.high < 1-p {
				high += share
			}
		})
		t.Logf("late with chance %v: passed %.4f below, %.4f above", p, low, high)
		if most := 0.0501; low > most || high > most {
			t.Errorf("late with chance %v: passed %.4f below, %.4f above", p, low, high)
		}
	}
}

// Of runs that take long no more are made than the hard limit of a drawing allows, but three; help that soon is
// late or in time is judged alike with a limit and without.
func TestJudgeOfLongRuns(t *testing.T) {
	c := &Case{
		Bag: bags.Bag{Size: bags.Spread{Mean: 40}, Work: bags.Spread{Mean: 6e6}},
		Hosts: &hosts.Platform{Count: 20, Speed: hosts.Speed{Mean: 1000, SD: 250},
			Up: law.Exponential{Scale: 1800}, Down: law.Exponential{Scale: 900}},
		Server: Checkpoint,
	}
	judged := func(hard float64) *Trial {
		d := Drawing{Seed: 3, Effort: 1e5, Hard: hard, Most: 200}
		trial, err := Judge(t.Context(), c, bags.Help{Start: 0.5, Workers: 3}, bags.Target{By: 22_000, Chance: 0.9}, d)
		if err != nil {
			t.Fatal(err)
		}
		return trial
	}
	free := judged(0)
	each := free.Effort() / float64(free.Runs)
	t.Logf("%d runs, %d late, %.0f each", free.Runs, free.Late, each)
	for hard, want := range map[float64]int{each: triedRuns, 10 * each: 10} {
		if got := judged(hard); got.Runs < min(want, triedRuns) || got.Runs > want+2 {
			t.Errorf("%.0f: %d runs of %.0f", hard, got.Runs, got.Effort()/float64(got.Runs))
		}
	}
	if got := judged(1e9); got.Runs != free.Runs || got.Late != free.Late || math.Abs(got.Hours-free.Hours) > 1e-9 {
		t.Errorf("%d runs, %d late, want %d and %d", got.Runs, got.Late, free.Runs, free.Late)
	}
}

// A run that is late for what it is judged by is not followed for months: here no machine ever stays for a task.
func TestLateRunsAreGivenUp(t *testing.T) {
	c := &Case{
		Bag: bags.Bag{Size: bags.Spread{Mean: 4}, Work: bags.Spread{Mean: 2e7}},
		Hosts: &hosts.Platform{Count: 200, Speed: hosts.Speed{Mean: 1000},
			Up: law.Exponential{Scale: 160}, Down: law.Exponential{Scale: 160}},
	}
	d := Drawing{Seed: 3, Effort: 1e5, Hard: 1e6, Most: 20}
	trial, err := Judge(t.Context(), c, bags.Help{}, bags.Target{By: 2000, Chance: 0.9}, d)
	if err != nil {
		t.Fatal(err)
	}
	if each := trial.Effort() / float64(trial.Runs); trial.Late != trial.Runs || each > 1.1*lateEvents {
		t.Errorf("%d of %d runs are late, of %.3g events each", trial.Late, trial.Runs, each)
	}
}
