package alloc

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// Beside the few resources of a crowd that its jobs would be put on, a failure costs what it costs beside all of them:
// also where some jobs, or all of them, name the resources that they may use, and where these resources are yet fewer.
func TestCrowdLosesNothing(t *testing.T) {
	defer func(was, sites int) { crowded, mostSites = was, sites }(crowded, mostSites)
	few := []int{mostSites, 0} // resources that fit a demand best: one more than there are jobs, and one
	r := rand.New(rand.NewPCG(1, 2))
	same, all := 0, [3]int{}
	for seed := range 72 {
		b, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"compute"}, Jobs: 60 + r.IntN(60),
			Resources: 20 + r.IntN(30), PrimaryFactor: 1 + r.Float64(), BackupFactor: 0.1 + 0.5*r.Float64(), Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		// Resources that are like each other leave little to choose.
		for j := range b.Resources {
			b.Resources[j].BackupCapacity = r.Int64N(2 * max(1, b.Resources[j].BackupCapacity))
			b.Resources[j].PrimaryCapacity *= int64(1 + seed%3) // jobs that name few need more room
		}
		for k := range b.Jobs {
			if seed%3 > 0 && (seed%3 == 2 || r.IntN(2) == 0) {
				may := []string{}
				for _, j := range r.Perm(len(b.Resources))[:2+r.IntN(5)] {
					may = append(may, b.Resources[j].ID)
				}
				b.Jobs[k].Eligible = map[string][]string{"compute": may}
			}
		}
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.Allocate(context.Background(), Options{})
		if err != nil {
			continue // a job that fits nowhere
		}
		crowded = math.MaxInt
		want, err := s.Backup(context.Background(), a.Choices, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		crowded, mostSites = 4, few[seed%2]
		got, err := s.Backup(context.Background(), a.Choices, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got.Loss != want.Loss || len(got.Homeless) != len(want.Homeless) {
			t.Errorf("seed %d: loss %d, %d homeless, want %d and %d", seed, got.Loss, len(got.Homeless), want.Loss,
				len(want.Homeless))
		}
		if p, q := got.Bounds.Published, want.Bounds.Published; (p == nil) != (q == nil) || p != nil && *p != *q {
			t.Errorf("seed %d: the printed bound is another", seed)
		}
		if best := got.Bounds.Best; best > float64(got.Loss) {
			t.Errorf("seed %d: a bound of %v on a loss of %d", seed, best, got.Loss)
		}
		all[seed%3]++
		if slices.EqualFunc(got.Choices, want.Choices, slices.Equal) {
			same++
		}
	}
	if t.Logf("the same backups in %d of %d", same, all); slices.Min(all[:]) < 12 {
		t.Errorf("%d batches without lists, with some and with all", all)
	}
}

// A task of one job is answered as the search answers it.
func TestAloneIsAsSearched(t *testing.T) {
	defer func(was int) { crowded = was }(crowded)
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	alone := 0
	for seed := range 300 {
		crowded = []int{4, math.MaxInt}[seed%2]
		b := &Batch{Dependencies: []string{"cpu"}}
		for j := range 2 + r.IntN(20) {
			b.Resources = append(b.Resources, Resource{ID: "r" + strconv.Itoa(j), Dependency: "cpu", PrimaryCapacity: 400,
				BackupCapacity: r.Int64N(40) * r.Int64N(12), RiskGroup: []string{"", "", "g"}[r.IntN(3)]})
		}
		for k := range 1 + r.IntN(len(b.Resources)) {
			levels, l := []Level{}, Level{r.Int64N(3) * r.Int64N(60), r.Int64N(2) * r.Int64N(100)}
			for range 1 + r.IntN(5) {
				levels = append(levels, l)
				l.Demand += 1 + r.Int64N(60)
				l.Revenue += r.Int64N(2) * r.Int64N(100)
			}
			b.Jobs = append(b.Jobs, Job{ID: "j" + strconv.Itoa(k), Levels: map[string][]Level{"cpu": levels}})
		}
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		down := make([]bool, len(s.names))
		down[r.IntN(len(down))] = r.IntN(2) == 0
		primary := s.empty()
		for k := range b.Jobs { // one for each resource that is up, so that many are alone
			if j := int32(r.IntN(len(b.Resources))); !down[s.units[j]] {
				primary[0][k] = Choice{j, 1 + r.Int32N(int32(len(b.Jobs[k].Levels["cpu"])))}
			}
		}
		d, capacity := &s.deps[0], s.deps[0].backup
		failings, jobs, _ := s.failings(primary, false)
		crowd := s.crowd(0, capacity, down, nil)
		for _, f := range failings {
			for _, mode := range []BackupMode{Soft, Strict} {
				o := BackupOptions{Mode: mode}
				if o.Options, err = o.check(); err != nil {
					t.Fatal(err)
				}
				got, want := s.task(f, jobs, primary[0], crowd, 0), s.task(f, jobs, primary[0], crowd, 0)
				got.homeless = s.homeless(&got, primary[0], capacity, down)
				if mode == Strict && len(got.homeless) > 0 {
					continue
				}
				choices := s.empty()[0]
				if !s.alone(&got, mode == Soft, primary[0], capacity, down, choices) {
					continue
				}
				alone++
				p, bins := s.pack(&want, primary[0], capacity, down, mode == Soft)
				if err := s.lossBounds(ctx, &want, p, o, primary[0]); err != nil {
					t.Fatal(err)
				}
				sol, _, proven, _ := solveBy(ctx, o.Options, p, float64(want.earned)-want.bounds.best, 1)
				choice := none
				if sol.bin[0] >= 0 {
					choice = Choice{d.resource[bins[sol.bin[0]]], sol.level[0] - p.first[0] + 1}
					if p.isOut(0, 0) {
						choice.Level--
					}
				}
				if !proven || got.value != sol.value || choices[d.job[got.jobs[0]]] != choice ||
					fmt.Sprint(got.bounds) != fmt.Sprint(want.bounds) {
					t.Fatalf("seed %d, %s: %v of %v, %v, want %v of %v, %v (proven %v)", seed, mode, got.value,
						choices[d.job[got.jobs[0]]], got.bounds, sol.value, choice, want.bounds, proven)
				}
			}
		}
	}
	if alone < 1000 {
		t.Errorf("%d tasks of one job, want more", alone)
	}
}

// A failure of jobs that name resources is looked at beside these only, however many others there are.
func TestListedCrowdIsFew(t *testing.T) {
	defer func(was int) { crowded = was }(crowded)
	crowded = 4
	b := planted(rand.New(rand.NewPCG(5, 6)), 60, 3, 3, func() int64 { return 2 }, 3)
	s, a := allocated(t, b)
	down := make([]bool, len(s.names))
	failings, jobs, _ := s.failings(a.Choices, false)
	crowd := s.crowd(0, s.deps[0].backup, down, nil)
	for _, f := range failings {
		task := s.task(f, jobs, a.Choices[0], crowd, 0)
		if sites, few := s.sites(nil, &task, a.Choices[0], down); !few || len(sites) > 2*len(task.jobs) {
			t.Errorf("%d jobs that name three resources each: beside %d", len(task.jobs), len(sites))
		}
	}
}

// A job that may use any bin is not compared with each of them because others name theirs: all know the largest.
func TestWidestOfAnOpenJob(t *testing.T) {
	p := &problem{cap: []int64{3, 5, 4}, sites: [][]int32{nil, {0, 2}}}
	if open, listed := p.widest(0, 99), p.widest(1, 99); open != 99 || listed != 4 {
		t.Errorf("widest of an open job %d, of a listed one %d, want 99 as given and 4", open, listed)
	}
}
