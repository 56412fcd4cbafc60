package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report"
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
			r := answered(a, report.Study(a))
			if a.Stopped {
				r.warnings = append(r.warnings, fmt.Sprintf("interrupted after %d batches", a.Seeds))
				r.exit = ctx.Err()
			}
			return r, nil
		},
	}
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
	var b strings.Builder
	_ = report.StudyFigures().WriteText(&b)
	return b.String()
}
