package availability

import (
	"bufio"
	"context"
	"io"
	"strconv"

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

// writeLaboratory writes a host trace, machine by machine, so that one at a time
// is held. Times are unix seconds, loads shares of the processor with three digits, memory in MB
// with one. Errors: those of out, and that of the context.
func writeLaboratory(ctx context.Context, out io.Writer, l *machines.Laboratory, done func(part, parts int)) error {
	// A bufio.Writer keeps its first error and returns it from every later call, so that the header
	// needs no check.
	w := bufio.NewWriterSize(out, 1<<16)
	w.WriteString("time,host,cpu,free_mb\n")
	var row []byte
	for m := range l.Machines {
		host, err := l.Host(ctx, m)
		if err != nil {
			return err
		}
		for i, s := range host.Samples {
			// A host of 90 days has some 260,000 samples: the context is looked at now and then, not
			// for each.
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			row = strconv.AppendFloat(row[:0], s.Time, 'f', -1, 64)
			row = append(append(row, ','), host.Name...)
			row = strconv.AppendFloat(append(row, ','), s.Load, 'f', 3, 64)
			row = strconv.AppendFloat(append(row, ','), s.FreeMemory, 'f', 1, 64)
			if _, err := w.Write(append(row, '\n')); err != nil {
				return err
			}
		}
		done(m+1, l.Machines)
	}
	return w.Flush()
}
