package bot

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/longtest"
)

// What a run takes of memory is about what the study says: sim.Run asks before it
// takes it. Garbage of the run before it is left aside.
func TestMemory(t *testing.T) {
	const machines = 100
	tasks := longtest.Of(50_000, 200_000)
	for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
		for _, help := range []*spequlos.Strategy{nil, strategy(t, "9C-C-R")} {
			c := &Case{Bag: bag(float64(tasks), 3000), Hosts: steadyHosts(machines), Server: server, Strategy: help, Credits: -1}
			study, err := NewStudy(c)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			o := simulate(t, c, 0)
			runtime.ReadMemStats(&after)
			allocated := float64(after.TotalAlloc - before.TotalAlloc)
			if said := study.Memory(0); allocated > said {
				t.Errorf("%v, %v: allocated %.0f bytes a task, said to take %.0f",
					server, help != nil, allocated/float64(tasks), said/float64(tasks))
			}
			if o.Completed != tasks {
				t.Errorf("%v: %d of %d tasks done", server, o.Completed, tasks)
			}
		}
	}
}

// The list of a bag is held beside the runs.
func TestMemoryOfListedTasks(t *testing.T) {
	of := func(b bags.Bag) float64 {
		study, err := NewStudy(&Case{Bag: b, Hosts: steadyHosts(1)})
		if err != nil {
			t.Fatal(err)
		}
		return study.Memory(0)
	}
	listed := bags.Bag{WallClock: 3600, Tasks: slices.Repeat([]bags.Task{{Work: 3000}}, 1000)}
	if more := of(listed) - of(bag(1000, 3000)); more < 1000*float64(unsafe.Sizeof(bags.Task{})) {
		t.Errorf("%v bytes for the list of 1000 tasks", more)
	}
}
