package bags

import (
	"context"
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
)

// Nine tenths of fewer than ten tasks are all of them: there is no tail, and no slowdown of it.
func TestFinishTailOfFewTasks(t *testing.T) {
	hosts, _ := NamedHosts("nd")
	for _, tasks := range []int{1, 9, 10, 40} {
		bag := &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: float64(tasks)}, Work: bags.Spread{Mean: 3.6e6}}
		a, err := Done(context.Background(), &FinishQuestion{Bag: bag, Hosts: hosts})
		if err != nil {
			t.Fatal(err)
		}
		if (a.TailSlowdown != nil) != (tasks >= 10) || a.Finish.P50 == nil {
			t.Errorf("%d tasks: tail slowdown %v, median %v", tasks, a.TailSlowdown, a.Finish.P50)
		}
	}
}

// Where the last results of few waves are done by the fast machines the formula says that it is late.
func TestFewWavesAreWarnedOf(t *testing.T) {
	hosts, _ := NamedHosts("nd")
	for _, tasks := range []float64{40, 100, 1000} { // of 180 machines
		bag := &bags.Bag{Name: "tasks", Size: bags.Spread{Mean: tasks}, Work: bags.Spread{Mean: 6e5}}
		a, err := Done(context.Background(), &FinishQuestion{Bag: bag, Hosts: hosts, Server: "boinc"})
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(a.Warnings, " "), "one to three results each"); told != (tasks == 100) {
			t.Errorf("%v tasks: told: %v, of %q", tasks, told, a.Warnings)
		}
	}
}
