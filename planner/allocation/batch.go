package allocation

import (
	"errors"
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// newSystem checks a batch; errors name the place in its file. Machines of a
// scenario have become resources by then: one that is left has no scenario around
// it. Nothing of the file is kept but its names, so that its levels may go before
// the checks take memory.
func newSystem(f *BatchFile) (*alloc.System, error) {
	if f == nil {
		return nil, ask.Missing("batch", "jobs and resources")
	}
	b := &alloc.Batch{
		Dependencies: f.Dependencies,
		Admission:    alloc.Admission(f.Admission),
		Budget:       amountOf(f.Budget),
		Resources:    make([]alloc.Resource, len(f.Resources)),
		Jobs:         make([]alloc.Job, len(f.Jobs)),
	}
	for i, r := range f.Resources {
		if r.Machine != "" {
			return nil, f.At(fmt.Sprintf("resources[%d].machine", i),
				fmt.Sprintf("resource %s names the machine %q: types of machines belong to a scenario, for plan",
					r.ID, r.Machine),
				"a resource without machine and count")
		}
		b.Resources[i] = alloc.Resource{
			ID:              r.ID,
			Dependency:      r.Dependency,
			PrimaryCapacity: int64(r.PrimaryCapacity),
			BackupCapacity:  int64(ask.Value(r.BackupCapacity)),
			RiskGroup:       r.RiskGroup,
			Speed:           float64(ask.Value(r.Speed)),
		}
		if r.Price != nil {
			b.Resources[i].Price = float64(r.Price.Number)
		}
	}
	layLevels(f, b.Jobs)
	b.Lists = listsOf(f)
	for i := range f.Jobs {
		j := &f.Jobs[i]
		b.Jobs[i].ID, b.Jobs[i].Class, b.Jobs[i].Admission = j.ID, j.Class, alloc.Admission(j.Admission)
		b.Jobs[i].BaseFee = int64(ask.Value(j.BaseFee))
	}
	f = f.bare()
	s, err := alloc.New(b)
	if err != nil {
		return nil, allocateError(f, b, "", err)
	}
	return s, nil
}

// listsOf returns the eligible resources by job, nil where no job names any: a map for each of a million jobs would
// take ten times as much.
func listsOf(f *BatchFile) [][]alloc.EligibleList {
	n := 0
	for i := range f.Jobs {
		n += len(f.Jobs[i].Eligible)
	}
	if n == 0 {
		return nil
	}
	all, lists := make([]alloc.EligibleList, 0, n), make([][]alloc.EligibleList, len(f.Jobs))
	for i := range f.Jobs {
		from := len(all)
		for _, e := range f.Jobs[i].Eligible {
			all = append(all, alloc.EligibleList{Dependency: e.Dependency, Resources: e.Value})
		}
		lists[i] = all[from:len(all):len(all)]
	}
	return lists
}

// layLevels gives the jobs their levels: by index of the dependency where most
// jobs need most dependencies, in two large slices for all jobs; else by name,
// as for a job with a name that is unknown. Both hold the same; the first saves a
// map for each of a million jobs.
func layLevels(f *BatchFile, jobs []alloc.Job) {
	at := make(map[string]int, len(f.Dependencies))
	for d, name := range f.Dependencies {
		at[name] = d
	}
	needs, levels := 0, 0
	for i := range f.Jobs {
		for _, need := range f.Jobs[i].Levels {
			needs, levels = needs+1, levels+len(need.Value)
		}
	}
	// The room is found first, so that the slice of all levels never moves while
	// jobs hold parts of it.
	all := make([]alloc.Level, 0, levels)
	lay := func(list []BatchLevel) []alloc.Level {
		from := len(all)
		for _, l := range list {
			all = append(all, alloc.Level{Demand: int64(l.Demand), Revenue: int64(l.Revenue)})
		}
		return all[from:len(all):len(all)]
	}
	size := len(f.Dependencies)
	var rows [][]alloc.Level
	// Rows by index have a place for each dependency, needed or not: they are
	// made where at least every fourth is.
	if len(jobs)*size <= 4*needs {
		rows = make([][]alloc.Level, len(jobs)*size)
	}
	for i := range f.Jobs {
		named := f.Jobs[i].Levels
		byIndex := rows != nil && len(named) > 0
		for _, need := range named {
			_, known := at[need.Dependency]
			byIndex = byIndex && known
		}
		if !byIndex {
			jobs[i].Levels = make(map[string][]alloc.Level, len(named))
			for _, need := range named {
				jobs[i].Levels[need.Dependency] = lay(need.Value)
			}
			continue
		}
		jobs[i].Needs = rows[i*size : (i+1)*size : (i+1)*size]
		for _, need := range named {
			jobs[i].Needs[at[need.Dependency]] = lay(need.Value)
		}
	}
}

// allocateError turns an error of package alloc into one of this package;
// constraint is what binds where there is no assignment. f is the file with the
// places, nil for a batch that was not read.
func allocateError(f *BatchFile, b *alloc.Batch, constraint string, err error) error {
	var infeasible *alloc.InfeasibleError
	var missed *alloc.NotFoundError
	var batch *alloc.BatchError
	var domain *alloc.DomainError
	var size *lp.SizeError
	switch {
	// Of the two constraints that may bind, the budget is recognized by its amounts.
	case errors.As(err, &infeasible) && infeasible.Spending > infeasible.Budget:
		return ask.Infeasiblef("budget", infeasible.Budget, infeasible.Spending, "%s", infeasible.Problem())
	case errors.As(err, &infeasible):
		return ask.Infeasiblef(infeasible.Dependency+" "+constraint, float64(infeasible.Have),
			float64(infeasible.Need), "%s of %s", constraint, infeasible.Problem())
	// That a method found none does not prove that there is none.
	case errors.As(err, &missed) && missed.Method != "":
		return ask.Infeasiblef("method", float64(missed.Pairs), float64(missed.Placed),
			"%s; another method may have one: lp-round, as the method or as its fallback", missed.Problem())
	case errors.As(err, &batch) && f != nil:
		problem, want := batchProblem(batch, b)
		return f.At(batch.Place, batch.Place+": "+problem, want)
	case errors.Is(err, lp.ErrNoSolver):
		return &ask.InputError{Field: "solver", Reason: fault.Problem(err)}
	case errors.As(err, &size):
		return tooLarge(size)
	case errors.As(err, &domain):
		return ask.Inputf(strings.ToLower(domain.Arg), "%v is outside the domain, want %s", domain.Value, domain.Want)
	}
	return err
}

// batchProblem returns what was found and what is wanted, with the nearest name
// for one that is unknown.
func batchProblem(e *alloc.BatchError, b *alloc.Batch) (problem, want string) {
	problem, want = e.Problem, e.Want
	var known []string
	switch {
	case errors.Is(e, alloc.ErrUnknownDependency):
		known = b.Dependencies
		want = "one of " + firstNames(known)
	case errors.Is(e, alloc.ErrUnknownResource):
		for _, r := range b.Resources {
			known = append(known, r.ID)
			if r.RiskGroup != "" {
				known = append(known, r.RiskGroup)
			}
		}
		want = "the id of a resource"
	case errors.Is(e, alloc.ErrUnknownJob):
		for _, j := range b.Jobs {
			known = append(known, j.ID)
		}
		want = "the id of a job"
	case errors.Is(e, alloc.ErrDuplicateID):
		want = "it once"
	case errors.Is(e, alloc.ErrNoLevels):
		want = "at least one level such as {demand: 396, revenue: 3079}"
	}
	// Names are compared one by one, which of more than a hundred thousand takes
	// longer than a message is worth.
	if e.Name != "" && len(known) <= 100_000 {
		if near := spell.Nearest(e.Name, known); near != "" && near != e.Name {
			problem += " (did you mean " + near + "?)"
		}
	}
	return problem, want
}

// firstNames lists the first eight names.
func firstNames(names []string) string {
	const shown = 8
	if len(names) > shown {
		return strings.Join(names[:shown], ", ") + ", ..."
	}
	return strings.Join(names, ", ")
}

// givenPrimaries returns the primaries of an earlier answer, which must fit the
// batch. An assignment that breaks a rule of the batch is refused with the first
// rule that it breaks: bounds and backups of it would mean nothing.
func givenPrimaries(s *alloc.System, given *BatchAnswer) (alloc.Choices, error) {
	chosen, problems := choicesOf(s, given.Assignments, "assignments",
		func(place, problem string) error { return given.At(place, problem, "an answer to this batch") })
	if len(problems) > 0 {
		return nil, problems[0].err
	}
	r := alloc.Verify(s.Batch, chosen, nil, true)
	if !r.Feasible {
		v := r.Violations[0]
		return nil, ask.Inputf("primary", "the assignment does not fit this batch: %s: %s: %s",
			v.Place, v.Rule, v.Detail)
	}
	return chosen, nil
}

// failError turns an error of the failures into one of the field fail. Errors of the
// batch come as those of the backups.
func (q *Question) failError(b *alloc.Batch, err error) error {
	var batch *alloc.BatchError
	if !errors.As(err, &batch) || !strings.HasPrefix(batch.Place, "failures[") {
		return allocateError(q.Batch, b, "backup capacity", err)
	}
	problem, _ := batchProblem(batch, b)
	return &ask.InputError{Field: "fail", Reason: problem}
}
