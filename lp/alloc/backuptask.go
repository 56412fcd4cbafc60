package alloc

import (
	"math"
	"slices"
)

// task is the packing problem of the jobs that fail together.
type task struct {
	dep     int
	unit    int32 // −1: all jobs of the dependency, not sharing
	jobs    []int32
	crowd   *crowd  // nil of few resources
	fitting int     // resources of a crowd that fit a demand best
	order   []int32 // resources that are up, by backup capacity

	stint    *stint
	levels   int   // up to those of the primaries
	value    int64 // revenue of the backups
	earned   int64 // of the primaries
	homeless []int32
	bounds   losses
	open     string // why the solver of Exact left it unproven
	fallback string // what it is, where the fallback answered it
}

// A failing is the jobs of a dependency that fail with a unit: from some place in a list to another.
type failing struct {
	dep, unit int32 // unit −1: all jobs of the dependency
	from, to  int32
}

// failings groups the primaries by dependency and failure unit, in the order of their first jobs. The jobs of all stand
// in one list. most is the number of levels of the largest, up to those of the primaries.
func (s *System) failings(primary Choices, noSharing bool) (list []failing, jobs []int32, most int) {
	n := s.Pairs()
	jobs, list = make([]int32, 0, n), make([]failing, 0, min(n, len(s.names)))
	at, levels := make([]int32, len(s.names)+1), make([]int, len(s.names)+1)
	for d := range s.deps {
		dep := &s.deps[d]
		clear(at)
		begin := len(list)
		of := func(k int, b int32) *failing {
			c := primary[d][b]
			if c.Level == 0 {
				return nil
			}
			unit := int32(-1)
			if !noSharing {
				unit = s.units[c.Resource]
			}
			if at[unit+1] == 0 {
				list = append(list, failing{dep: int32(d), unit: unit})
				at[unit+1], levels[unit+1] = int32(len(list)-begin), 0
			}
			levels[unit+1] += int(c.Level)
			return &list[begin+int(at[unit+1])-1]
		}
		for k, b := range dep.job {
			if f := of(k, b); f != nil {
				f.to++
			}
		}
		next := int32(len(jobs))
		for i := range list[begin:] {
			f := &list[begin+i]
			most = max(most, levels[f.unit+1])
			f.from, f.to, next = next, next, next+f.to
		}
		jobs = jobs[:next]
		for k, b := range dep.job {
			if f := of(k, b); f != nil {
				jobs[f.to] = int32(k)
				f.to++
			}
		}
	}
	return list, jobs, most
}

// task lays out one of the failings, all of which together look at so many sites.
func (s *System) task(f failing, jobs []int32, primary []Choice, c *crowd, sites int) task {
	d := &s.deps[f.dep]
	t := task{dep: int(f.dep), unit: f.unit, jobs: jobs[f.from:f.to:f.to]}
	if t.order = c.order; f.unit >= 0 && c.many {
		t.crowd, t.fitting = c, fitting(len(t.jobs), sites)
	}
	for _, k := range t.jobs {
		c := primary[d.job[k]]
		t.levels += int(c.Level)
		t.earned += d.revenue[d.first[k]+c.Level-1]
	}
	return t
}

// pack lays out the packing problem of a task and returns the resources its
// bins stand for, by index in the dependency.
func (s *System) pack(t *task, primary []Choice, capacity []int64, down []bool, soft bool) (*problem, []int32) {
	d := &s.deps[t.dep]
	p := &problem{skip: soft}
	bins, few := s.sites(nil, t, primary, down)
	p.cap = make([]int64, 0, len(bins))
	for _, j := range bins {
		p.cap = append(p.cap, capacity[j])
	}
	if t.unit < 0 {
		p.unit = make([]int32, 0, len(bins))
		for _, j := range bins {
			p.unit = append(p.unit, d.unit[j])
		}
	}
	binOf := func(j int32) (int32, bool) {
		b, found := slices.BinarySearch(bins, j)
		return int32(b), found
	}
	if !few { // they are in order already
		binAt := unplaced(len(d.resource))
		for b, j := range bins {
			binAt[j] = int32(b)
		}
		binOf = func(j int32) (int32, bool) { return binAt[j], binAt[j] >= 0 }
		p.rising = make([]int32, 0, len(bins))
		for _, j := range t.order {
			if b, found := binOf(j); found {
				p.rising = append(p.rising, b)
			}
		}
	}
	if t.unit < 0 {
		p.home = make([]int32, len(t.jobs))
	}
	if d.sites != nil {
		p.sites = make([][]int32, len(t.jobs))
	}
	largest := sliceMax(p.cap)
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
		if list := d.listed(k); list != nil {
			p.sites[i] = make([]int32, 0, len(list))
			for _, j := range list {
				if b, found := binOf(j); found {
					p.sites[i] = append(p.sites[i], b)
				}
			}
		}
		p.first = append(p.first, int32(len(p.dem)))
		from := d.first[k]
		if soft {
			if d.demand[from] == 0 && p.widest(int32(i), largest) >= 0 {
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
	if t.crowd != nil {
		for i := len(t.order) - 1; i >= 0 && largest < 0; i-- {
			if j := t.order[i]; d.unit[j] != t.unit {
				largest = capacity[j]
			}
		}
	} else {
		for j := range d.resource {
			if u := d.unit[j]; u != t.unit && !down[u] {
				largest = max(largest, capacity[j])
			}
		}
	}
	var list []int32
	for _, k := range t.jobs {
		most := largest
		if t.unit < 0 || (d.sites != nil && d.sites[k] != nil) {
			home := s.units[primary[d.job[k]].Resource]
			most = -1
			look := func(j int32) {
				if u := d.unit[j]; u != home && !down[u] {
					most = max(most, capacity[j])
				}
			}
			if d.sites != nil && d.sites[k] != nil {
				for _, j := range d.sites[k] {
					look(j)
				}
			} else {
				for j := range d.resource {
					look(int32(j))
				}
			}
		}
		if d.demand[d.first[k]] > most {
			list = append(list, k)
		}
	}
	return list
}

// alone answers a task of one job among resources that it may all use, as [problem.search] would: the job takes the
// level of most revenue that any of them holds, on the one that it fits best, and no bound is above what that loses.
// It returns false where the task is another.
func (s *System) alone(t *task, soft bool, primary []Choice, capacity []int64, down []bool, out []Choice) bool {
	d := &s.deps[t.dep]
	if len(t.jobs) != 1 || t.unit < 0 || d.sites != nil || t.earned >= 1e9 {
		return false // at 1e9 the search takes a bound to be above what it rounds to
	}
	var room [64]int32
	sites, _ := s.sites(room[:0], t, primary, down)
	total, largest := int64(0), int64(-1)
	for _, j := range sites {
		total += capacity[j]
		largest = max(largest, capacity[j])
	}
	k := t.jobs[0]
	b := d.job[k]
	from, to := d.first[k], d.first[k]+primary[b].Level
	// The levels as packed: where the job may be left out, that comes first.
	out0 := soft && (d.demand[from] > 0 || largest < 0)
	if len(t.homeless) > 0 && !out0 {
		return false
	}
	var dem, rev [16]int64
	p := problem{dem: dem[:0], rev: rev[:0]}
	if out0 {
		p.dem, p.rev = append(p.dem, 0), append(p.rev, 0)
	}
	p.dem, p.rev = append(p.dem, d.demand[from:to]...), append(p.rev, d.revenue[from:to]...)
	ends := [2]int32{0, int32(len(p.dem))}
	p.first, p.last = ends[:1], ends[1:]

	best := 0
	for l := range p.dem {
		if p.dem[l] <= largest && p.rev[l] > p.rev[best] {
			best = l
		}
	}
	// The relaxation: steps as they fit the summed capacity, the last in part.
	residual, relaxed := total-p.dem[0], float64(p.rev[0])
	var steps [16]segment
	revenue := p.rev[0]
	for _, step := range p.hull(steps[:0], 0) {
		if relaxed = float64(revenue); step.extra > residual {
			relaxed += step.slope * float64(residual)
			break
		}
		residual -= step.extra
		revenue += step.more
		relaxed = float64(revenue)
	}
	t.value = p.rev[best]
	loss := float64(t.earned - t.value)
	t.bounds = losses{math.NaN(), float64(t.earned) - relaxed, loss, loss}
	printed := total
	if t.crowd != nil {
		printed = t.crowd.beside(d, t.unit)
	}
	whole := problem{dem: d.demand, rev: d.revenue, first: d.first[k : k+1], last: d.first[k+1 : k+2]}
	if bound, ok := whole.published(printed, []int64{d.demand[to-1]}); ok {
		t.bounds.published = float64(t.earned) - bound
	}
	if out0 && best == 0 {
		return true
	}
	if out0 {
		best--
	}
	at := -1 // the least capacity that holds the level, of bins in order
	for i, j := range sites {
		if c := capacity[j]; c >= d.demand[from+int32(best)] && (at < 0 || c < capacity[sites[at]]) {
			at = i
		}
	}
	out[b] = Choice{d.resource[sites[at]], int32(best) + 1}
	return true
}
