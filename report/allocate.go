package report

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// What is shown of long lists; the data has all. A screen holds some thirty rows of a batch that
// may have a million; violations and rejected jobs are mostly of one kind, so that fewer show it.
const (
	shownAssignments = 30
	shownViolations  = 20
	shownRejected    = 8
)

// Allocation says which job runs at which level on which resource. It leads with the revenue of the
// assignment, or with the bound where only bounds were asked for, and then says how far the best
// can be away.
func Allocation(a *allocation.Answer) *page.Section {
	// All amounts of the section are in one currency, that of the batch.
	m := sums{a.Money}
	s := page.New("allocation", "Which job where?", a.Warnings, a.Explanation, assignmentData(a))
	batch := say.Plural(a.Jobs, "job") + " on " + say.Plural(a.Resources, "resource")
	// A nil revenue is an answer without an assignment (--bound-only).
	if a.Revenue == nil {
		what := "revenue"
		if a.Costs() {
			what = "net revenue"
		}
		s.Say("%s at most %s for %s (bounds only)", what, m.money(a.ProvenBound), batch)
	} else {
		addAllocated(s, a, batch)
	}
	// The published rows want one level of every dependency, and are no bound where jobs may be left
	// out.
	remark := "one level each, capacities pooled"
	if a.Published == nil {
		remark = "one level each or none, capacities pooled"
	}
	// The bounds stand from the weakest to the strongest, each with what it takes to be true.
	// Labels are the names of the JSON, so that a bound can be found there.
	s.Fact("lp_bound", m.money(a.LP), remark)
	s.Fact("lp_bound_published", say.Optional(a.Published, m.money), "rows as printed")
	s.Fact("lp_bound_eligible", m.money(a.Eligible), "levels only where they fit")
	s.Fact("integer_bound", say.Optional(a.Integer, m.whole), "in whole numbers, capacities pooled")
	addDependencies(s, a)
	addBackup(s, a.Backup, m)
	// A table without a row is not shown, so that nothing asks here whether failures, losses or
	// assignments were wanted.
	failures := s.Table("failed", "switched", "lost", "lost in total", "stopped jobs", "unprotected jobs")
	for _, f := range a.Failures {
		failures.Row(f.Failed, say.Count(f.Switched), m.whole(f.StepLoss), m.whole(f.Loss), say.Count(f.Stopped),
			say.Count(f.Unprotected))
	}
	addLosses(s, a.Losses, m)
	addAssignments(s, a)
	s.Plots(a, "Gain of more capacity and loss of less.")
	return s
}

// amount writes a whole amount.
func amount(v int64) string { return say.Money(float64(v)) }

// sums writes amounts of money as a batch has them: with its currency or without. The JSON has the
// bare numbers; the currency is for people only.
type sums struct{ form *units.CostForm }

func (m sums) money(v float64) string { return m.form.Write(v, say.Money) }

func (m sums) whole(v int64) string { return m.money(float64(v)) }

// price is of one more unit, with more digits than money has. Shadow prices are often a small part
// of one unit of money, which cents would round away.
func (m sums) price(v float64) string {
	return m.form.Write(v, func(v float64) string { return say.Number(v, 5) })
}

// addAllocated says the revenue of an assignment and how far from the best it is. The words in
// brackets say by which way it was found, since the same revenue means more with a proof.
func addAllocated(s *page.Section, a *allocation.Answer, batch string) {
	m := sums{a.Money}
	how := string(*a.Method)
	if len(a.FallbackUsed) > 0 {
		how += ", but " + string(*a.Fallback) + " for " + strings.Join(a.FallbackUsed, ", ")
	}
	if a.Solver != nil {
		how += " with solver " + *a.Solver // which is not called if the search proves its answer
	}
	if a.PrimaryGiven {
		how = "the given primaries, backups by " + how
	}
	// An answer that is proven optimal is whole whenever the search ended.
	if a.Stopped && !*a.Optimal {
		how += ", time limit reached"
	}
	if a.Costs() {
		s.Say("net revenue %s for %s (%s)", m.money(*a.NetRevenue), batch, how)
		s.Fact("revenue", m.whole(*a.Revenue))
	} else {
		s.Say("revenue %s for %s (%s)", m.whole(*a.Revenue), batch, how)
	}
	if *a.BaseFees > 0 {
		s.Fact("base fees", m.whole(*a.BaseFees), "part of the revenue")
	}
	// The price of the budget is that of the relaxation: net revenue for one more unit to spend.
	if a.Budget != nil {
		s.Fact("spending", m.money(*a.Spending), "of a budget of "+m.money(*a.Budget))
		s.Fact("budget shadow price", say.Number(*a.BudgetPrice, 5), "net revenue for one more unit of budget")
	} else if a.Costs() {
		s.Fact("spending", m.money(*a.Spending))
	}
	if *a.Rejected > 0 {
		list, more := a.RejectedJobs, ""
		if len(list) > shownRejected {
			list, more = list[:shownRejected], ", ..."
		}
		s.Fact("admitted", say.Count(*a.Admitted), say.Count(*a.Rejected)+" rejected: "+strings.Join(list, ", ")+more)
	}
	// Two gaps can be told: to the best bound known, and to the one that the search proved, which
	// may be nearer.
	switch {
	case *a.Optimal:
		s.Fact("gap", "0", "proven optimal; "+say.Fraction(*a.Gap, 3)+" to the bound before the search")
	case *a.ProvenGap < *a.Gap:
		s.Fact("gap", say.Fraction(*a.Gap, 3), "to the best bound; "+say.Fraction(*a.ProvenGap, 3)+" to what is proven")
	default:
		s.Fact("gap", say.Fraction(*a.Gap, 3), "to the best bound")
	}
}

// addDependencies shows each dependency, which is a program of its own: its revenue, its bound, and
// what one more unit of capacity would earn. Prices of machines make spending a column of its own,
// and revenue a net one.
func addDependencies(s *page.Section, a *allocation.Answer) {
	m := sums{a.Money}
	t := s.Table("dependency", "revenue", "least bound", "gap", "shadow price", "capacity", "used")
	spent := a.Costs() && a.Revenue != nil
	if spent {
		t.Head[1] = "net revenue"
		t.Head = append(t.Head, "spending")
	}
	for _, d := range a.Dependencies {
		used := ""
		if d.Revenue != nil && d.Capacity > 0 {
			used = say.Fraction(float64(d.Used)/float64(d.Capacity), 4)
		}
		row := []string{d.Dependency, say.Optional(d.Revenue, m.whole), m.money(d.Best()),
			say.Maybe(d.Gap, say.Fraction, 3), m.price(d.ShadowPrice), amount(d.Capacity), used}
		if spent {
			row[1] = m.money(*d.NetRevenue)
			row = append(row, m.money(*d.Spending))
		}
		t.Line(row...)
	}
}

// addBackup shows what backups save, and which jobs are left without. Nothing is added where no
// backups were planned. The sharing factor is the demand of backups over backup capacity, a mean
// over resources: above 1 jobs that do not fail together share it.
func addBackup(s *page.Section, b *allocation.BackupAnswer, m sums) {
	if b == nil {
		return
	}
	remark := "gap " + say.Fraction(b.Gap, 3)
	if b.Optimal {
		remark = "proven least"
	} else if b.Stopped {
		remark += ", time limit reached"
	}
	// Backups that protect every job may be impossible even in fractions, which a missing bound says.
	bound := func(v *float64) string {
		if v == nil {
			return "infeasible"
		}
		return m.money(*v)
	}
	s.Fact("backups ("+string(b.Mode)+"): loss", m.whole(b.Loss), remark)
	s.Fact("lp_bound_loss", bound(b.LPBound), "with levels only where they fit "+bound(b.EligibleBound))
	// A job counts as unprotected with any of its dependencies, so that pairs say how much of it.
	pairs := ""
	if b.UnprotectedPairs > 0 {
		pairs = say.Plural(b.UnprotectedPairs, "pair") + " of job and dependency"
	}
	if b.NoBackupSite > 0 {
		pairs += fmt.Sprintf(", of which %s fit no other resource", say.Count(b.NoBackupSite))
	}
	s.Fact("unprotected jobs", say.Count(b.Unprotected), pairs)
	s.Fact("sharing factor", say.Number(b.SharingFactor, 4))
}

// addLosses shows the distributions of the loss over failures: mean, median, 95 % point and worst
// loss over all single failures and over pairs, which are drawn at random if there are too many.
func addLosses(s *page.Section, l *allocation.FailureLosses, m sums) {
	if l == nil {
		return
	}
	t := s.Table("loss over failures of", "failures", "mean", "median", "95%", "worst", "that of")
	for _, c := range []struct {
		name string
		d    *alloc.LossDistribution
	}{{"one", l.Single}, {"two at once", l.Pairs}} {
		if c.d == nil || len(c.d.Losses) == 0 {
			continue
		}
		// Which resource or pair costs the most is what one would protect first.
		worst := slices.MaxFunc(c.d.Losses, func(a, b alloc.FailureLoss) int { return cmp.Compare(a.Loss, b.Loss) })
		failures := say.Count(len(c.d.Losses))
		if !c.d.Complete {
			failures += " drawn"
		}
		t.Row(c.name, failures, m.money(c.d.Mean), m.whole(c.d.Median), m.whole(c.d.P95), m.whole(c.d.Worst),
			strings.Join(worst.Failed, ", "))
	}
}

// addAssignments lists the first assignments, in the order of the batch. The list ends at
// shownAssignments; CSV has all.
func addAssignments(s *page.Section, a *allocation.Answer) {
	m := sums{a.Money}
	t := s.Table("job", "dependency", "resource", "level", "demand", "revenue")
	t.Long, t.MoreIn = true, "csv"
	// A second column of the same name is the level of the backup.
	if a.Backup != nil {
		t.Head = append(t.Head, "backup", "level")
	}
	for i, c := range a.Assignments {
		if !t.Fits(shownAssignments) {
			t.More = len(a.Assignments) - shownAssignments
			break
		}
		if c.Resource == nil {
			t.Row(c.Job, c.Dependency, "rejected", "", "", "")
			continue
		}
		row := []string{c.Job, c.Dependency, *c.Resource, say.Count(c.Level), amount(c.Demand), m.whole(c.Revenue)}
		if a.Backup != nil {
			if b := a.Backup.Assignments[i]; b.Resource != nil {
				row = append(row, *b.Resource, say.Count(b.Level))
			} else {
				row = append(row, "unprotected", "")
			}
		}
		t.Line(row...)
	}
}

// assignmentData is a row for each assignment, or for each dependency where only
// bounds were asked for. A rejected job has an empty resource and level 0.
func assignmentData(a *allocation.Answer) page.Data {
	if a.Revenue == nil {
		return page.RowsOf("allocation", a.Dependencies)
	}
	head := []string{"job", "dependency", "resource", "level", "demand", "revenue"}
	if a.Backup != nil {
		head = append(head, "backup_resource", "backup_level", "backup_demand", "backup_revenue")
	}
	place := func(c *allocation.AllocatedJob) []string {
		return []string{ask.Value(c.Resource), strconv.Itoa(c.Level), strconv.FormatInt(c.Demand, 10),
			strconv.FormatInt(c.Revenue, 10)}
	}
	// The rows are handed out one by one: a batch of a million jobs is not held as text.
	return page.Data{Name: "allocation", Each: func(row func([]string) error) error {
		if err := row(head); err != nil {
			return err
		}
		for i := range a.Assignments {
			c := &a.Assignments[i]
			cells := append([]string{c.Job, c.Dependency}, place(c)...)
			if a.Backup != nil {
				cells = append(cells, place(&a.Backup.Assignments[i])...)
			}
			if err := row(cells); err != nil {
				return err
			}
		}
		return nil
	}}
}

// Verify shows whether an assignment is feasible, and what it is worth. Violations are listed with
// the rule, the place and the numbers, at most shownViolations of them. The revenue counts only
// primaries that are right.
func Verify(a *allocation.VerifyAnswer) *page.Section {
	m := sums{a.Money}
	s := page.New("verify", "Is the assignment feasible?", a.Warnings, nil)
	switch {
	case a.Feasible && a.Spending > 0:
		s.Say("feasible, net revenue %s", m.money(a.NetRevenue))
		s.Fact("revenue", m.whole(a.Revenue))
	case a.Feasible:
		s.Say("feasible, revenue %s", m.whole(a.Revenue))
	default:
		s.Say("not feasible: %s", say.Plural(len(a.Violations), "violation"))
		s.Fact("revenue", m.whole(a.Revenue), "of the correct primaries")
	}
	if a.BaseFees > 0 {
		s.Fact("base fees", m.whole(a.BaseFees), "part of the revenue")
	}
	if a.Spending > 0 {
		s.Fact("spending", m.money(a.Spending))
	}
	if a.Rejected > 0 {
		s.Fact("rejected", say.Count(a.Rejected), "jobs that may be left out")
	}
	if a.Loss != nil {
		s.Fact("loss", m.whole(*a.Loss), "if every job went to its backup")
		s.Fact("unprotected jobs", say.Count(*a.Unprotected))
	}
	t := s.List()
	t.MoreIn = "json"
	for _, v := range a.Violations {
		if t.Fits(shownViolations) {
			t.Row(v.Rule, v.Place, v.Detail)
		}
	}
	return s
}
