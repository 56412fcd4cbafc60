package bot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/law"
)

// A race of few tasks finds help that no help of any start and any number of workers, in time on the same runs and on
// the same other runs, is .1 % cheaper than. Without the sweep of a grid some was 3 % cheaper. By BOINC, where up to
// three workers a task are tried, some is 10 % cheaper in one of six races and 1 % in another: between two numbers of
// workers of which the lesser is late, and so dear, is one that is in time.
func TestRaceAgainstAllHelp(t *testing.T) {
	const tasks, runs = 14, 80
	dearer := map[bags.Server]float64{XWHEP: 1.001, BOINC: 1.11, Checkpoint: 1.001}
	for k, c := range []Case{
		{Server: XWHEP, Cloud: Cloud{Speed: hosts.Speed{Mean: 3000}, Boot: 120}},
		{Server: BOINC, Cloud: Cloud{Speed: hosts.Speed{Mean: 1000}, Boot: 60}},
		{Server: Checkpoint, Cloud: Cloud{Speed: hosts.Speed{Mean: 1000}, Boot: 300}},
	} {
		for _, kind := range []struct {
			by     float64
			chance float64
		}{{6000, 0.5}, {7000, 0.8}, {8000, 0.9}, {9000, 0.95}, {10_000, 0.9}, {12_000, 0.95}} {
			t.Run(fmt.Sprintf("%v by %v with %v", c.Server, kind.by, kind.chance), func(t *testing.T) {
				c := c
				c.Bag = bags.Bag{Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: 3e6}}
				c.Hosts = &hosts.Platform{Count: 8, Up: law.Weibull{Shape: 0.7, Scale: 8000},
					Down: law.Exponential{Scale: 3000}, Speed: hosts.Speed{Mean: 1000, SD: 250}}
				q := &Race{Case: &c, Target: bags.Target{By: kind.by, Chance: kind.chance},
					From: bags.Help{Workers: tasks * int(c.Results())}, Runs: runs,
					MayBeLate: MayBeLate(runs, kind.chance), Seed: uint64(k), Effort: 1e9}
				raced, err := q.Run(context.Background())
				if err != nil {
					t.Fatal(err)
				}
				both := bothSets(t, q)
				var best *Trial
				for done := range tasks {
					for workers := 1; workers <= (tasks-done)*int(c.Results()); workers++ {
						h := bags.Help{Start: math.Floor(1e4*float64(done)/tasks) / 1e4, Workers: workers}
						var on [2]*Trial
						for i, r := range both {
							tried, _, _, err := r.on(h, numeric.Indices[int](runs))
							if err != nil {
								t.Fatal(err)
							}
							on[i] = r.trial(tried)
						}
						if max(on[0].Late, on[1].Late) <= q.MayBeLate && (best == nil || on[0].Hours < best.Hours) {
							best = on[0]
						}
					}
				}
				switch {
				case best == nil && raced.Best == nil:
				case best == nil || raced.Best == nil:
					t.Fatalf("all help: %+v, race %+v", best, raced.Best)
				case raced.Best.Hours > dearer[c.Server]*best.Hours:
					t.Errorf("%v %d takes %.4g h, %v %d %.4g h", best.Start, best.Workers, best.Hours, raced.Best.Start,
						raced.Best.Workers, raced.Best.Hours)
				default:
					t.Logf("%v %d takes %.4g h, %v %d %.4g h; tried %d", best.Start, best.Workers, best.Hours, raced.Best.Start,
						raced.Best.Workers, raced.Best.Hours, raced.Tried)
				}
			})
		}
	}
}

// With help of any start and number of workers that is late in about one run of twenty, most of the late runs are the
// same: what makes them late is how their machines come and go.
func TestLateRunsAreTheSame(t *testing.T) {
	q := twentieth()
	r, err := q.begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	late := map[int]int{}
	help := []bags.Help{{Start: 0.4, Workers: 1}, {Start: 0.5511, Workers: 1}, {Start: 0.9481, Workers: 12},
		{Start: 0.9522, Workers: 15}, {Start: 0.9754, Workers: 19}}
	sum := 0
	for _, h := range help {
		tried, _, _, err := r.on(h, numeric.Indices[int](q.Runs))
		if err != nil {
			t.Fatal(err)
		}
		runs := r.trial(tried).LateRuns()
		t.Logf("%v %d: %d late", h.Start, h.Workers, len(runs))
		for _, k := range runs {
			late[k]++
			sum++
		}
	}
	often := 0
	for _, n := range late {
		if n >= len(help)-1 {
			often += n
		}
	}
	t.Logf("%d late in all, %d of them in runs that are late with all but one", sum, often)
	if 2*often < sum {
		t.Errorf("%d late in all, but only %d in runs late with all but one", sum, often)
	}
}

// The time of a point, from the runs that are likely to be late, is at most that of all runs and within 1 % of it,
// with no help and with more than is needed too; its hours are within 5 %.
func TestPointsOfARace(t *testing.T) {
	q := twentieth()
	q.From = bags.Help{Start: 0.9522, Workers: 15}
	raced, err := q.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	both := bothSets(t, q)
	for _, h := range []bags.Help{{}, {Start: 0.4, Workers: 1}, {Start: 0.75, Workers: 1}, {Start: 0.75, Workers: 4},
		{Start: 0.75, Workers: 14}, {Start: 0.9, Workers: 30}, {Start: 0, Workers: 3}, {Start: 0, Workers: 100}} {
		p, err := raced.Point(h)
		if err != nil {
			t.Fatal(err)
		}
		var by float64
		var all [2]*Trial
		for i, r := range both {
			tried, _, _, err := r.on(h, numeric.Indices[int](q.Runs))
			if err != nil {
				t.Fatal(err)
			}
			all[i] = r.trial(tried)
			by = max(by, slices.Sorted(slices.Values(tried.ends))[q.Runs-1-q.MayBeLate])
		}
		hours := all[0].Hours
		t.Logf("%v %d: by %.0f s, of all runs %.0f s, for %.4g h, of all runs %.4g h", h.Start, h.Workers, p.By, by, p.Hours,
			hours)
		if p.By > by || p.By < 0.99*by || math.Abs(p.Hours-hours) > 0.05*hours {
			t.Errorf("%v %d: by %v s, of all runs %v s, for %v h, of all runs %v h", h.Start, h.Workers, p.By, by, p.Hours,
				hours)
		}
	}
}

// twentieth is a race for help of which one run in twenty may be late.
func twentieth() *Race {
	return &Race{
		Case: &Case{
			Bag: bags.Bag{Size: bags.Spread{Mean: 733}, Work: bags.Spread{Mean: 1_861_201}},
			Hosts: &hosts.Platform{Count: 107, Up: law.Weibull{Shape: 0.7, Scale: 13_730}, Down: law.Exponential{Scale: 2648},
				Speed: hosts.Speed{Mean: 1000}},
			Server: Checkpoint, Cloud: Cloud{Speed: hosts.Speed{Mean: 6000}, Boot: 60},
		},
		Target: bags.Target{By: 16_517, Chance: 0.95}, Runs: 206, MayBeLate: 9, Seed: 1, Effort: 4e7,
	}
}

// bothSets are races that have not begun, on the runs of one and on those on which its best is run again.
func bothSets(t *testing.T, q *Race) (both [2]*racing) {
	t.Helper()
	other := *q
	other.Seed++
	for i, q := range []*Race{q, &other} {
		var err error
		if both[i], err = q.begin(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	return both
}

// A race that holds help against two sets of runs from the beginning finds with half the effort what it takes to be no
// dearer than a worker from .4 on. One that searched the first set closely, and only then held the best against the
// others, had it rejected there and took 1.7 times its effort.
func TestRaceOnBothSets(t *testing.T) {
	q := twentieth()
	q.From = bags.Help{Start: 0.9522, Workers: 32}
	q.Effort /= 2
	raced, err := q.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	h, best := bags.Help{Start: 0.4, Workers: 1}, math.Inf(1)
	for _, r := range bothSets(t, q) {
		_, late, hours, err := r.on(h, numeric.Indices[int](q.Runs))
		if err != nil || late > q.MayBeLate {
			t.Fatalf("%v: %d late, %v", h, late, err)
		}
		best = min(best, hours/float64(q.Runs))
	}
	effort := (raced.racing.effort + raced.racing.again.effort) / q.Effort
	t.Logf("%v %d for %.4g h, %v %d for %.4g h, with %.2f of the effort", raced.Best.Start, raced.Best.Workers,
		raced.Best.Hours, h.Start, h.Workers, best, effort)
	late := max(raced.Best.Late, raced.Again.Late)
	if late > q.MayBeLate || raced.Best.Hours > 1.02*best || effort > 1.15 {
		t.Errorf("%d late, for %v h, not %v, with %v of the effort", late, raced.Best.Hours, best, effort)
	}
}

// A race looks for help down to the last task: where the starts of its list leave two tasks or none it missed help
// from the last one, for .54 of the hours.
func TestRaceDownToTheLastTask(t *testing.T) {
	q := twentieth()
	q.Case.Bag.Size.Mean, q.From = 81, bags.Help{Workers: 81}
	raced, err := q.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	starts := raced.racing.starts
	if last := starts[len(starts)-1].start; last != 0.9876 {
		t.Errorf("the last start is %v", last)
	}
}

// Where the cloud does nearly all, a worker for every two tasks is in time for less than a few more or fewer take: one
// fewer, and some do three tasks while the others wait. A race without a sweep of such numbers found 83 workers.
func TestRaceEvenly(t *testing.T) {
	q := &Race{
		Case: &Case{
			Bag: bags.Bag{Size: bags.Spread{Mean: 153}, Work: bags.Spread{Mean: 1_863_330}},
			Hosts: &hosts.Platform{Count: 223, Up: law.Weibull{Shape: 0.7, Scale: 39_355}, Down: law.Exponential{Scale: 8311},
				Speed: hosts.Speed{Mean: 1000}},
			Server: Checkpoint, Cloud: Cloud{Speed: hosts.Speed{Mean: 3000}, Boot: 300},
		},
		Target: bags.Target{By: 2184, Chance: 0.99}, From: bags.Help{Workers: 153}, Runs: 100, MayBeLate: 0, Seed: 1,
		Effort: 4e7,
	}
	raced, err := q.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if raced.Best.Start != 0 || raced.Best.Workers != 77 {
		t.Errorf("%v %d for %v h, want 77 workers from the beginning", raced.Best.Start, raced.Best.Workers, raced.Best.Hours)
	}
}
