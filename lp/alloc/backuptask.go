package alloc

import (
	"cmp"
	"slices"
	"sort"
)

// task is the packing problem of the jobs that fail together.
type task struct {
	dep   int
	unit  int32 // −1: all jobs of the dependency, not sharing
	jobs  []int32
	crowd *crowd // nil of few resources

	levels   int   // up to those of the primaries
	value    int64 // revenue of the backups
	earned   int64 // of the primaries
	homeless []int32
	bounds   LossBounds
	open     string // why the solver of Exact left it unproven
	fallback string // what it is, where the fallback answered it
}

// tasks groups the primaries by dependency and failure unit.
func (s *System) tasks(primary Choices, noSharing bool) []*task {
	var tasks []*task
	for d := range s.deps {
		dep := &s.deps[d]
		at := make(map[int32]*task)
		for k, b := range dep.job {
			c := primary[d][b]
			if c.Level == 0 {
				continue
			}
			unit := s.units[c.Resource]
			if noSharing {
				unit = -1
			}
			t := at[unit]
			if t == nil {
				t = &task{dep: d, unit: unit}
				at[unit] = t
				tasks = append(tasks, t)
			}
			t.jobs = append(t.jobs, int32(k))
			t.levels += int(c.Level)
			t.earned += dep.revenue[dep.first[k]+c.Level-1]
		}
	}
	return tasks
}

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

// pack lays out the packing problem of a task and returns the resources its
// bins stand for, by index in the dependency.
func (s *System) pack(t *task, primary []Choice, capacity []int64, down []bool, soft bool) (*problem, []int32) {
	d := &s.deps[t.dep]
	p := &problem{skip: soft}
	bins := s.sites(t, primary, down)
	for _, j := range bins {
		p.cap = append(p.cap, capacity[j])
		p.unit = append(p.unit, d.unit[j])
	}
	var binAt []int32
	if d.sites != nil {
		binAt = unplaced(len(d.resource))
		for b, j := range bins {
			binAt[j] = int32(b)
		}
	}
	if t.unit < 0 {
		p.home = make([]int32, len(t.jobs))
	}
	if d.sites != nil {
		p.sites = make([][]int32, len(t.jobs))
	}
	levels := len(t.jobs)
	for _, k := range t.jobs {
		levels += int(primary[d.job[k]].Level)
	}
	p.first, p.last = make([]int32, 0, len(t.jobs)), make([]int32, 0, len(t.jobs))
	p.dem, p.rev = make([]int64, 0, levels), make([]int64, 0, levels)
	for i, k := range t.jobs {
		c := primary[d.job[k]]
		if p.home != nil {
			p.home[i] = s.units[c.Resource]
		}
		if d.sites != nil && d.sites[k] != nil {
			p.sites[i] = []int32{}
			for _, j := range d.sites[k] {
				if binAt[j] >= 0 {
					p.sites[i] = append(p.sites[i], binAt[j])
				}
			}
		}
		p.first = append(p.first, int32(len(p.dem)))
		from := d.first[k]
		if soft {
			if d.demand[from] == 0 && s.anySite(p, int32(i)) {
				// The least level takes nothing: the job is never left out.
				if p.keep == nil {
					p.keep = make([]bool, len(t.jobs))
				}
				p.keep[i] = true
			} else {
				p.dem, p.rev = append(p.dem, 0), append(p.rev, 0)
			}
		}
		p.dem = append(p.dem, d.demand[from:from+c.Level]...)
		p.rev = append(p.rev, d.revenue[from:from+c.Level]...)
		p.last = append(p.last, int32(len(p.dem)))
	}
	return p, bins
}

func (s *System) anySite(p *problem, i int32) bool { return p.widest(i, sliceMax(p.cap)) >= 0 }

func sliceMax(values []int64) int64 {
	most := int64(-1)
	for _, v := range values {
		most = max(most, v)
	}
	return most
}

// homeless returns the jobs of a task whose least level fits no backup site.
func (s *System) homeless(t *task, primary []Choice, capacity []int64, down []bool) []int32 {
	d := &s.deps[t.dep]
	largest := int64(-1)
	for _, j := range s.sites(t, primary, down) {
		largest = max(largest, capacity[j])
	}
	var list []int32
	for _, k := range t.jobs {
		most := largest
		if t.unit < 0 || (d.sites != nil && d.sites[k] != nil) {
			home := s.units[primary[d.job[k]].Resource]
			most = -1
			for j := range d.resource {
				if u := d.unit[j]; u != home && !down[u] && capacity[j] > most && d.mayUse(k, int32(j)) {
					most = capacity[j]
				}
			}
		}
		if d.demand[d.first[k]] > most {
			list = append(list, k)
		}
	}
	return list
}
