package bags

import (
	"context"
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
