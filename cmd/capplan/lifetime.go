package main

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// lifetimeCommand fits laws to lifetimes, some of which may not have ended when the record did. A
// time cut off by the end of the record is censored: it counts as longer than what was seen.
func lifetimeCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in := &records.Lifetimes{}
	state := "up"
	q := &survival.LifetimeQuestion{}
	cmdline.OneOf(s, "input", &in.Kind, "`KIND` of file: durations, fta, spot, price or lanl (default: recognized "+
		"by its content)",
		[]string{"input-format"},
		string(trace.DurationsKind), string(trace.FTAKind), string(trace.SpotKind), string(trace.PriceKind),
		string(trace.LANLKind))
	cmdline.OneOf(s, "unit",
		&in.Unit, "`UNIT` of durations, if the file names none: ms, s, min, h or d", nil, "ms", "s", "min", "h", "d")
	cmdline.OneOf(s, "state",
		&state, "`STATE` of a trace whose intervals are the lifetimes: up or down", nil, "up", "down")
	cmdline.Number[units.Count](s, "threshold",
		&in.Threshold, "N", "least number of instances with which a spot trace counts as up (default 1)")
	// A history of spot prices says nothing of being up until a bid is named.
	cmdline.Number[units.Number](s, "bid",
		&in.Bid, "X", "bid in US dollars per hour: a machine runs while the spot price is at most the bid")
	cmdline.Into[units.Fraction](s, "level", &q.Level, "P", "level of the confidence bands (default 95%)",
		cmdline.Above0("a confidence level between 0 and 1 such as 95%"))
	cmdline.Into[units.Count](s, "steps", &q.Steps, "N",
		"greatest number of steps of the survival curve in the answer (default 1000)",
		cmdline.Within(1, math.MaxInt32, "at least 1 step"))
	// Figures of each machine can be thousands of rows, and stand in the answer only where they are
	// wanted.
	s.Toggle("per-machine", &q.PerMachine, "add the figures of each machine of a trace; with --format csv one row "+
		"for each")
	s.Toggle("strict", &in.Strict, "treat a malformed line as an error instead of a warning")
	return &cmdline.Command{
		Name: "lifetime", Usage: "which law do these lifetimes follow?", Args: "FILE", MaxArgs: 1, Flags: s,
		NoArgs: "no file given, want " + records.LifetimesForm,
		Description: `FILE holds durations in CSV (a header duration_s, _ms, _min, _h or _d and
optionally censored, or one number per line with + after a censored one), events
of the Failure Trace Archive, a 0/1 trace of spot instances in JSON, spot prices
in CSV (time,price_usd_per_hour, with --bid), the Los Alamos failure records in
CSV, or samples of the load of machines (as in availability label, up in S1 and
S2); plain, .gz or .xz. Laws are fitted by maximum likelihood to right-censored
lifetimes. A trace also gives MTTF, MTTR and availability of the fleet.

Remissions of 21 leukaemia patients under 6-MP, 12 of which had not ended:

  $ capplan lifetime testdata/durations.csv

A fleet of four machines, and each of them:

  $ capplan lifetime testdata/events.tab --per-machine --format csv`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			in.Tally = tally.NewUpDown(state == "up")
			in.Open = trace.OpenOptions{Stdin: st.In, Wrap: st.Progress(args[0])}
			// Warnings are heard before the error is looked at: rows that were left out may be why
			// nothing was found.
			err := in.Read(ctx, args[0])
			st.Hear(in.Warnings...)
			if err != nil {
				return nil, err
			}
			q.Explain = s.Output.Explain
			// A file of durations has no machines: MTTR and availability need the times down between
			// them.
			if in.Durations != nil {
				if state != "up" {
					return nil, &ask.InputError{Field: "state", Reason: "only used with a trace"}
				}
				q.Durations, q.Censored = in.Durations, in.Censored
			} else {
				q.Fleet = in.Tally
			}
			a, err := survival.Lifetime(ctx, q)
			if err != nil {
				return nil, cmdline.InFile(args[0], err)
			}
			return cmdline.Answered(a, report.Lifetime(a, state), in.Warnings...), nil
		},
	}
}
