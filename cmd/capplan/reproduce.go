package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/papers"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/report/page"
	"github.com/capplan/capplan/units"
)

// reproduceFlags are the flags of reproduce. Those that need a check are read apart; the others are
// bound to the question.
type reproduceFlags struct {
	set      *cmdline.FlagSet
	question paper.Question
	hosts    availability.HostInput
	traces   []string
	// The traces that iShare measured were not published; a laboratory by its description stands in
	// for them.
	laboratory *availability.LaboratorySize
	all, force bool
	// dir is the folder of --out, swf a job log, resources numbers with commas between.
	dir, swf, resources string
}

// flags binds them.
func (f *reproduceFlags) flags(s *cmdline.FlagSet) {
	f.set, f.hosts.Many = s, true
	s.Toggle("list", &f.all, "list what can be reproduced, what each reproduction covers, and what differs and why")
	s.Text("out", &f.dir, "DIR",
		"folder for rows (CSV), answer (JSON) and drawings (SVG and PNG), in a folder for each NAME; it appears "+
			"whole or not at all")
	s.Toggle("force",
		&f.force, "with --out: replace the files of an earlier run in a folder that is not empty; other files stay")
	q := &f.question
	cmdline.Into[units.Count](s, "seeds", &q.Seeds, "N",
		"number of random batches or runs: batches of a figure of QoS-GRAF (default 20), runs for each point of a "+
			"figure of PCU (default 3), runs of InterGrid's leases and of SpeQuloS's bags (default: 100 recorded "+
			"runs), and runs for approximations (default: recorded runs)",
		cmdline.Above0("1 or more"))
	cmdline.Into[units.Fraction](s, "scale", &q.Scale, "SHARE",
		"scale of PCU's pool, machines and load alike, for a quick look at its simulated figures, such as 10% "+
			"(default all)",
		cmdline.Above0("a share above 0 such as 10%"))
	s.Text("swf", &f.swf, "FILE", "job log for PCU figure 14 (default: a generated one)")
	cmdline.Seed(s, &q.Seed, "seed of the draws")
	s.Text("resources", &f.resources, "N,N",
		"list of numbers of resources of each dependency in QoS-GRAF's batches, which the paper does not say; the "+
			"first is drawn, and all are compared with printed numbers (default 10,4, for table 2 10,8,5,4,2)")
	cmdline.OneOf(s, "capacity-law", &f.question.CapacityLaw,
		"`LAW` of their capacities: literal or relative, see allocate generate (default literal)", nil,
		string(alloc.Literal), string(alloc.Relative))
	cmdline.Number[units.Number](s, "reference-speed", &f.question.ReferenceSpeed, "MIPS",
		"speed at which the durations of InterGrid's workload were measured, which the paper does not say (default "+
			"1000)")
	s.Repeated("trace", &f.traces, "a trace of machines",
		"`FILE` of traces of machines for the figures of iShare; may be repeated (default: a generated laboratory)")
	f.laboratory = availability.LaboratoryFlags(s)
	f.hosts.Flags(s)
	// Thresholds and calendar are of the generated laboratory too; these flags say how files are read.
	for _, flag := range []string{"input", "host", "percent", "strict", "trace-date", "threshold", "columns",
		"time-format", "memory-total"} {
		s.Needs(flag, "trace")
	}
	// Sharded comes last, since it takes over the flag --out that stands before it.
	s.Sharded()
}

// reproduceCommand computes what a paper prints and puts the two numbers side by side. The exit
// code is 0 whether the numbers agree or not: what differs, and why, is part of the answer.
func reproduceCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &reproduceFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "reproduce", Usage: "a figure or table of a paper, computed", Args: "NAME", MaxArgs: 1, Flags: s,
		Complete: func() []string {
			names := []string{everything}
			for _, r := range papers.Reproducibles() {
				names = append(names, r.Name)
			}
			return names
		},
		Description: `Computes a figure, a table or the worked examples of one of the five papers, with the
number that the paper prints, if it prints one, beside each.

  $ capplan reproduce --list
  $ capplan reproduce pcu-examples
  $ capplan reproduce intergrid-external --plot routing.svg
  $ capplan reproduce pcu-figure-4 --seeds 2 --scale 5%
  $ capplan reproduce intergrid-figure-5a
  $ capplan reproduce spequlos-figure-6e
  $ capplan reproduce approximations
  $ capplan reproduce qos-graf-table-2 --seeds 3
  $ capplan reproduce ishare-figure-15 --trace testdata/hosts-small.csv
  $ capplan reproduce ishare-table-3 --machines 5 --days 30
  $ capplan reproduce all --seeds 2 --out reproduced

NAME may be all: everything that can be computed. Without --trace the figures of
iShare are of a generated laboratory (availability generate).`,
		Check: f.check,
		Ask:   f.ask,
	}
}

// everything is the name of all that can be computed.
const everything = "all"

// check refuses a line that names nothing to reproduce.
func (f *reproduceFlags) check(args []string) error {
	switch {
	// The list answers another question than a name does, and nothing of it is written to a folder.
	case f.all && (len(args) > 0 || f.dir != ""):
		return &cmdline.UsageError{Reason: "--list stands alone"}
	case f.all:
		return checkRead(f.set, "")
	case len(args) == 0:
		return &cmdline.UsageError{Reason: "no name given, see capplan reproduce --list"}
	case args[0] == everything:
		return nil
	}
	return cmp.Or(papers.Check(args[0]), checkRead(f.set, args[0]))
}

// ask answers the list, or a name.
func (f *reproduceFlags) ask(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	if f.all {
		return cmdline.Answered(struct {
			Figures []paper.Reproducible `json:"figures"`
		}{papers.Reproducibles()}, paper.ListSection(papers.Reproducibles())), nil
	}
	if err := f.readResources(); err != nil {
		return nil, err
	}
	if err := f.readLog(ctx, st); err != nil {
		return nil, err
	}
	// A folder that cannot be written is reported before hours of simulation.
	folder, err := cmdline.NewFolder(f.dir, f.force)
	if err != nil {
		return nil, err
	}
	if err := f.readMachines(ctx, st); err != nil {
		return nil, err
	}
	// From here on the work may take hours.
	answers, failed, err := reproduceNames(ctx, st, &f.question, args[0])
	if err != nil {
		return nil, err
	}
	if folder != nil {
		files, err := reproducedFiles(ctx, answers)
		if err != nil {
			return nil, err
		}
		if err := folder.Write(ctx, files, reproducedNames()); err != nil {
			return nil, err
		}
	}
	r := reproduced(answers, args[0] == everything, f.dir)
	r.Warnings, r.Exit = slices.Concat(f.hosts.Warnings, r.Warnings), failed
	// Its folder is there: a signal from here on comes too late to say that nothing was done.
	r.Stoppable, r.Ended = folder != nil, folder != nil
	return r, nil
}

// readResources reads the numbers of resources. Errors: *ask.InputError of the flag.
func (f *reproduceFlags) readResources() error {
	// More resources than 100,000 would draw batches that no memory holds.
	for _, part := range cmdline.Listed(f.resources) {
		n, err := units.Parse[units.Number](part)
		if err != nil || n < 1 || n != units.Number(int(n)) || n > 100_000 {
			return ask.Inputf("resources", "%s, want whole numbers from 1 to 100000 such as 10,4", spell.Quote(part))
		}
		f.question.Resources = append(f.question.Resources, int(n))
	}
	return nil
}

// readLog reads the jobs of --swf. They run as in PCU figure 14: on public machines of a share
// 1.5/3.5 of the speed, three times as long, with 64 MB to move.
func (f *reproduceFlags) readLog(ctx context.Context, st *cmdline.Streams) (err error) {
	if f.swf == "" {
		return nil
	}
	open := source.OpenOptions{Stdin: st.In, Wrap: st.Progress(f.swf)}
	f.question.JobLog, _, err = pools.ReadLog(ctx, f.swf, open,
		pools.LogOptions{Speed: 1.5 / 3.5, Factor: 3, Footprint: 64e6})
	return err
}

// readMachines reads the traces, or says how large the laboratory is in their place.
func (f *reproduceFlags) readMachines(ctx context.Context, st *cmdline.Streams) (err error) {
	if f.question.Labelling, err = f.hosts.Labelling(ctx); err != nil {
		return err
	}
	if len(f.traces) > 0 {
		if err := f.hosts.Read(ctx, f.traces, st); err != nil {
			return err
		}
	}
	// Both say which machines there are, and neither goes before the other.
	if f.laboratory.Given() && len(f.traces) > 0 {
		return &cmdline.UsageError{Reason: "--machines and --days describe the generated laboratory, but --trace " +
			"gives machines: want one of them"}
	}
	f.question.Hosts = f.hosts.Hosts
	f.question.Laboratory = f.laboratory.Question
	return nil
}

// reproduceNames answers one name, or all that can be: then those that can't
// are left out, and failed says which. With all, an error of one name does not keep the others from
// being answered; the exit code then says that one failed. Reports of progress go by name.
func reproduceNames(ctx context.Context, st *cmdline.Streams, q *paper.Question,
	name string) (answers []*paper.Reproduction, failed, err error) {
	var kept error
	names := []string{name}
	if name == everything {
		names = nil
		for _, r := range papers.Reproducibles() {
			// What is listed without being computed has a reason in the list, and no figures.
			if r.Computed {
				names = append(names, r.Name)
			}
		}
	}
	for _, n := range names {
		// Each name gets a copy of the question, with a name and a bar of its own.
		asked := *q
		asked.Name = n
		a, err := cmdline.Counting(ctx, st, "reproduce "+n, &asked.Done, &asked, papers.Reproduce)
		if err == nil {
			err = ctx.Err() // what was interrupted is no figure, though some of it may be there
		}
		if errors.Is(err, pieces.ErrKept) {
			kept = err // by a shard, which goes on with the next
			continue
		}
		switch {
		case err == nil:
			answers = append(answers, a)
		case name != everything || ctx.Err() != nil:
			return nil, nil, err
		default:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", n, err))
		}
	}
	// One shard of all names has kept its pieces, and merge makes the answers.
	if kept != nil {
		return nil, nil, kept
	}
	if len(answers) == 0 {
		return nil, nil, failed
	}
	return answers, failed, nil
}

// reproduced is what was computed on its way out. A single name is answered by itself, all by a
// list.
func reproduced(answers []*paper.Reproduction, all bool, dir string) *cmdline.Result {
	first := answers[0]
	r := cmdline.Answered(first, first.Section())
	if all {
		r = cmdline.Answered(struct {
			Reproductions []*paper.Reproduction `json:"reproductions"`
		}{answers}, paper.All(answers, dir != ""))
		// Of several figures each warning says which it is of.
		for _, a := range answers {
			for _, w := range a.Warnings {
				r.Warnings = append(r.Warnings, a.Name+": "+w)
			}
		}
	}
	if dir != "" {
		r.Section.Say("written to %s", dir)
	}
	return r
}

// reproducedFiles are the files of --out. Each answer has its rows as CSV, itself as JSON, and its
// drawing in two forms, all under its own name.
func reproducedFiles(ctx context.Context, answers []*paper.Reproduction) ([]cmdline.OutFile, error) {
	var files []cmdline.OutFile
	var figures []page.Figure
	var names []string
	for _, a := range answers {
		s := a.Section()
		var rows, answer bytes.Buffer
		if err := s.Data[0].Write(&rows, false); err != nil {
			return nil, err
		}
		if err := writeJSON(&answer, a); err != nil {
			return nil, err
		}
		files = append(files, cmdline.OutFile{Name: a.Name + ".csv", Content: rows.Bytes()},
			cmdline.OutFile{Name: a.Name + ".json", Content: answer.Bytes()})
		// A table has no drawing, and then no file.
		drawn, err := s.Draws(ctx)
		if err != nil {
			return nil, err
		}
		for _, f := range drawn {
			figures, names = append(figures, f), append(names, a.Name)
		}
	}
	plots, err := plotFiles(ctx, figures, names)
	return append(files, plots...), err
}

// reproducedNames are all files that --out ever writes. --force replaces these and leaves all other
// files of the folder.
func reproducedNames() []string {
	var names []string
	for _, r := range papers.Reproducibles() {
		// The four forms of a figure that reproducedFiles writes.
		for _, suffix := range []string{".csv", ".json", ".svg", ".png"} {
			names = append(names, r.Name+suffix)
		}
	}
	return names
}
