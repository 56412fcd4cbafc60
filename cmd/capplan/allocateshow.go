package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/units"
)

// What a page shows of long lists; JSON and CSV hold all.
const (
	shownAssignments = 30
	shownViolations  = 20
)

// money shows an amount with all its digits before the point.
func money(v float64) string {
	if math.Abs(v) < 1e6 {
		return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

func optionalMoney(v *float64) string {
	if v == nil {
		return "infeasible"
	}
	return money(*v)
}

// optionalWhole shows a whole amount, of none a dash.
func optionalWhole(v *int64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatInt(*v, 10)
}

func showAllocate(p *page, a *allocation.Answer) {
	batch := plural(int64(a.Jobs), "job", "jobs") + " on " + plural(int64(a.Resources), "resource", "resources")
	if a.Revenue == nil {
		what := "revenue"
		if a.Costs() {
			what = "net revenue"
		}
		p.headline("%s at most %s for %s (bounds only)", what, money(a.ProvenBound), batch)
	} else {
		how := string(*a.Method)
		if len(a.FallbackUsed) > 0 {
			how += ", but " + string(*a.Fallback) + " for " + strings.Join(a.FallbackUsed, ", ")
		}
		if a.Solver != nil {
			how += " by " + *a.Solver
		}
		if a.PrimaryGiven {
			how = "primaries as given, backups by " + how
		}
		if a.Stopped && !*a.Optimal {
			how += ", time ran out"
		}
		if a.Costs() {
			p.headline("net revenue %s for %s (%s)", money(*a.NetRevenue), batch, how)
			p.row("revenue", strconv.FormatInt(*a.Revenue, 10))
		} else {
			p.headline("revenue %d for %s (%s)", *a.Revenue, batch, how)
		}
		showSide(p, a)
		if *a.Optimal {
			p.row("gap", "0", "proven optimal; "+units.FormatFraction(*a.Gap, 3)+" to the bound before the search")
		} else if remark := "to the best bound"; *a.ProvenGap < *a.Gap {
			p.row("gap", units.FormatFraction(*a.Gap, 3), remark+"; "+units.FormatFraction(*a.ProvenGap, 3)+" to what is proven")
		} else {
			p.row("gap", units.FormatFraction(*a.Gap, 3), remark)
		}
	}
	remark := "one level each, capacities pooled"
	if a.Published == nil {
		remark = "one level each or none, capacities pooled"
	}
	p.row("lp_bound", money(a.LP), remark)
	if a.Published != nil {
		p.row("lp_bound_published", money(*a.Published), "rows as printed")
	}
	p.row("lp_bound_eligible", money(a.Eligible), "levels only where they fit")
	if a.Integer != nil {
		p.row("integer_bound", optionalWhole(a.Integer), "in whole numbers, capacities pooled")
	}
	rows := [][]string{{"dependency", "revenue", "least bound", "gap", "shadow price", "capacity", "used"}}
	for _, d := range a.Dependencies {
		gap, used := "-", "-"
		if d.Gap != nil {
			gap = units.FormatFraction(*d.Gap, 3)
		}
		if d.Revenue != nil && d.Capacity > 0 {
			used = units.FormatFraction(float64(d.Used)/float64(d.Capacity), 4)
		}
		rows = append(rows, []string{d.Dependency, optionalWhole(d.Revenue), money(d.Best()), gap, units.FormatNumber(d.ShadowPrice, 5), strconv.FormatInt(d.Capacity, 10), used})
	}
	if a.Costs() && a.Revenue != nil {
		rows[0][1] = "net revenue"
		rows[0] = append(rows[0], "spending")
		for i := range a.Dependencies {
			rows[i+1][1] = money(*a.Dependencies[i].NetRevenue)
			rows[i+1] = append(rows[i+1], money(*a.Dependencies[i].Spending))
		}
	}
	p.table(rows)
	showBackup(p, a.Backup)
	showFailures(p, a)
	showLosses(p, a.Losses)
	showAssignments(p, a)
	p.explain(a.Explanation)
}

// showSide shows what goes beyond revenue: fees, spending, admission.
func showSide(p *page, a *allocation.Answer) {
	if *a.BaseFees > 0 {
		p.row("base fees", strconv.FormatInt(*a.BaseFees, 10), "part of the revenue")
	}
	if a.Budget != nil {
		p.row("spending", money(*a.Spending), "of a budget of "+money(*a.Budget))
		p.row("budget shadow price", units.FormatNumber(*a.BudgetPrice, 5), "net revenue for one more unit of budget")
	} else if a.Costs() {
		p.row("spending", money(*a.Spending))
	}
	if *a.Rejected > 0 {
		const shown = 8
		list := a.RejectedJobs
		more := ""
		if len(list) > shown {
			list, more = list[:shown], ", ..."
		}
		p.row("admitted", strconv.Itoa(*a.Admitted), strconv.Itoa(*a.Rejected)+" rejected: "+strings.Join(list, ", ")+more)
	}
}

func showBackup(p *page, b *allocation.BackupAnswer) {
	if b == nil {
		return
	}
	remark := "gap " + units.FormatFraction(b.Gap, 3)
	if b.Optimal {
		remark = "proven least"
	} else if b.Stopped {
		remark += ", time ran out"
	}
	p.row("backups ("+string(b.Mode)+"): loss", strconv.FormatInt(b.Loss, 10), remark)
	p.row("lp_bound_loss", optionalMoney(b.LPBound), "with levels only where they fit "+optionalMoney(b.EligibleBound))
	pairs := ""
	if b.UnprotectedPairs > 0 {
		pairs = fmt.Sprintf("%s of job and dependency", plural(int64(b.UnprotectedPairs), "pair", "pairs"))
	}
	if b.NoBackupSite > 0 {
		pairs += fmt.Sprintf(", of which %d fit no other resource", b.NoBackupSite)
	}
	p.row("unprotected jobs", strconv.Itoa(b.Unprotected), pairs)
	p.row("sharing factor", units.FormatNumber(b.SharingFactor, 4))
	p.flush()
}

func showFailures(p *page, a *allocation.Answer) {
	if len(a.Failures) == 0 {
		return
	}
	rows := [][]string{{"failed", "switched", "lost", "lost in all", "stopped jobs", "unprotected jobs"}}
	for _, f := range a.Failures {
		rows = append(rows, []string{f.Failed, strconv.Itoa(f.Switched), strconv.FormatInt(f.StepLoss, 10), strconv.FormatInt(f.Loss, 10), strconv.Itoa(f.Stopped), strconv.Itoa(f.Unprotected)})
	}
	p.table(rows)
}

// showLosses shows the distributions of the loss over failures.
func showLosses(p *page, l *allocation.FailureLosses) {
	if l == nil {
		return
	}
	rows := [][]string{{"loss over failures of", "failures", "mean", "median", "95%", "worst", "that of"}}
	for _, c := range []struct {
		name string
		d    *alloc.LossDistribution
	}{{"one", l.Single}, {"two at once", l.Pairs}} {
		if c.d == nil || len(c.d.Losses) == 0 {
			continue
		}
		worst := slices.MaxFunc(c.d.Losses, func(a, b alloc.FailureLoss) int { return cmp.Compare(a.Loss, b.Loss) })
		number := strconv.Itoa(len(c.d.Losses))
		if !c.d.Complete {
			number += " drawn"
		}
		rows = append(rows, []string{c.name, number, money(c.d.Mean), money(float64(c.d.Median)), money(float64(c.d.P95)), money(float64(c.d.Worst)), strings.Join(worst.Failed, ", ")})
	}
	p.table(rows)
}

func showAssignments(p *page, a *allocation.Answer) {
	if len(a.Assignments) == 0 {
		return
	}
	rows := [][]string{{"job", "dependency", "resource", "level", "demand", "revenue"}}
	if a.Backup != nil {
		rows[0] = append(rows[0], "backup", "level")
	}
	for i, c := range a.Assignments {
		if i == shownAssignments {
			rows = append(rows, []string{fmt.Sprintf("and %d more, see --format csv", len(a.Assignments)-i)})
			break
		}
		if c.Resource == nil {
			rows = append(rows, []string{c.Job, c.Dependency, "rejected", "-", "-", "-"})
			continue
		}
		row := []string{c.Job, c.Dependency, *c.Resource, strconv.Itoa(c.Level), strconv.FormatInt(c.Demand, 10), strconv.FormatInt(c.Revenue, 10)}
		if a.Backup != nil {
			if b := a.Backup.Assignments[i]; b.Resource != nil {
				row = append(row, *b.Resource, strconv.Itoa(b.Level))
			} else {
				row = append(row, "unprotected", "-")
			}
		}
		rows = append(rows, row)
	}
	p.table(rows)
}

// allocateRows is the CSV: one assignment a row, or one dependency where only
// bounds were asked for.
func allocateRows(a *allocation.Answer) [][]string {
	if a.Revenue == nil {
		return scalarRows(a.Dependencies)
	}
	rows := [][]string{{"job", "dependency", "resource", "level", "demand", "revenue"}}
	if a.Backup != nil {
		rows[0] = append(rows[0], "backup_resource", "backup_level", "backup_demand", "backup_revenue")
	}
	cells := func(c *allocation.AllocatedJob) []string {
		resource := ""
		if c.Resource != nil {
			resource = *c.Resource
		}
		return []string{resource, strconv.Itoa(c.Level), strconv.FormatInt(c.Demand, 10), strconv.FormatInt(c.Revenue, 10)}
	}
	for i := range a.Assignments {
		c := &a.Assignments[i]
		row := append([]string{c.Job, c.Dependency}, cells(c)...)
		if a.Backup != nil {
			row = append(row, cells(&a.Backup.Assignments[i])...)
		}
		rows = append(rows, row)
	}
	return rows
}

func showVerify(p *page, a *allocation.VerifyAnswer) {
	if a.Feasible {
		if a.Spending > 0 {
			p.headline("feasible, net revenue %s", money(a.NetRevenue))
			p.row("revenue", strconv.FormatInt(a.Revenue, 10))
		} else {
			p.headline("feasible, revenue %d", a.Revenue)
		}
	} else {
		p.headline("not feasible: %s", plural(int64(len(a.Violations)), "violation", "violations"))
		p.row("revenue", strconv.FormatInt(a.Revenue, 10), "of the primaries that are right")
	}
	if a.BaseFees > 0 {
		p.row("base fees", strconv.FormatInt(a.BaseFees, 10), "part of the revenue")
	}
	if a.Spending > 0 {
		p.row("spending", money(a.Spending))
	}
	if a.Rejected > 0 {
		p.row("rejected", strconv.Itoa(a.Rejected), "jobs that may be left out")
	}
	if a.Loss != nil {
		p.row("loss", strconv.FormatInt(*a.Loss, 10), "if every job went to its backup")
		p.row("unprotected jobs", strconv.Itoa(*a.Unprotected))
	}
	var rows [][]string
	for i, v := range a.Violations {
		if i == shownViolations {
			rows = append(rows, []string{fmt.Sprintf("and %d more, see --format json", len(a.Violations)-i)})
			break
		}
		rows = append(rows, []string{v.Rule, v.Place, v.Detail})
	}
	p.list(rows)
}

// drawAllocate draws the greatest revenue against capacity, a line for each
// dependency, and the answer at the capacity that there is.
func drawAllocate(q *allocation.Question, a *allocation.Answer) (*drawing, error) {
	curves, err := q.RevenueCurves(a, 400)
	if err != nil {
		return nil, err
	}
	c := chart.Chart{
		Title:    "Revenue against capacity",
		Subtitle: "line: lp_bound, no assignment earns more; mark: this answer at the capacity that there is",
		XLabel:   "capacity of all resources of the dependency (its unit)", YLabel: "revenue",
	}
	if a.Costs() {
		c.Subtitle = "before prices; line: no assignment earns more; mark: this answer at the capacity that there is"
	}
	if a.Revenue == nil {
		c.Subtitle = "line: lp_bound, no assignment earns more; mark: the capacity that there is"
	}
	for _, r := range curves {
		c.Series = append(c.Series, chart.Series{Name: r.Dependency, X: r.Capacity, Y: r.Revenue, Style: chart.Line})
		at := r.Bound
		if r.Answer != nil {
			at = float64(*r.Answer)
		}
		c.Marks = append(c.Marks, chart.Mark{X: r.At, Y: at, Label: strings.TrimSpace(r.Dependency + " " + money(at))})
	}
	return &drawing{bottom: c}, nil
}
