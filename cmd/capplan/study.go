package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func allocateStudyCommand() *command {
	q := &allocation.StudyQuestion{Seed: 1}
	s := newFlags(true)
	var jobs, resources, seeds, seed *units.Count
	var pf, bf *units.Number
	var methods, mix, over string
	text(s, "figure", &q.Figure, "NAME", "number or name of the figure, see the list above")
	text(s, "methods", &methods, "LIST", "of methods, as in --method of allocate (default those of the figure)")
	text(s, "over", &over, "LIST", "of factors, numbers of jobs or of failures along the first axis (default those of the figure)")
	value(s, "jobs", &jobs, "N", "jobs of a batch (default 100)")
	value(s, "resources", &resources, "N", "resources of each of the three dependencies (default 10)")
	value(s, "primary-factor", &pf, "X", "primary capacity over the summed mean demand, where the figure does not vary it (default 0.75)")
	value(s, "backup-factor", &bf, "X", "backup over primary capacity, where the figure does not vary it (default 0.15)")
	text(s, "mix", &mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	oneOf(s, "fallback", &q.Fallback, "`METHOD` that answers, counted, where a published one does not place all jobs of a batch: lp-round (default none)", nil, string(alloc.LPRound))
	oneOf(s, "capacity-law", &q.CapacityLaw, "`LAW` of the capacities: literal or relative, see allocate generate (default literal)", nil, string(alloc.Literal), string(alloc.Relative))
	value(s, "seeds", &seeds, "N", "batches (default 20)")
	value(s, "seed", &seed, "N", "of the first batch (default 1)")
	return &command{
		name: "study", usage: "how do the methods compare over many batches? (QoS-GRAF section 5)", flags: s,
		description: `Draws batches, lets each method allocate them, and gives the mean over the
batches with its 95 % confidence interval. The figures:

` + studyList() + `
lp-round-paper is the published method (MRPA, MLBA), lp-round this program's, and
lp-bound and least-loss are bounds that no assignment passes. Backups protect the
primaries of lp-round-paper, whatever the method.

  $ capplan allocate study --figure 7b --seeds 3
  $ capplan allocate study --figure sharing --seeds 2 --over 0.1,0.2,0.3 --plot sharing.svg
  $ capplan allocate study --figure failures --seeds 3 --format csv

Ctrl-C leaves the means over the batches that are finished.`,
		ask: func(ctx context.Context, st *streams, _ []string) (*result, error) {
			var err error
			for _, c := range []struct {
				from *units.Count
				into *int
			}{{jobs, &q.Jobs}, {resources, &q.Resources}, {seeds, &q.Seeds}} {
				if c.from == nil {
					continue
				}
				if *c.into = int(*c.from); *c.into == 0 {
					*c.into = -1 // 0 means the default
				}
			}
			if seed != nil {
				q.Seed = uint64(*seed)
			}
			q.PrimaryFactor, q.BackupFactor = float(pf), float(bf)
			if q.Mix, err = parseMix(mix); err != nil {
				return nil, err
			}
			for _, m := range splitList(methods) {
				q.Methods = append(q.Methods, alloc.Method(m))
			}
			for _, v := range splitList(over) {
				x, err := units.Parse[units.Number](v)
				if err != nil {
					return nil, &ask.InputError{Field: "over", Reason: plainly(err)}
				}
				q.Over = append(q.Over, float64(x))
			}
			add, finish := func(int) {}, func() {}
			defer func() { finish() }()
			q.Done = func(part, parts int) {
				if part == 1 {
					add, finish = st.steps(parts, "allocate study")
				}
				add(1)
			}
			a, err := allocation.Study(ctx, q)
			if err != nil {
				return nil, err
			}
			r := studyResult(a)
			if a.Stopped {
				r.exit = ctx.Err()
			}
			return r, nil
		},
	}
}

// studyResult is a study on its way out.
func studyResult(a *allocation.StudyAnswer) *result {
	r := &result{
		value: a, warnings: a.Warnings,
		text: func(p *page) { showStudy(p, a) },
		rows: func() [][]string { return studyRows(a) },
		draw: func(context.Context) (*drawing, error) { return drawStudy(a), nil },
	}
	if a.Stopped {
		r.warnings = append(r.warnings, fmt.Sprintf("interrupted after %d batches", a.Seeds))
	}
	return r
}

// splitList splits a list at its commas; nil for an empty one.
func splitList(s string) []string {
	var out []string
	for _, part := range strings.Split(s, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// studyList is the list of figures for the help.
func studyList() string {
	p := &page{}
	var rows [][]string
	for _, f := range allocation.StudyFigures() {
		rows = append(rows, []string{f.Number, f.Name, f.Title})
	}
	p.list(rows)
	var b strings.Builder
	_ = p.writeTo(&b)
	return b.String()
}

// studyValue writes a mean with half its interval.
func studyValue(a *allocation.StudyAnswer, r *allocation.StudyRow) string {
	unit := a.Unit
	if r.Quantity != a.Quantity {
		unit = "" // of a count or a share
	}
	var write func(v float64) string
	switch {
	case strings.HasSuffix(r.Quantity, "_share") || strings.HasSuffix(r.Quantity, "unused"):
		write = func(v float64) string { return units.FormatFraction(v, 3) }
	case unit == "$":
		write = func(v float64) string { return strconv.FormatFloat(v, 'f', 0, 64) }
	default:
		write = func(v float64) string { return units.FormatNumber(v, 4) }
	}
	if r.High == nil {
		return write(r.Mean)
	}
	return write(r.Mean) + " ± " + write(*r.High-r.Mean)
}

// showStudy writes a table of points by methods.
func showStudy(p *page, a *allocation.StudyAnswer) {
	p.headline("%s: %s, %s", a.Title, a.Source, plural(int64(a.Seeds), "batch", "batches"))
	what := fmt.Sprintf("%d, on %d resources of each dependency, capacities %s", a.Jobs, a.Resources, a.CapacityLaw)
	p.row("jobs", what)
	if a.PrimaryFactor != nil {
		p.row("primary factor", units.FormatNumber(*a.PrimaryFactor, 6))
	}
	if a.BackupFactor != nil {
		p.row("backup factor", units.FormatNumber(*a.BackupFactor, 6))
	}
	p.row("seeds", fmt.Sprintf("%d to %d", a.Seed, a.Seed+uint64(a.Seeds)-1))
	header := append([]string{studyPointName(a)}, a.Methods...)
	table := [][]string{header}
	at := map[string]int{}
	shown := 0
	for i := range a.Rows {
		r := &a.Rows[i]
		name := studyPoint(a, r)
		k, ok := at[name]
		if !ok {
			if shown == shownPoints {
				continue
			}
			shown++
			k = len(table)
			at[name] = k
			line := make([]string, len(header))
			for j := range line {
				line[j] = "-"
			}
			line[0] = name
			table = append(table, line)
		}
		for j, m := range a.Methods {
			if m == r.Method {
				table[k][j+1] = studyValue(a, r)
				if r.Batches < a.Seeds && a.Over != "job" {
					table[k][j+1] += fmt.Sprintf(" (%d)", r.Batches)
				}
			}
		}
	}
	for i := range a.Unanswered {
		u := &a.Unanswered[i]
		for name, k := range at {
			for j, m := range a.Methods {
				if m == u.Method && table[k][j+1] == "-" && (u.X == nil || name == units.FormatNumber(*u.X, 6)) {
					table[k][j+1] = "no answer (" + units.FormatFraction(u.Mean, 3) + " placed)"
				}
			}
		}
	}
	if len(a.Rows) > 0 && shown == shownPoints && a.Over == "job" {
		table = append(table, []string{"and more, see --format csv"})
	}
	p.table(table)
	if a.Over != "job" {
		p.row("batches", strconv.Itoa(a.Seeds)+" behind each mean, as many as in brackets where that is fewer")
	}
	if a.Fallback != nil {
		p.row("fallback", *a.Fallback+", "+plural(int64(len(a.Substituted)), "point", "points")+" where it answered")
	}
	p.row("±", "half of the 95 % confidence interval of the mean over batches")
}

// studyPointName heads the first column.
func studyPointName(a *allocation.StudyAnswer) string {
	return strings.ReplaceAll(a.Over, "_", " ")
}

// studyPoint names what a row stands for beside its method.
func studyPoint(a *allocation.StudyAnswer, r *allocation.StudyRow) string {
	var parts []string
	if r.X != nil {
		parts = append(parts, units.FormatNumber(*r.X, 6))
	}
	for _, s := range []*string{r.Job, r.Class, r.Dependency} {
		if s != nil {
			parts = append(parts, *s)
		}
	}
	switch {
	case a.Over == "job":
	case r.Level != nil && *r.Level == 0:
		parts = append(parts, "unprotected")
	case r.Level != nil:
		parts = append(parts, "level "+strconv.Itoa(*r.Level))
	}
	if r.Quantity != a.Quantity || a.Over == "failures" {
		parts = append(parts, strings.ReplaceAll(r.Quantity, "_", " "))
	}
	return strings.Join(parts, ", ")
}

// studyRows is the CSV.
func studyRows(a *allocation.StudyAnswer) [][]string {
	return scalarRows(slices.Concat(a.Rows, a.Unanswered, a.Substituted))
}
