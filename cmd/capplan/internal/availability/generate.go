package availability

import (
	"context"
	"io"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/units"
)

// laboratoryGenerateCommand makes up the traces that the iShare paper measured and did not publish.
// What the paper says of the laboratory is in package smp; here are only its size, the time between
// samples and the seed.
func laboratoryGenerateCommand() *cmdline.Command {
	// The trace itself is the answer, so that there is no --format.
	s := &cmdline.FlagSet{}
	lab := LaboratoryFlags(s)
	cmdline.Into[units.Duration](s, "every", &lab.Question.Period, "TIME", "time between samples (default 30s)")
	cmdline.Seed(s, &lab.Question.Seed, "seed of the draws")
	return &cmdline.Command{
		Name: "generate", Usage: "traces of a made-up computer laboratory (iShare 5)", Flags: s,
		Description: `Writes a host trace of machines like those of the student laboratory that iShare traced for
three months; the original is not available. It has the shares of the states (table 2), the
failures by cause (table 3), the lengths of the free intervals (figure 6) and the indexing
of file names that takes every machine at 4:00 (figure 7). Read it with --working-set 100MB
--gap 45s. Results on such a trace are no evidence for the paper.

  $ capplan availability generate --machines 1 --days 2 --every 10min --seed 7`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			l, err := machines.NewLaboratory(lab.Question)
			if err == nil {
				err = l.CheckText()
			}
			if err != nil {
				return nil, err
			}
			// The bar counts machines, because each is drawn as a whole.
			done, finish := st.Counted("machines")
			return &cmdline.Result{Write: func(w io.Writer) error {
				defer finish()
				return writeLaboratory(ctx, w, l, done)
			}}, nil
		},
	}
}

// A LaboratorySize holds the flags that say how large a generated laboratory is. 20 machines over 90
// days are those of iShare section 5.
type LaboratorySize struct{ Question machines.LaboratoryQuestion }

// LaboratoryFlags binds the flags of the size; reproduce takes them too.
func LaboratoryFlags(s *cmdline.FlagSet) *LaboratorySize {
	l := &LaboratorySize{}
	cmdline.Into[units.Count](s, "machines", &l.Question.Machines, "N", "machines of the generated laboratory "+
		"(default 20)",
		cmdline.Above0("1 or more"))
	cmdline.Into[units.Count](s, "days", &l.Question.Days, "N", "days of its record (default 90)",
		cmdline.Above0("1 or more"))
	return l
}

// Given reports whether any of these flags was given. They have no meaning with traces that are
// read.
func (l *LaboratorySize) Given() bool { return l.Question.Machines != 0 || l.Question.Days != 0 }
