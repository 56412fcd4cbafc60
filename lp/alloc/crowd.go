package alloc

import (
	"cmp"
	"slices"
	"sort"
)

// A crowd is a dependency of so many resources that each failure is looked at beside a few of them: those that its
// jobs would be put on. It is nil of fewer, and where jobs may not use all.
type crowd struct {
	order    []int32 // resources that are up, by backup capacity
	capacity []int64
	unit     []int32
	total    int64           // capacity of order
	of       map[int32]int64 // and of a failure unit
}

// crowded is how many resources are many. It is a variable for a test.
var crowded = 1000

func (s *System) crowd(dep int, capacity []int64, down []bool) *crowd {
	d := &s.deps[dep]
	if len(d.resource) <= crowded || d.sites != nil {
		return nil
	}
	c := &crowd{capacity: capacity, unit: d.unit, of: make(map[int32]int64)}
	for j := range d.resource {
		if u := d.unit[j]; !down[u] {
			c.order = append(c.order, int32(j))
			c.total += capacity[j]
			c.of[u] += capacity[j]
		}
	}
	slices.SortFunc(c.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(capacity[a], capacity[b]), cmp.Compare(a, b))
	})
	return c
}

// largest is the most backup capacity of a resource that a task leaves up, −1 where there is none.
func (c *crowd) largest(t *task) int64 {
	for _, j := range slices.Backward(c.order) {
		if c.unit[j] != t.unit {
			return c.capacity[j]
		}
	}
	return -1
}

// sites are the resources on which the jobs of a task may have their backups, by index. In a crowd these are for the
// demand of each level the resources that fit it best, and those of most capacity, one more of each than there are
// jobs: with these the best is as good as with all, since so many jobs need no more, and where each job is put where it
// fits best none would go elsewhere.
func (s *System) sites(t *task, primary []Choice, down []bool) (sites []int32) {
	d, c := &s.deps[t.dep], t.crowd
	if c == nil || len(t.jobs)*t.levels >= len(c.order) {
		for j := range d.resource {
			if u := d.unit[j]; u != t.unit && !down[u] {
				sites = append(sites, int32(j))
			}
		}
		return sites
	}
	add := func(from, step int) {
		for n := 0; n <= len(t.jobs) && from >= 0 && from < len(c.order); from += step {
			if j := c.order[from]; c.unit[j] != t.unit {
				sites = append(sites, j)
				n++
			}
		}
	}
	add(len(c.order)-1, -1)
	for _, k := range t.jobs {
		from := d.first[k]
		for _, demand := range d.demand[from : from+primary[d.job[k]].Level] {
			add(sort.Search(len(c.order), func(i int) bool { return c.capacity[c.order[i]] >= demand }), 1)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}
