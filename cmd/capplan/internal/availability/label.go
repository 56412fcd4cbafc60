package availability

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/report"
)

// labelCommand shows the states into which the samples of one machine fall. It is the first thing
// to look at with a new trace: thresholds that do not fit show as one long failure.
func labelCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in := &HostInput{}
	// The day with most changes says most of the thresholds, and is drawn by default.
	var date string
	var perSample bool
	s.Toggle("per-sample", &perSample, "with --format csv: one row for each step instead of each stay")
	s.Needs("per-sample", "format=csv")
	s.Text("date", &date, "DATE", "day that --plot draws (default: the day with most changes of state)")
	s.Needs("date", "plot")
	in.Flags(s)
	return &cmdline.Command{
		Name: "label", Usage: "the states of a machine", Args: "TRACE", MaxArgs: 1, Flags: s,
		Description: `Turns the samples of a trace into the five states; --plot draws a day.

  $ capplan availability label testdata/host-small.csv --working-set 256MB
  $ capplan availability label testdata/host-small.csv --format csv

A file with other names of columns, local times, memory in percent, and columns that say
whether the machine and the monitor were up:

  $ capplan availability label testdata/monitor.csv --columns time=when,host=node,cpu=util,used_percent=mem,alive=up,watched=seen --time-format '%d.%m.%Y %H:%M' --zone Europe/Berlin --percent --memory-total 16GB --working-set 1GB`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if err := in.given(args); err != nil {
				return nil, err
			}
			q := &machines.LabelQuestion{Explain: s.Output.Explain, Undrawn: !s.Output.Draws()}
			var err error
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			if err := in.Read(ctx, args, st); err != nil {
				return nil, err
			}
			// Without Many the reader returns one machine or an error.
			q.Host = &in.Hosts[0]
			a, err := machines.Label(q)
			if err != nil {
				return nil, err
			}
			// A day that the trace has not is refused before the section is made, which draws it only
			// when the plot is written.
			if date != "" {
				if _, err := a.Ribbon(date); err != nil {
					return nil, err
				}
			}
			return cmdline.Answered(a, report.Label(ctx, a, date, perSample), in.Warnings...), nil
		},
	}
}
