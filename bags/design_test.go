package bags

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// A gridCase is a bag with a deadline, as it was drawn.
type gridCase struct {
	name   string
	setup  Setup
	cloud  Cloud
	early  float64 // where between the soonest and the quantile of the chance the deadline lies
	chance float64
}

// chosenCases are 48 cases of a seed, or four of them where long tests are not wanted.
func chosenCases(t *testing.T, seed uint64) []gridCase {
	t.Helper()
	all := gridCases(t, 48, seed)
	return longtest.Of([]gridCase{all[14], all[17], all[28], all[41]}, all)
}

// gridCases are drawn by a seed: half of them under each server on a row of table 2 in turn, the other
// half on drawn machines.
func gridCases(t *testing.T, number int, seed uint64) []gridCase {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1126))
	pick := func(of ...float64) float64 { return of[r.IntN(len(of))] }
	between := func(low, high float64) float64 { return low * math.Pow(high/low, r.Float64()) }
	var all []gridCase
	for i := range number {
		k := gridCase{early: r.Float64(), chance: pick(0.5, 0.8, 0.9, 0.95, 0.95, 0.99, 0.999)}
		k.setup.Server = []Server{XWHEP, BOINC, Checkpoint}[i%3]
		kind := ""
		if i/3%2 == 0 {
			trace := hosts.Traces()[i/6%6]
			p, err := trace.Platform()
			if err != nil {
				t.Fatal(err)
			}
			kind, k.setup.Hosts = trace.Name, p
			b := Bags()[r.IntN(3)]
			k.setup.Bag = b
		} else {
			machines, stay := math.Round(between(30, 1500)), between(1000, 60_000)
			up := []law.Law{law.Exponential{Scale: stay}, law.Weibull{Shape: 0.7, Scale: stay},
				law.LogNormal{Mu: math.Log(stay) - 1.1, Sigma: 1.5}}[r.IntN(3)]
			p := &hosts.Platform{Count: int(machines), Up: up, Down: law.Exponential{Scale: between(300, 10_000)},
				Speed: hosts.Speed{Mean: 1000, SD: 1000 * pick(0, 0.1, 0.25)}}
			b := Bag{Name: "drawn", Size: Spread{Mean: math.Round(machines * between(0.2, 20))},
				Work: Spread{Mean: between(0.5, 60) * 60_000}}
			if r.IntN(4) == 0 {
				b.Arrival = law.Weibull{Shape: 0.57, Scale: between(20, 500)}
			}
			if r.IntN(4) == 0 {
				b.Size.SD, b.Work.SD = 0.1*b.Size.Mean, 0.2*b.Work.Mean
			}
			kind, k.setup.Hosts, k.setup.Bag = fmt.Sprintf("%d %T", p.Count, up), p, b
		}
		k.cloud = Cloud{Speed: pick(1000, 3000, 6000), Boot: pick(0, 60, 120, 300), Look: 60}
		if r.IntN(3) == 0 {
			k.cloud.Speed, k.cloud.SD = 3000, 300
		}
		if r.IntN(5) == 0 {
			k.cloud.Most = int(between(1, 60))
		}
		k.name = fmt.Sprintf("%d: %v on %s, %s of %.0f x %.0f, at %.2f with %v, cloud %+v", i, k.setup.Server, kind,
			k.setup.Bag.Name, k.setup.Bag.Size.Mean, k.setup.Bag.Work.Mean, k.early, k.chance, k.cloud)
		all = append(all, k)
	}
	return all
}

// law is that of the case, with its target.
func (k *gridCase) law(t *testing.T) (*FinishLaw, Target) {
	t.Helper()
	f, err := Finish(&k.setup)
	if err != nil {
		t.Fatal(err)
	}
	low, high := 0.3*f.Ideal, f.Quantile(k.chance)
	if math.IsInf(high, 1) {
		high = f.law.End()
	}
	if math.IsInf(low, 1) {
		low = 0.1 * high
	}
	return f, Target{low * math.Pow(high/low, k.early), k.chance}
}

// brute returns the cheapest help of a grid of starts and numbers of workers by a law, nil where none
// reaches the target, and the greatest chance of any. The grid is as much finer as fine is greater; from
// where on more workers take three times the hours of the cheapest they are left out.
func brute(f *FinishLaw, t Target, c Cloud, fine float64) (best *Helped, most float64) {
	f = f.within(t.By)
	all := slices.Clone(starts)
	for s := 0.0; s < 0.9; s += 0.01 / fine {
		all = append(all, s)
	}
	for x := 1.0; x < 3.6; x += 0.03 / fine {
		all = append(all, 1-math.Pow(10, -x))
	}
	slices.Sort(all)
	all = slices.CompactFunc(all, func(a, b float64) bool { return f.startTask(a) == f.startTask(b) })
	slices.Reverse(all)
	var w *helping
	defer func() { w.leave() }()
	for _, s := range all {
		if !f.helps(Help{s, 1}, c) {
			continue
		}
		w = f.helping(s, c, false, w)
		for k, enough := 1, f.enough(s, c); ; {
			chance := w.chance(k, t.By)
			if most = max(most, chance); chance >= t.Chance {
				h := w.helped(Help{s, k}, Target{})
				if best == nil || h.Hours < best.Hours {
					best = h
				}
				if h.Hours > 3*best.Hours {
					break
				}
			}
			if k == enough {
				break
			}
			more := 1
			if float64(k) > 20*fine {
				more = max(1, int(float64(k)*0.04/fine))
			}
			k = min(k+more, enough)
		}
	}
	return best, most
}

// No design is beaten by more than 2 % of its hours by a grid of starts and numbers of workers, of
// cases that were drawn by seeds: those of the first were written down before they were looked at, and
// three of its 26 designs were beaten then, by 3 to 10 %, and 13 of 65 of the seeds 1 to 3, by 3 to 71 %,
// as starts between those of the list were tried beside the best of them alone. Where there is no help
// by the law there is none in the grid, and none has a chance that is greater by more than .01 than the
// one told.
func TestDesignIsNotBeaten(t *testing.T) {
	seeds, fine := longtest.Of([]uint64{1126}, []uint64{1126, 1, 2, 3, 6, 7}), longtest.Of(0.2, 0.4)
	for _, seed := range seeds {
		designs, worst := 0, 1.0
		for _, k := range chosenCases(t, seed) {
			f, target := k.law(t)
			h, ok, err := f.Cheapest(context.Background(), target, k.cloud)
			if err != nil {
				t.Fatal(err)
			}
			if ok && h.Workers == 0 {
				continue
			}
			least, most := brute(f, target, k.cloud, fine)
			switch {
			case ok && !(h.Chance(target.By) >= target.Chance-1e-6):
				t.Errorf("seed %d, %s: %+v has the chance %v", seed, k.name, h.Help, h.Chance(target.By))
			case ok && least != nil:
				designs++
				worst = max(worst, h.Hours/least.Hours)
				if h.Hours > 1.02*least.Hours {
					t.Errorf("seed %d, %s: %+v for %.5g hours, of a grid %+v for %.5g", seed, k.name, h.Help, h.Hours,
						least.Help, least.Hours)
				}
			case least != nil:
				t.Errorf("seed %d, %s: none, of a grid %+v", seed, k.name, least.Help)
			case !ok && most > h.Chance(target.By)+0.01:
				t.Errorf("seed %d, %s: %+v has the chance %v, of a grid %v", seed, k.name, h.Help, h.Chance(target.By), most)
			}
		}
		t.Logf("seed %d: of %d designs the worst takes %.4f times the hours of the grid", seed, designs, worst)
	}
}

// Between two starts from which 3 workers are a little too late they may be in time: 4 were told for .1104
// hours where 3 from .865 on take .0983.
func TestFewerWorkersBetween(t *testing.T) {
	k := gridCases(t, 48, 1)[18]
	f, target := k.law(t)
	h, ok, err := f.Cheapest(context.Background(), target, k.cloud)
	if err != nil || !ok {
		t.Fatal(h, ok, err)
	}
	least := f.within(target.By).With(Help{0.865, 3}, k.cloud)
	if least.Chance(target.By) < target.Chance || h.Hours > 1.02*least.Hours {
		t.Errorf("%+v for %.5g hours, %+v with the chance %v for %.5g", h.Help, h.Hours, least.Help,
			least.Chance(target.By), least.Hours)
	}
}

// No more workers are told than tasks are left: those beyond had none to do, and were told to make all
// sooner and so cheaper. 1102 for 1000 tasks took 542.8 hours in 39 simulated runs, and 1000 of them 492.5.
func TestNoMoreWorkersThanTasks(t *testing.T) {
	f, err := Finish(onTrace(t, "spot100", Setup{Server: Checkpoint, Bag: Bags()[0]}))
	if err != nil {
		t.Fatal(err)
	}
	c := Cloud{Speed: 3000, SD: 300, Boot: 120, Look: 60}
	for _, share := range []float64{0.5, 0.75, 0.9} {
		target := Target{share * f.Quantile(0.95) / 1.03, 0.95}
		h, _, err := f.Cheapest(context.Background(), target, c)
		if err != nil {
			t.Fatal(err)
		}
		if most := f.enough(h.Start, c); h.Workers > most {
			t.Errorf("by %.0f s %+v, and %d tasks are left", target.By, h.Help, most)
		}
	}
}
