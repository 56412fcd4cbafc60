package alloc

import (
	"cmp"
	"slices"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// A crowd is the resources of a dependency. Where there are many, each failure is looked at beside a few of them: those
// that its jobs would be put on.
type crowd struct {
	many     bool
	order    []int32 // resources that are up, by backup capacity
	capacity []int64
	unit     []int32
	total    int64           // capacity of order
	of       map[int32]int64 // and of a failure unit, where one may have several
}

// crowded is how many resources are many. It is a variable for a test.
var crowded = 1000

// crowd lays out what is up, of resources that are nearly in their order; nil for all.
func (s *System) crowd(dep int, capacity []int64, down []bool, order []int32) *crowd {
	d := &s.deps[dep]
	if order == nil {
		order = numeric.Indices[int32](len(d.resource))
	}
	c := &crowd{many: len(d.resource) > crowded, capacity: capacity, unit: d.unit,
		order: make([]int32, 0, len(d.resource))}
	if len(s.names) < len(s.units) {
		c.of = make(map[int32]int64)
	}
	for _, j := range order {
		if u := d.unit[j]; !down[u] {
			c.order = append(c.order, j)
			c.total += capacity[j]
			if c.of != nil {
				c.of[u] += capacity[j]
			}
		}
	}
	slices.SortFunc(c.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(capacity[a], capacity[b]), cmp.Compare(a, b))
	})
	return c
}

// beside is the capacity of the resources that do not fail with a unit in which a job of theirs runs.
func (c *crowd) beside(d *dependency, unit int32) int64 {
	if c.of == nil { // each resource is a unit
		return c.total - c.capacity[d.local[unit]]
	}
	return c.total - c.of[unit]
}

// mostSites bounds the resources that the failures of a crowd are looked at beside: some seconds. It is a variable
// for a test.
var mostSites = 50_000_000

// fitting is how many resources that fit a demand best a failure of so many jobs is looked at beside, where all
// failures together would look at so many: one more than there are jobs, or a share of that.
func fitting(jobs, sites int) int {
	if sites <= mostSites {
		return jobs + 1
	}
	return max(1, int(float64(jobs+1)*float64(mostSites)/float64(sites)))
}

// sites are the resources on which the jobs of a task may have their backups, by index. In a crowd these are those
// that its jobs name and, if some jobs may use any, those of most capacity, one more than there are jobs: with these
// the best is as good as with all, since so many jobs need no more. As many of those that fit the demand of each level
// best are among them, unless that is too much for all tasks together: where each job is put where it fits best none
// would go elsewhere.
func (s *System) sites(into []int32, t *task, primary []Choice, down []bool) (sites []int32, few bool) {
	d, c := &s.deps[t.dep], t.crowd
	sites = into
	if c == nil || t.fitting > len(t.jobs) && s.named(t, primary) >= len(c.order) {
		for j := range d.resource {
			if u := d.unit[j]; u != t.unit && !down[u] {
				sites = append(sites, int32(j))
			}
		}
		return sites, false
	}
	var from []int // places in order at which the resources for a demand begin
	open := false
	for _, k := range t.jobs {
		if list := d.listed(k); list != nil {
			for _, j := range list {
				if u := d.unit[j]; u != t.unit && !down[u] {
					sites = append(sites, j)
				}
			}
			continue
		}
		open = true
		for _, demand := range d.demand[d.first[k] : d.first[k]+primary[d.job[k]].Level] {
			from = append(from, sort.Search(len(c.order), func(i int) bool { return c.capacity[c.order[i]] >= demand }))
		}
	}
	if open {
		sites = c.most(sites, len(t.jobs)+1, t.unit)
		sites = c.fits(sites, from, t.fitting, t.unit)
	}
	slices.Sort(sites)
	return slices.Compact(sites), true
}

// most appends the n resources of most capacity that do not fail with a unit.
func (c *crowd) most(sites []int32, n int, unit int32) []int32 {
	for i := len(c.order) - 1; i >= 0 && n > 0; i-- {
		if j := c.order[i]; c.unit[j] != unit {
			sites = append(sites, j)
			n--
		}
	}
	return sites
}

// fits appends the next n resources that do not fail with a unit, from each of some places in the order on.
func (c *crowd) fits(sites []int32, from []int, n int, unit int32) []int32 {
	slices.Sort(from)
	at, end, ahead := 0, 0, 0 // those from at to before end are appended, ahead of them without the unit
	for _, next := range slices.Compact(from) {
		if next >= end {
			at, end, ahead = next, next, 0
		}
		for ; at < next; at++ {
			if c.unit[c.order[at]] != unit {
				ahead--
			}
		}
		for ; ahead < n && end < len(c.order); end++ {
			if j := c.order[end]; c.unit[j] != unit {
				sites = append(sites, j)
				ahead++
			}
		}
	}
	return sites
}

// named returns how many resources the jobs of a task name, or fit on best, each counted as often as they do.
func (s *System) named(t *task, primary []Choice) int {
	d := &s.deps[t.dep]
	if d.sites == nil {
		return len(t.jobs) * t.levels
	}
	n := 0
	for _, k := range t.jobs {
		if list := d.listed(k); list != nil {
			n += len(list)
		} else {
			n += len(t.jobs) * int(primary[d.job[k]].Level)
		}
	}
	return n
}

// listed returns the resources that a job may use, nil for any.
func (d *dependency) listed(k int32) []int32 {
	if d.sites == nil {
		return nil
	}
	return d.sites[k]
}
