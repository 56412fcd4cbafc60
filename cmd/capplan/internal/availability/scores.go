package availability

import (
	"context"
	"runtime/debug"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report/forecasts"
)

// groupFlag is how the names of machines tell their groups. A group is what may fail together, such
// as a site or a rack.
func groupFlag(s *cmdline.FlagSet, into *string) {
	s.Text("group", into, "SEP",
		"character that ends the group in a machine's name, such as / in site1/node7; machines of a group share a "+
			"frailty")
}

// grouped returns a function from a machine's name to its group; nil without a separator. A machine
// whose name lacks the separator has no group, and shares its factor with no other.
func grouped(separator string) func(string) string {
	if separator == "" {
		return nil
	}
	return func(machine string) string {
		group, _, found := strings.Cut(machine, separator)
		if !found {
			return ""
		}
		return group
	}
}

// scores answers with the scores of models. Errors: *ask.InputError of a flag of relative errors;
// *source.FileError.
func (f *evaluateInput) scores(ctx context.Context, in *HostInput, st *cmdline.Streams, paths []string,
	explain bool) (*cmdline.Result, error) {
	if err := f.set.Misplaced("only used with relative errors: leave it out, or --model", "ages", "aic", "baselines",
		"estimator", "figure", "noise", "order", "ratios", "series"); err != nil {
		return nil, err
	}
	// Days, windows, starts and the share to train on mean the same as without --model, and are read
	// by the same code.
	plain, err := f.question()
	if err != nil {
		return nil, err
	}
	q := &backtest.ScoreQuestion{
		Day:     plain.Day,
		Models:  cmdline.Listed(f.models),
		Windows: plain.Windows,
		Starts:  plain.Starts,
		Train:   plain.Train,
		Explain: explain,
		Group:   grouped(f.group),
		Whole:   plain.Whole,
	}
	if q.Labelling, err = in.Labelling(ctx); err != nil {
		return nil, err
	}
	s, err := backtest.NewScoring(q)
	if err != nil {
		return nil, err
	}
	if paths, err = in.fetched(ctx, paths); err != nil {
		return nil, err
	}
	r, end, err := in.stream(st, &q.Labelling)
	defer end()
	if err != nil {
		return nil, err
	}
	// What is kept of a fleet of 50,000 machines is half a gigabyte, and would take
	// twice that at the usual pace of the collector.
	defer debug.SetGCPercent(debug.SetGCPercent(30))
	// A shard scores every n-th machine alone; merge joins the results.
	if pieces.Parted(ctx) {
		err = r.ReadParted(ctx, paths, s.Score, s.AddScored)
	} else {
		err = r.Read(ctx, paths, s.Add)
	}
	st.Hear(r.Warnings...)
	if err != nil {
		return nil, err
	}
	a, err := cmdline.Counting(ctx, st, "machines", &q.Done, q,
		func(ctx context.Context, _ *backtest.ScoreQuestion) (*backtest.ScoreAnswer, error) {
			return s.Finish(ctx)
		})
	if err != nil {
		return nil, err
	}
	return cmdline.Answered(a, forecasts.Scores(a), append(in.Warnings, r.Warnings...)...), nil
}

// stream returns how traces are read machine by machine, and what removes the bar that counts them. Each machine is
// labelled as it is read, and its samples are dropped. Errors: *ask.InputError.
func (in *HostInput) stream(st *cmdline.Streams, l *machines.Labelling) (*records.Stream, func(), error) {
	o, err := in.options(st)
	r := &records.Stream{Hosts: records.Hosts{Options: o, Host: in.host, Many: true}, Labelling: l}
	var count func(done, of int)
	remove := func() {}
	r.Progress = func(done, of int) {
		if count == nil { // a single file is read, with a bar of its own
			count, remove = st.Counted("machines")
		}
		count(done, of)
	}
	return r, func() { remove() }, err
}
