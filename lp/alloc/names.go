package alloc

import (
	"fmt"
	"iter"
	"slices"
)

// Assignments returns choices in words, by dependency and job as in the batch.
// Jobs that need a dependency but have no level of it appear with level 0, and
// so do those whose choice is missing or is none of the batch.
func (s *System) Assignments(c Choices) []Assignment {
	return slices.AppendSeq(make([]Assignment, 0, s.Pairs()), s.EachAssignment(c))
}

// Pairs is the number of pairs of a job and a dependency that it needs.
func (s *System) Pairs() int {
	n := 0
	for d := range s.deps {
		n += len(s.deps[d].job)
	}
	return n
}

// EachAssignment hands out what [System.Assignments] lists, of which there may be millions.
func (s *System) EachAssignment(c Choices) iter.Seq[Assignment] {
	return func(yield func(Assignment) bool) {
		for d := range s.deps {
			dep := &s.deps[d]
			for n, k := range dep.job {
				a := Assignment{Job: s.Batch.Jobs[k].ID, Dependency: dep.name}
				if at, ok := c.at(d, int(k)); ok && s.offers(dep, n, at) {
					l := dep.first[n] + at.Level - 1
					a.Resource, a.Level = s.Batch.Resources[at.Resource].ID, int(at.Level)
					a.Demand, a.Revenue = dep.demand[l], dep.revenue[l]
				}
				if !yield(a) {
					return
				}
			}
		}
	}
}

// at returns the choice of a job, where there is one.
func (c Choices) at(d, k int) (Choice, bool) {
	if d >= len(c) || k >= len(c[d]) {
		return none, false
	}
	return c[d][k], true
}

// offers reports whether the n-th job of a dependency has that level, and the batch that resource.
func (s *System) offers(d *dependency, n int, at Choice) bool {
	return at.Level > 0 && at.Level <= d.first[n+1]-d.first[n] &&
		at.Resource >= 0 && int(at.Resource) < len(s.Batch.Resources)
}

// Choices returns the choices that a list of assignments stands for; what the
// list leaves out stays without a level. Unknown names, levels out of range
// and a job that is there twice for one dependency return a *BatchError.
func (s *System) Choices(list []Assignment) (Choices, error) {
	if err := s.made("Choices"); err != nil {
		return nil, err
	}
	c := s.empty()
	depAt := make(map[string]int, len(s.deps))
	for d := range s.deps {
		depAt[s.deps[d].name] = d
	}
	jobAt := make(map[string]int, len(s.Batch.Jobs))
	for k := range s.Batch.Jobs {
		jobAt[s.Batch.Jobs[k].ID] = k
	}
	resAt := make(map[string]int, len(s.Batch.Resources))
	for j := range s.Batch.Resources {
		resAt[s.Batch.Resources[j].ID] = j
	}
	seen := make(map[[2]int]struct{}, len(list))
	for i, a := range list {
		place := func(field string) string { return fmt.Sprintf("assignments[%d].%s", i, field) }
		d, ok := depAt[a.Dependency]
		if !ok {
			return nil, &BatchError{
				Place:   place("dependency"),
				Problem: fmt.Sprintf("%q is not among the dependencies", a.Dependency),
				Name:    a.Dependency,
				Kind:    ErrUnknownDependency,
			}
		}
		k, ok := jobAt[a.Job]
		if !ok {
			return nil, &BatchError{
				Place:   place("job"),
				Problem: fmt.Sprintf("%q is not among the jobs", a.Job),
				Name:    a.Job,
				Kind:    ErrUnknownJob,
			}
		}
		if _, twice := seen[[2]int{d, k}]; twice {
			return nil, &BatchError{Place: place("job"), Problem: fmt.Sprintf("%q has %s twice", a.Job, a.Dependency),
				Kind: ErrDuplicateID}
		}
		seen[[2]int{d, k}] = struct{}{}
		levels, _ := s.Batch.LevelsOf(k, d)
		if top := len(levels); a.Level < 0 || a.Level > top {
			return nil, &BatchError{
				Place:   place("level"),
				Problem: fmt.Sprintf("%d", a.Level),
				Want:    fmt.Sprintf("0 to %d", top),
				Kind:    ErrOutOfRange,
			}
		}
		if a.Level == 0 {
			continue
		}
		j, ok := resAt[a.Resource]
		if !ok {
			return nil, &BatchError{
				Place:   place("resource"),
				Problem: fmt.Sprintf("%q is not among the resources", a.Resource),
				Name:    a.Resource,
				Kind:    ErrUnknownResource,
			}
		}
		c[d][k] = Choice{int32(j), int32(a.Level)}
	}
	return c, nil
}

// empty returns choices without any level.
func (s *System) empty() Choices {
	c := make(Choices, len(s.deps))
	for d := range c {
		c[d] = slices.Repeat([]Choice{none}, len(s.Batch.Jobs))
	}
	return c
}
