package alloc

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// limit bounds every value and every sum of values: up to here float64 holds
// whole numbers exactly.
const limit = 1 << 53

// A System is a batch that has been checked and laid out by dependency. It is
// not changed by any method and may be used from several goroutines. The batch
// must not be changed while it is in use.
type System struct {
	Batch *Batch

	deps  []dependency
	units []int32 // failure unit of every resource: those of one risk group share it
	names []string

	optional []bool  // by job, whether it may be left out; nil for none
	fee      []int64 // by job, its base fee; nil for none
	fees     int64   // of all jobs
	laid     bool    // by New
}

// made returns an error where the system is not one of [New].
func (s *System) made(fn string) error {
	if !s.laid {
		return &DomainError{fn, "System", "a System not made by New", "one that New returned"}
	}
	return nil
}

// dependency is the part of a batch that concerns one dependency.
type dependency struct {
	name     string
	resource []int32   // index in Batch.Resources
	local    []int32   // by index in Batch.Resources, index here or -1
	primary  []int64   // capacities in demand served
	backup   []int64   //
	price    []float64 // per unit of demand served; nil for nothing
	unit     []int32   // failure unit
	job      []int32   // index in Batch.Jobs
	at       []int32   // by index in Batch.Jobs, index here or -1
	first    []int32   // levels of job k are first[k] to first[k+1]
	demand   []int64   //
	revenue  []int64   //
	sites    [][]int32 // by job, the resources it may use, ascending; nil for any; nil when no job is restricted
}

// New checks a batch and lays it out. Errors are of type *BatchError and name
// the place: an unknown dependency or resource, a duplicate id, a job without
// levels, levels whose demand does not rise or whose revenue falls, negative
// values, a speed that is not positive, a price or budget that is no finite
// number of at least 0, or sums of 2⁵³ and more.
func New(b *Batch) (*System, error) {
	if b == nil {
		return nil, &BatchError{Place: "batch", Problem: "none given", Kind: ErrOutOfRange}
	}
	s := &System{Batch: b, laid: true}
	if b.Admission != "" && b.Admission != Required && b.Admission != Optional {
		return nil, &BatchError{
			Place:   "admission",
			Problem: fmt.Sprintf("%q", b.Admission),
			Want:    "required or optional",
			Kind:    ErrOutOfRange,
		}
	}
	if b.Budget != nil && (!(*b.Budget >= 0) || *b.Budget >= limit) {
		return nil, &BatchError{
			Place:   "budget",
			Problem: fmt.Sprintf("%v", *b.Budget),
			Want:    "an amount of at least 0 and below 2^53",
			Kind:    ErrOutOfRange,
		}
	}
	// Each dependency has a number for each resource, and two for each job.
	if n := float64(len(b.Dependencies)) * float64(len(b.Resources)+2*len(b.Jobs)); n > mostPlaces {
		return nil, &BatchError{
			Place:   "dependencies",
			Problem: fmt.Sprintf("%d with %d resources and %d jobs", len(b.Dependencies), len(b.Resources), len(b.Jobs)),
			Want:    "fewer: dependencies times resources and jobs come to 30 million at most, a job counted twice",
			Kind:    ErrOutOfRange,
		}
	}
	depAt := make(map[string]int, len(b.Dependencies))
	for i, name := range b.Dependencies {
		if _, seen := depAt[name]; seen {
			return nil, &BatchError{Place: fmt.Sprintf("dependencies[%d]", i),
				Problem: fmt.Sprintf("%q appears twice", name), Kind: ErrDuplicateID}
		}
		depAt[name] = i
	}
	s.deps = make([]dependency, len(b.Dependencies))
	for i := range s.deps {
		s.deps[i].name = b.Dependencies[i]
		s.deps[i].local = unplaced(len(b.Resources))
		s.deps[i].at = unplaced(len(b.Jobs))
	}
	resAt, err := s.layResources(depAt)
	if err != nil {
		return nil, err
	}
	if err := s.layJobs(depAt, resAt); err != nil {
		return nil, err
	}
	return s, nil
}

// mostPlaces are some 120 MB, and the choices of all jobs twice as much.
const mostPlaces = 3e7

func (s *System) layResources(depAt map[string]int) (map[string]int32, error) {
	b := s.Batch
	s.names, s.units = make([]string, 0, len(b.Resources)), make([]int32, 0, len(b.Resources))
	of := make([]int, len(s.deps))
	for i := range b.Resources {
		if d, ok := depAt[b.Resources[i].Dependency]; ok {
			of[d]++
		}
	}
	for d, n := range of {
		dep := &s.deps[d]
		dep.primary, dep.backup = make([]int64, 0, n), make([]int64, 0, n)
		dep.unit, dep.resource = make([]int32, 0, n), make([]int32, 0, n)
	}
	resAt := make(map[string]int32, len(b.Resources))
	unitAt := make(map[string]int32)
	totals := make([][2]int64, len(s.deps)) // primary, backup
	worth := 0.0                            // of all primary capacity
	for i, r := range b.Resources {
		place := func(field string) string { return fmt.Sprintf("resources[%d].%s", i, field) }
		if _, seen := resAt[r.ID]; seen {
			return nil, &BatchError{Place: place("id"), Problem: fmt.Sprintf("%q appears twice", r.ID),
				Kind: ErrDuplicateID}
		}
		resAt[r.ID] = int32(i)
		d, ok := depAt[r.Dependency]
		if !ok {
			return nil, &BatchError{
				Place:   place("dependency"),
				Problem: fmt.Sprintf("%q is not among the dependencies", r.Dependency),
				Name:    r.Dependency,
				Kind:    ErrUnknownDependency,
			}
		}
		speed := r.Speed
		speed = cmp.Or(speed, 1)
		if !(speed > 0) || math.IsInf(speed, 1) {
			return nil, &BatchError{
				Place:   place("speed"),
				Problem: fmt.Sprintf("%v", r.Speed),
				Want:    "a finite speed > 0",
				Kind:    ErrOutOfRange,
			}
		}
		dep := &s.deps[d]
		for n, c := range []struct {
			field string
			value int64
			into  *[]int64
		}{{"primary_capacity", r.PrimaryCapacity, &dep.primary}, {"backup_capacity", r.BackupCapacity, &dep.backup}} {
			if c.value < 0 {
				return nil, &BatchError{
					Place:   place(c.field),
					Problem: fmt.Sprintf("%d", c.value),
					Want:    "at least 0",
					Kind:    ErrOutOfRange,
				}
			}
			served := math.Floor(float64(c.value) * speed)
			if served < limit {
				totals[d][n] += int64(served)
			}
			if c.value >= limit || served >= limit || totals[d][n] >= limit {
				return nil, &BatchError{Place: place(c.field),
					Problem: fmt.Sprintf("capacities of %s add up to 2^53 or more", r.Dependency), Kind: ErrOverflow}
			}
			*c.into = append(*c.into, int64(served))
		}
		if !(r.Price >= 0) || math.IsInf(r.Price, 1) {
			return nil, &BatchError{
				Place:   place("price"),
				Problem: fmt.Sprintf("%v", r.Price),
				Want:    "a finite price >= 0",
				Kind:    ErrOutOfRange,
			}
		}
		if worth += r.Price * float64(r.PrimaryCapacity); !(worth < limit) || !(r.Price/speed < limit) {
			return nil, &BatchError{Place: place("price"), Problem: "all primary capacity together costs 2^53 or more",
				Kind: ErrOverflow}
		}
		if r.Price > 0 && dep.price == nil {
			dep.price = make([]float64, len(dep.resource))
		}
		if dep.price != nil {
			dep.price = append(dep.price, r.Price/speed)
		}
		unit := int32(len(s.names))
		if u, ok := unitAt[r.RiskGroup]; ok && r.RiskGroup != "" {
			unit = u
		} else {
			name := r.ID
			if r.RiskGroup != "" {
				name = r.RiskGroup
				unitAt[name] = unit
			}
			s.names = append(s.names, name)
		}
		s.units = append(s.units, unit)
		dep.unit = append(dep.unit, unit)
		dep.local[i] = int32(len(dep.resource))
		dep.resource = append(dep.resource, int32(i))
	}
	return resAt, nil
}

func (s *System) layJobs(depAt map[string]int, resAt map[string]int32) error {
	b := s.Batch
	seen := make(map[string]struct{}, len(b.Jobs))
	s.makeRoom()
	demand, revenue := make([]int64, len(s.deps)), int64(0)
	for i := range b.Jobs {
		j := &b.Jobs[i]
		place := func(field string) string { return fmt.Sprintf("jobs[%d].%s", i, field) }
		if _, twice := seen[j.ID]; twice {
			return &BatchError{Place: place("id"), Problem: fmt.Sprintf("%q appears twice", j.ID),
				Kind: ErrDuplicateID}
		}
		seen[j.ID] = struct{}{}
		if j.Needs != nil && len(j.Needs) != len(s.deps) {
			return &BatchError{
				Place:   place("levels"),
				Problem: fmt.Sprintf("job %q lists needs for %d dependencies", j.ID, len(j.Needs)),
				Want:    fmt.Sprintf("%d", len(s.deps)),
				Kind:    ErrNoLevels,
			}
		}
		if len(j.Levels) == 0 && j.Needs == nil {
			return &BatchError{Place: place("levels"), Problem: fmt.Sprintf("job %q has no levels", j.ID), Kind: ErrNoLevels}
		}
		if err := s.layAdmission(i, place); err != nil {
			return err
		}
		if revenue += j.BaseFee; revenue >= limit {
			return &BatchError{Place: place("base_fee"), Problem: "greatest revenues and fees add up to 2^53 or more",
				Kind: ErrOverflow}
		}
		known := 0
		for d := range s.deps {
			dep := &s.deps[d]
			levels, needed := b.LevelsOf(i, d)
			if !needed {
				continue
			}
			known++
			if err := checkLevels(levels, j.ID); err != nil {
				err.Place = place("levels." + dep.name + err.Place)
				return err
			}
			top := levels[len(levels)-1]
			demand[d] += top.Demand
			revenue += top.Revenue
			if demand[d] >= limit || revenue >= limit {
				return &BatchError{Place: place("levels." + dep.name),
					Problem: "greatest demands or revenues add up to 2^53 or more", Kind: ErrOverflow}
			}
			dep.at[i] = int32(len(dep.job))
			dep.job = append(dep.job, int32(i))
			for _, l := range levels {
				dep.demand = append(dep.demand, l.Demand)
				dep.revenue = append(dep.revenue, l.Revenue)
			}
			if len(dep.demand) > math.MaxInt32 {
				return &BatchError{Place: place("levels." + dep.name),
					Problem: "more than 2^31 levels in one dependency", Kind: ErrOverflow}
			}
			dep.first = append(dep.first, int32(len(dep.demand)))
		}
		if j.Needs != nil && known == 0 {
			return &BatchError{Place: place("levels"), Problem: fmt.Sprintf("job %q has no levels", j.ID), Kind: ErrNoLevels}
		}
		if j.Needs == nil && known < len(j.Levels) {
			for name := range j.Levels {
				if _, ok := depAt[name]; !ok {
					return &BatchError{
						Place:   place("levels." + name),
						Problem: fmt.Sprintf("%q is not among the dependencies", name),
						Name:    name,
						Kind:    ErrUnknownDependency,
					}
				}
			}
		}
		if err := s.layEligible(i, depAt, resAt); err != nil {
			return err
		}
	}
	return nil
}

// aside is how many problems are looked at side by side, 0 for as many as there are cores, by the
// levels of the largest: the segments of millions of levels take more memory than these.
func aside(levels int) int {
	if levels > 1<<20 {
		return 1
	}
	return 0
}

// largest is the number of levels of the dependency that has the most.
func (s *System) largest() int {
	n := 0
	for d := range s.deps {
		n = max(n, len(s.deps[d].demand))
	}
	return n
}

// size is the number of levels and resources.
func (s *System) size() int {
	n := len(s.units)
	for d := range s.deps {
		n += len(s.deps[d].demand)
	}
	return n
}

// tied reports whether something ties the dependencies.
func (s *System) tied() bool { return s.optional != nil || s.Batch.Budget != nil }

// budget returns the budget, +Inf for none.
func (s *System) budget() float64 {
	if s.Batch.Budget == nil {
		return math.Inf(1)
	}
	return *s.Batch.Budget
}

// makeRoom makes room for all levels: slices that grow would take twice as much.
func (s *System) makeRoom() {
	for d := range s.deps {
		dep := &s.deps[d]
		jobs, levels := 0, 0
		for k := range s.Batch.Jobs {
			if list, needed := s.Batch.LevelsOf(k, d); needed {
				jobs, levels = jobs+1, levels+len(list)
			}
		}
		dep.job, dep.first = make([]int32, 0, jobs), append(make([]int32, 0, jobs+1), 0)
		dep.demand, dep.revenue = make([]int64, 0, levels), make([]int64, 0, levels)
	}
}

// primaryProblem returns the choice of primaries as a packing problem.
func (d *dependency) primaryProblem() *problem {
	p := &problem{
		cap:   d.primary,
		first: d.first[:len(d.job)],
		last:  d.first[1:],
		dem:   d.demand,
		rev:   d.revenue,
		sites: d.sites,
		price: d.price,
	}
	return p
}

// jobNames returns the ids of jobs given by their index in the dependency.
func (s *System) jobNames(d *dependency, jobs []int32) []string {
	names := make([]string, len(jobs))
	for i, k := range jobs {
		names[i] = s.Batch.Jobs[d.job[k]].ID
	}
	return names
}

// unplaced returns n places that are none, -1.
func unplaced(n int) []int32 { return slices.Repeat([]int32{-1}, n) }

func sum(values []int64) int64 {
	var t int64
	for _, v := range values {
		t += v
	}
	return t
}
