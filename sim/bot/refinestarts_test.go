package bot

import (
	"testing"

	"github.com/capplan/capplan/bags"
)

// No more workers are tried from a start than there are tasks left, which starts in ten thousandths name: .4285 is six
// of 14 tasks. Nine were tried for the other eight.
func TestWorkersAreAsManyAsTasksLeft(t *testing.T) {
	for tasks := 1; tasks <= 300; tasks++ {
		r := &racing{r: &refining{kase: Case{Bag: bags.Bag{Size: bags.Spread{Mean: float64(tasks)}}}}}
		for left := 1; left <= tasks; left++ {
			start, ok := r.startOf(float64(left) / float64(tasks))
			if most := r.r.most(start); !ok || most != left {
				t.Fatalf("%d of %d tasks left from %v: %d workers, %v", left, tasks, start, most, ok)
			}
		}
	}
}
