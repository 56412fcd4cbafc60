package allocation

import (
	"fmt"
	"testing"

	"github.com/capplan/capplan/units"
)

// A map of eligible resources for each job took 400 bytes: 650,000 jobs in a perfect matching came so near the limit
// of memory that a third of the time went to collecting.
func TestListsTakeNoMaps(t *testing.T) {
	const jobs = 1000
	f := &BatchFile{Dependencies: []string{"cpu"}}
	for i := range jobs {
		name := fmt.Sprint("R", i)
		f.Resources = append(f.Resources, BatchResource{ID: name, Dependency: "cpu", PrimaryCapacity: 1})
		f.Jobs = append(f.Jobs, BatchJob{
			ID:       fmt.Sprint("j", i),
			Levels:   ByDependency[[]BatchLevel]{{"cpu", []BatchLevel{{units.Count(1), units.Count(1)}}}},
			Eligible: ByDependency[[]string]{{"cpu", []string{name}}},
		})
	}
	lists := listsOf(f)
	if n := testing.AllocsPerRun(5, func() { listsOf(f) }); n > 3 {
		t.Errorf("%v allocations for %d jobs", n, jobs)
	}
	if l := lists[7]; len(l) != 1 || l[0].Dependency != "cpu" || l[0].Resources[0] != "R7" {
		t.Errorf("%v", l)
	}
	f.Jobs = append(f.Jobs, BatchJob{})
	if l := listsOf(f)[jobs]; len(l) > 0 {
		t.Errorf("a job of any resource has %v", l)
	}
}
