package main

import (
	"context"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// studyFlags are a question and the flags of it that are read when it is asked; a nil or an empty
// list is one that was not given.
type studyFlags struct {
	q                      allocation.StudyQuestion
	jobs, resources, seeds *units.Count
	methods, mix, over     string
}

// allocateStudyCommand compares methods over many drawn batches. The figures are those of QoS-GRAF
// section 5; lists of methods and factors may be replaced.
func allocateStudyCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &studyFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "study", Usage: "how do the methods compare over many batches? (QoS-GRAF section 5)", Flags: s,
		Description: `Draws batches, allocates each by every method, and gives the means over the batches with
their 95% confidence intervals. The figures:

` + studyList() + `
lp-round-paper is the published method (MRPA, MLBA), lp-round this program's, and
lp-bound and least-loss are bounds that no assignment passes. Backups protect the
primaries of lp-round-paper, whatever the method.

  $ capplan allocate study --figure 7b --seeds 3
  $ capplan allocate study --figure sharing --seeds 2 --over 0.1,0.2,0.3 --plot sharing.svg
  $ capplan allocate study --figure failures --seeds 3 --format csv

Ctrl-C leaves the means over the batches that are finished.`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if err := f.complete(); err != nil {
				return nil, err
			}
			a, err := cmdline.Counting(ctx, st, "allocate study", &f.q.Done, &f.q, allocation.Study)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Study(a))
			// The means over the batches that are finished are an answer, told with a warning and
			// the exit code of an interruption.
			if a.Stopped {
				r.Warnings = append(r.Warnings, "interrupted after "+fault.Count(a.Seeds, "batch", "batches"))
				r.Exit = ctx.Err()
			}
			return r, nil
		},
	}
}

// flags binds the flags.
func (f *studyFlags) flags(s *cmdline.FlagSet) {
	// Without a figure the question says what there is.
	s.Text("figure", &f.q.Figure, "NAME", "number or name of the figure, see the list above")
	// A figure has its number in the paper and a name of its own, and either will do.
	s.Known("figure", func() []string {
		var names []string
		for _, f := range allocation.StudyFigures() {
			names = append(names, f.Number, f.Name)
		}
		return names
	})
	s.Text("methods", &f.methods, "LIST", "list of methods, named as in allocate --method (default those of the "+
		"figure)")
	s.Text("over",
		&f.over, "LIST", "list of values along the first axis: factors, numbers of jobs or numbers of failures "+
			"(default those of the figure)")
	cmdline.Value(s, "jobs", &f.jobs, "N", "jobs in a batch (default 100)")
	cmdline.Value(s, "resources", &f.resources, "N", "resources of each of the three dependencies (default 10)")
	cmdline.Number[units.Number](s, "primary-factor",
		&f.q.PrimaryFactor, "X", "primary capacity divided by the summed mean demand, if the figure does not vary "+
			"it (default 0.75)")
	cmdline.Number[units.Number](s, "backup-factor",
		&f.q.BackupFactor, "X", "backup capacity divided by primary capacity, if the figure does not vary it "+
			"(default 0.15)")
	s.Text("mix", &f.mix, "SMALL,MEDIUM,LARGE", "weights of the three classes of jobs (default 20,70,10)")
	cmdline.OneOf(s, "fallback", &f.q.Fallback,
		"`METHOD` to use, and to count in the answer, if a published method does not place all jobs of a batch: "+
			"lp-round (default none)",
		nil, string(alloc.LPRound))
	cmdline.OneOf(s, "capacity-law", &f.q.CapacityLaw,
		"`LAW` of the capacities: literal or relative, see allocate generate (default literal)", nil,
		string(alloc.Literal), string(alloc.Relative))
	cmdline.Value(s, "seeds", &f.seeds, "N", "number of batches (default 20)")
	cmdline.Seed(s, &f.q.Seed, "seed of the first batch")
	s.Sharded()
}

// complete puts what was given into the question. Errors: *ask.InputError of a flag.
func (f *studyFlags) complete() error {
	q := &f.q
	for _, c := range []struct {
		from *units.Count
		into *int
	}{{f.jobs, &q.Jobs}, {f.resources, &q.Resources}, {f.seeds, &q.Seeds}} {
		if c.from == nil {
			continue
		}
		// A 0 of the user becomes -1, which the question refuses with its own words.
		if *c.into = int(*c.from); *c.into == 0 {
			*c.into = -1 // 0 means the default
		}
	}
	var err error
	if q.Mix, err = parseMix(f.mix); err != nil {
		return err
	}
	// Whether a word is a method is checked by the study, which knows those of each figure.
	for _, m := range cmdline.Listed(f.methods) {
		q.Methods = append(q.Methods, alloc.Method(m))
	}
	// Factors and numbers of jobs are both numbers; which are wanted goes by the figure.
	for _, v := range cmdline.Listed(f.over) {
		x, err := units.Parse[units.Number](v)
		if err != nil {
			return &ask.InputError{Field: "over", Reason: cmdline.Plainly(err)}
		}
		q.Over = append(q.Over, float64(x))
	}
	return nil
}

// studyList is the list of figures for the help. The help is made of the table that the command
// answers by.
func studyList() string {
	var b strings.Builder
	_ = report.StudyFigures().WriteText(&b)
	return b.String()
}
