package bot

import (
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// grouped are machines of which groups are away at once.
func grouped(machines, groups int) *hosts.Platform {
	return &hosts.Platform{
		Count: machines, Up: law.Exponential{Scale: 6 * 3600}, Down: law.Exponential{Scale: 3600},
		Speed:  hosts.Speed{Mean: 1000, SD: 250},
		Groups: hosts.Groups{Count: groups, Up: law.Exponential{Scale: 86400}, Down: law.Exponential{Scale: 7200}},
	}
}

// oneByOne are the runs that are drawn where one follows the other.
func oneByOne(t *testing.T, c *Case, d Drawing) (runs [][]float64, ok bool) {
	t.Helper()
	spent := 0.0
	for len(runs) < d.Most && spent < d.Effort {
		if k := float64(len(runs)); len(runs) >= triedRuns && spent/k*float64(d.Least) > d.Effort {
			return nil, false
		}
		begun, run := -float64(stopEvents), len(runs)
		_, start := math.Modf(0.5 + float64(run)*golden)
		chance := hosts.Chance(func(e ...uint64) *rand.Rand { return sim.Stream(d.Seed, run, e...) }).From(start)
		o, err := Simulate(c, Chance(chance), func() error {
			if begun += stopEvents; spent+begun > d.Effort {
				return errTooLong
			}
			return nil
		})
		if err != nil {
			break
		}
		spent += float64(o.Events) + machineEffort*float64(c.Hosts.Machines()) + taskEffort*float64(o.Tasks)
		runs = append(runs, timesOf(o.Tasks, o.Progress.CompletionTime))
	}
	return runs, len(runs) >= d.Least
}

// The runs that are drawn are the same on any number of processors, where the effort ends them
// between two runs, within a run, or is too little for as many as are wanted.
func TestDrawnRunsOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, k := range []struct {
		c Case
		d Drawing
	}{
		{Case{Bag: bag(60, 1.8e6), Hosts: grouped(30, 3), Server: BOINC}, Drawing{Seed: 1, Effort: 1e9, Least: 10, Most: 150}},
		{Case{Bag: bag(60, 1.8e6), Hosts: grouped(30, 3)}, Drawing{Seed: 2, Effort: 20e3, Least: 10, Most: 1000}},
		{Case{Bag: bag(3000, 1.8e6), Hosts: grouped(30, 3)}, Drawing{Seed: 3, Effort: 50e3, Least: 2, Most: 100}},
		{Case{Bag: bag(3000, 1.8e6), Hosts: grouped(30, 3)}, Drawing{Seed: 3, Effort: 50e3, Least: 30, Most: 100}},
	} {
		want, wantOK := oneByOne(t, &k.c, k.d)
		for _, processors := range []int{1, 2, 8} {
			runtime.GOMAXPROCS(processors)
			got, ok, err := Draw(context.Background(), &k.c, k.d)
			if err != nil || ok != wantOK {
				t.Fatalf("%+v: ok %v, want %v: %v", k.d, ok, wantOK, err)
			}
			if ok && !reflect.DeepEqual(got, want) {
				t.Errorf("%+v: %d runs on %d processors, want %d, or others", k.d, len(got), processors, len(want))
			}
		}
		t.Logf("%+v: %d runs, %v", k.d, len(want), wantOK)
	}
}

// Listed tasks that are too many for as many runs as are wanted are so before the first.
func TestDrawForeseesListedTasks(t *testing.T) {
	c := &Case{Bag: bags.Bag{Tasks: make([]bags.Task, 20_000), WallClock: 3600}, Hosts: steadyHosts(4)}
	for i := range c.Bag.Tasks {
		c.Bag.Tasks[i].Work = 100
	}
	d := Drawing{Seed: 1, Effort: 1e5, Least: 10, Most: 20}
	if runs, ok, err := Draw(context.Background(), c, d); ok || len(runs) > 0 || err != nil {
		t.Errorf("%v, %v after %d runs", ok, err, len(runs))
	}
	c.Bag.Tasks = c.Bag.Tasks[:20]
	if runs, ok, err := Draw(context.Background(), c, d); !ok || err != nil {
		t.Errorf("%v, %v after %d runs", ok, err, len(runs))
	}
}

// What a drawing takes where the laws of finish are drawn, machines in groups, and tasks of no
// time of which one machine does as many as it may have.
func BenchmarkDraw(b *testing.B) {
	quick, err := hosts.Traces()[2].Platform()
	if err != nil {
		b.Fatal(err)
	}
	for _, k := range []struct {
		name string
		c    Case
	}{
		{"groups/server=xwhep", Case{Bag: bag(639, 1.182e6), Hosts: grouped(120, 4)}},
		{"groups/server=boinc", Case{Bag: bag(639, 1.182e6), Hosts: grouped(120, 4), Server: BOINC}},
		{"quick/server=boinc", Case{Bag: bags.Bag{Size: bags.Spread{Mean: 1000}, Work: bags.Spread{Mean: 1e-12}},
			Hosts: quick, Server: BOINC}},
	} {
		b.Run("case="+k.name, func(b *testing.B) {
			runs := 0
			for b.Loop() {
				drawn, _, err := Draw(context.Background(), &k.c, Drawing{Seed: 1, Effort: 1.5e6, Least: 60, Most: 1000})
				if err != nil {
					b.Fatal(err)
				}
				runs += len(drawn)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(runs), "ns/run")
		})
	}
}
