package allocation

import (
	"cmp"
	"fmt"
	"sort"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A VerifyAnswer says whether an assignment is feasible and what it is worth. It
// comes from rules alone, whatever program made the assignment.
type VerifyAnswer struct {
	// Feasible says that no rule of the batch is broken.
	Feasible   bool              `json:"feasible"`
	Violations []alloc.Violation `json:"violations"`
	Revenue    int64             `json:"revenue"`     // of the primaries that are right, with base fees
	BaseFees   int64             `json:"base_fees"`   // part of the revenue
	Spending   float64           `json:"spending"`    // price of the primary capacity used
	NetRevenue float64           `json:"net_revenue"` // revenue − spending
	Rejected   int               `json:"rejected"`    // jobs left out, which their admission allows
	Loss       *int64            `json:"loss"`        // if every job went to its backup; null without backups
	// jobs with some dependency that has no backup; null without backups
	Unprotected *int `json:"unprotected"`
	// UnprotectedPairs is of job and dependency, those without a backup.
	UnprotectedPairs *int `json:"unprotected_pairs"`
	// Money is what revenues and prices are in; nil: bare numbers.
	Money    *units.CostForm `json:"money,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
}

// A misplaced choice breaks a rule by itself, before it is part of anything.
type misplaced struct {
	violation alloc.Violation
	err       error
}

// Verify checks an answer against its batch alone, with nothing of
// what builds answers: names and levels that are there, one level and one
// resource for each job and dependency or, of a job that may be left out, none at
// all, capacities, spending within the budget, backups apart from their
// primaries and not above them, backup capacity shared among jobs that don't
// fail together. Demands and revenues that the answer states must be those of
// the batch. Errors are those of the batch; a wrong answer is no error.
func Verify(b *BatchFile, given *BatchAnswer) (*VerifyAnswer, error) {
	if given != nil { // whose document is several times as large as its choices
		own := *given
		given, own.d = &own, nil
	}
	money := b.form()
	s, err := newSystem(b) // which lets go of what was read
	if err != nil {
		return nil, err
	}
	if given == nil {
		return nil, ask.Missing("answer", "assignments")
	}
	// Nothing here needs an error with a place in the file: a wrong answer is
	// answered by its violations.
	none := func(string, string) error { return nil }
	a := &VerifyAnswer{Violations: []alloc.Violation{}, Money: money}
	primary, wrong := choicesOf(s, given.Assignments, "assignments", none)
	var backup alloc.Choices
	if given.HasBackups {
		var more []misplaced
		backup, more = choicesOf(s, given.Backups, "backup.assignments", none)
		wrong = append(wrong, more...)
	}
	for _, w := range wrong {
		a.Violations = append(a.Violations, w.violation)
	}
	r := alloc.Verify(s.Batch, primary, backup, true)
	// The order is by place, so that the same answer has the same list.
	sort.SliceStable(r.Violations, func(i, j int) bool {
		x, y := &r.Violations[i], &r.Violations[j]
		return cmp.Or(cmp.Compare(x.Place, y.Place), cmp.Compare(x.Rule, y.Rule), cmp.Compare(x.Detail, y.Detail)) < 0
	})
	a.Violations = append(a.Violations, r.Violations...)
	a.Feasible, a.Revenue = len(a.Violations) == 0, r.Revenue
	a.BaseFees, a.Spending, a.NetRevenue, a.Rejected = r.BaseFees, r.Spending, float64(r.Revenue)-r.Spending, r.Rejected
	if backup != nil {
		a.Loss, a.Unprotected, a.UnprotectedPairs = &r.Loss, &r.Unprotected, &r.UnprotectedPairs
	}
	// stated compares what the answer says of itself, which a program may have
	// summed up wrong.
	stated := func(what string, said *float64, is int64) {
		if said != nil && *said != float64(is) {
			ask.Warn(&a.Warnings, "the answer states a %s of %.17g, but it is %d", what, *said, is)
		}
	}
	stated("revenue", given.Revenue, a.Revenue)
	if a.Loss != nil {
		stated("loss", given.Loss, *a.Loss)
	}
	return a, nil
}

// choicesOf returns the choices of an answer that make sense by themselves, and
// what is wrong with the others; at makes an error of a place and a problem. A
// name is looked up in maps: a batch has a million.
func choicesOf(s *alloc.System, list []BatchChoice, path string,
	at func(place, problem string) error) (alloc.Choices, []misplaced) {
	b := s.Batch
	depAt, jobAt, resAt := map[string]int{}, make(map[string]int, len(b.Jobs)), make(map[string]int, len(b.Resources))
	for i, name := range b.Dependencies {
		depAt[name] = i
	}
	for i := range b.Jobs {
		jobAt[b.Jobs[i].ID] = i
	}
	for i := range b.Resources {
		resAt[b.Resources[i].ID] = i
	}
	chosen := make(alloc.Choices, len(b.Dependencies))
	seen := make([][]bool, len(b.Dependencies))
	for d := range chosen {
		chosen[d], seen[d] = make([]alloc.Choice, len(b.Jobs)), make([]bool, len(b.Jobs))
		// A resource of −1 stands for none.
		for k := range chosen[d] {
			chosen[d][k].Resource = -1
		}
	}
	var wrong []misplaced
	for i := range list {
		c := &list[i]
		// refuse notes a violation and leaves the choice out.
		refuse := func(rule, field, format string, args ...any) {
			place, detail := fmt.Sprintf("%s[%d]", path, i), fmt.Sprintf(format, args...)
			wrong = append(wrong, misplaced{
				alloc.Violation{Rule: rule, Place: place + " " + c.Job + "/" + c.Dependency, Detail: detail},
				at(place+"."+field, detail),
			})
		}
		d, ok := depAt[c.Dependency]
		if !ok {
			refuse("dependency", "dependency", "%q is not among the dependencies", c.Dependency)
			continue
		}
		k, ok := jobAt[c.Job]
		if !ok {
			refuse("job", "job", "%q is not among the jobs", c.Job)
			continue
		}
		if seen[d][k] {
			refuse("twice", "job", "%q has %s twice", c.Job, c.Dependency)
			continue
		}
		seen[d][k] = true
		levels, _ := b.LevelsOf(k, d)
		if c.Level < 0 || int64(c.Level) > int64(len(levels)) {
			refuse("level", "level", "level %d of %d", c.Level, len(levels))
			continue
		}
		var is alloc.Level
		if c.Level == 0 {
			if c.Resource != nil && *c.Resource != "" {
				refuse("level", "level", "level 0 on %s, want a level of at least 1", *c.Resource)
				continue
			}
		} else {
			j, ok := -1, false
			if c.Resource != nil {
				j, ok = resAt[*c.Resource]
			}
			if !ok {
				name := "null"
				if c.Resource != nil {
					name = fmt.Sprintf("%q", *c.Resource)
				}
				refuse("resource", "resource", "%s is not among the resources", name)
				continue
			}
			chosen[d][k] = alloc.Choice{Resource: int32(j), Level: int32(c.Level)}
			is = levels[c.Level-1]
		}
		// What is stated must be that of the level, since others may have
		// computed with it.
		if c.Demand != nil && int64(*c.Demand) != is.Demand {
			refuse("stated demand", "demand", "%d, level %d demands %d", *c.Demand, c.Level, is.Demand)
		}
		if c.Revenue != nil && int64(*c.Revenue) != is.Revenue {
			refuse("stated revenue", "revenue", "%d, level %d earns %d", *c.Revenue, c.Level, is.Revenue)
		}
	}
	return chosen, wrong
}
