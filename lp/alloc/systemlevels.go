package alloc

import (
	"fmt"
	"slices"
)

// layAdmission looks at admission and base fee of one job.
func (s *System) layAdmission(i int, place func(string) string) error {
	j := &s.Batch.Jobs[i]
	admission := j.Admission
	switch admission {
	case "":
		admission = s.Batch.Admission
	case Required, Optional:
	default:
		return &BatchError{
			Place:   place("admission"),
			Problem: fmt.Sprintf("%q", admission),
			Want:    "required or optional",
			Kind:    ErrOutOfRange,
		}
	}
	if admission == Optional {
		if s.optional == nil {
			s.optional = make([]bool, len(s.Batch.Jobs))
		}
		s.optional[i] = true
	}
	switch {
	case j.BaseFee < 0:
		return &BatchError{
			Place:   place("base_fee"),
			Problem: fmt.Sprintf("%d", j.BaseFee),
			Want:    "at least 0",
			Kind:    ErrOutOfRange,
		}
	case j.BaseFee >= limit:
		return &BatchError{
			Place:   place("base_fee"),
			Problem: fmt.Sprintf("%d", j.BaseFee),
			Want:    "less than 2^53",
			Kind:    ErrOverflow,
		}
	case j.BaseFee > 0:
		if s.fee == nil {
			s.fee = make([]int64, len(s.Batch.Jobs))
		}
		s.fee[i] = j.BaseFee
		s.fees += j.BaseFee
	}
	return nil
}

func (s *System) layEligible(i int, depAt map[string]int, resAt map[string]int32) error {
	for name, ids := range s.Batch.lists(i) {
		place := fmt.Sprintf("jobs[%d].eligible.%s", i, name)
		d, ok := depAt[name]
		if !ok {
			return &BatchError{
				Place:   place,
				Problem: fmt.Sprintf("%q is not among the dependencies", name),
				Name:    name,
				Kind:    ErrUnknownDependency,
			}
		}
		dep := &s.deps[d]
		sites := make([]int32, 0, len(ids))
		for n, id := range ids {
			r, ok := resAt[id]
			if !ok || dep.local[r] < 0 {
				return &BatchError{
					Place:   fmt.Sprintf("%s[%d]", place, n),
					Problem: fmt.Sprintf("%q is not a resource of %s", id, name),
					Name:    id,
					Kind:    ErrUnknownResource,
				}
			}
			sites = append(sites, dep.local[r])
		}
		slices.Sort(sites)
		k := dep.at[i]
		if k < 0 {
			continue
		}
		if dep.sites == nil {
			dep.sites = make([][]int32, len(s.Batch.Jobs))
		}
		dep.sites[k] = slices.Compact(sites)
	}
	return nil
}

// checkLevels returns what is wrong with levels and, as its place, where in them.
func checkLevels(levels []Level, job string) *BatchError {
	if len(levels) == 0 {
		return &BatchError{Place: "", Problem: fmt.Sprintf("job %q has no levels here", job), Kind: ErrNoLevels}
	}
	for n, l := range levels {
		for _, f := range []struct {
			field string
			value int64
		}{{"demand", l.Demand}, {"revenue", l.Revenue}} {
			if f.value < 0 {
				return &BatchError{
					Place:   fmt.Sprintf("[%d].%s", n, f.field),
					Problem: fmt.Sprintf("%d", f.value),
					Want:    "at least 0",
					Kind:    ErrOutOfRange,
				}
			}
			if f.value >= limit {
				return &BatchError{
					Place:   fmt.Sprintf("[%d].%s", n, f.field),
					Problem: fmt.Sprintf("%d", f.value),
					Want:    "less than 2^53",
					Kind:    ErrOverflow,
				}
			}
		}
		if n == 0 {
			continue
		}
		if l.Demand <= levels[n-1].Demand {
			return &BatchError{
				Place:   fmt.Sprintf("[%d].demand", n),
				Problem: fmt.Sprintf("%d", l.Demand),
				Want:    fmt.Sprintf("more than the level below (%d)", levels[n-1].Demand),
				Kind:    ErrLevelOrder,
			}
		}
		if l.Revenue < levels[n-1].Revenue {
			return &BatchError{
				Place:   fmt.Sprintf("[%d].revenue", n),
				Problem: fmt.Sprintf("%d", l.Revenue),
				Want:    fmt.Sprintf("at least that of the level below (%d)", levels[n-1].Revenue),
				Kind:    ErrLevelOrder,
			}
		}
	}
	return nil
}
