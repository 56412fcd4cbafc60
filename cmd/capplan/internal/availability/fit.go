package availability

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report"
)

// estimateCommand estimates the kernel of a machine, or of each machine of a fleet, or the one hazard
// of a fleet with --model frailty. What it writes is read again by solve, or by any command with
// --fleet.
func estimateCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	in, day, fleet := &HostInput{}, &dayInput{}, &fleetInput{}
	var state, out string
	var ages, resume, repairs bool
	estimator := toFailure
	day.flags(s)
	cmdline.OneOf(s, "state", &state,
		"`STATE` that the file names as the initial one: S1 or S2 (default: in which more days begin)", nil, "S1", "S2")
	s.Toggle("ages", &ages, "count ages from the entry of a state, not from the window's beginning")
	estimatorFlag(s, &estimator)
	// The stays after a failure are of no use to predict the first failure, so that the paper's
	// kernel leaves them out.
	s.Toggle("repairs", &repairs,
		"keep rows of failure states, for what solve says of repairs; stays after a failure then weigh as those before")
	s.Text("out", &out, "FILE", "to write the kernel to, for solve; of a fleet a line for each machine, to a new file")
	s.Toggle("resume", &resume, "go on with the fleet file that --out names")
	s.Needs("resume", "out")
	fleet.flags(s)
	in.Flags(s)
	// The machines of a fleet are the pieces.
	s.Sharded()
	return &cmdline.Command{
		Name: "fit", Usage: "the kernel of a window of a day, for a machine or a fleet", Args: "TRACE...", MaxArgs: 1e6,
		Flags: s,
		Description: `Estimates the kernel that predict uses. The JSON is a kernel file that solve
reads; --out writes it beside a summary.

  $ capplan availability fit testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10 --out kernel.json
  $ capplan availability solve kernel.json --window 2h

With the rows of failure states solve also says how the machine comes back: mean
times up and down, availability, the time until it is up again:

  $ capplan availability fit testdata/host-small.csv --day weekday --start 00:00 --window 24h --days 10 --repairs --out repairs.json
  $ capplan availability solve repairs.json --window 8h

More machines than one are a fleet: several files, a folder, a file with a host
column, an archive. They are fitted on all cores, and --out writes a line of JSON
for each as it is done: its figures, and the kernel that solve takes with --host.
A run that was stopped goes on with --resume, which keeps the whole lines of the
file and passes over their machines; the question has to be the same. A machine
without enough days has a line that says so.

  $ capplan availability fit testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4 --out fleet.jsonl
  $ capplan availability solve fleet.jsonl --host quiet --window 4h

With --model frailty what is learnt is one hazard of age and hour for all machines
and a factor for each; --out keeps it for predict, rank and joint --fleet. Further
days are added to a file that was kept, to a new one; a record that begins before
the kept one ends is refused. What is counted of each machine is kept beside it, as
fleet.json.part, until the fleet is whole; a run that was stopped goes on with it by
--resume, and does not read those machines again.

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fleet.json`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if err := in.given(args); err != nil {
				return nil, err
			}
			// The summary goes to stdout; a kernel between its lines could be read by nothing.
			if out == "-" {
				return nil, &cmdline.UsageError{Reason: "--out: want the name of a file; --format json writes to stdout"}
			}
			// A file that cannot be written is told before traces are read, which may take hours.
			if out != "" {
				if err := cmdline.CheckOut("out", out); err != nil {
					return nil, err
				}
			}
			// Frailty learns from all days and hours, and refuses the flags that choose a part of
			// them.
			if byFleet, err := fleet.frailty(); err != nil {
				return nil, err
			} else if byFleet {
				if err := smpAlone(
					smpFlag{"day", day.day != ""},
					smpFlag{"start", day.start != ""},
					smpFlag{"window", day.window != nil},
					smpFlag{"days", day.days != nil},
					smpFlag{"state", state != ""},
					smpFlag{"ages", ages},
					smpFlag{"repairs", repairs},
					smpFlag{"estimator", estimator != toFailure},
				); err != nil {
					return nil, err
				}
				return fleet.fit(ctx, in, st, args, out, resume)
			}
			q := &machines.KernelQuestion{
				State:    state,
				Ages:     ages,
				Counts:   estimator == "counts",
				Censored: estimator == "censored",
				Repairs:  repairs,
			}
			var err error
			// Only the process learns for a window of a day; see smpAlone above.
			if q.DayWindow, err = day.question(); err != nil {
				return nil, err
			}
			if q.Labelling, err = in.Labelling(ctx); err != nil {
				return nil, err
			}
			if args, err = in.fetched(ctx, args); err != nil {
				return nil, err
			}
			traces, err := in.files(st)
			if err != nil {
				return nil, err
			}
			// Traces of any number of machines are read one by one: whether there is more than one
			// is known only then.
			f := &records.Fleet{
				Traces:   traces,
				Question: machines.NewFleetQuestion(*q),
				Out:      out,
				Resume:   resume,
				Progress: func(n int) (func(int), func()) { return st.Steps(n, "fit") },
			}
			one, fleet, err := f.Fit(ctx, args)
			st.Hear(traces.Warnings...)
			if err != nil {
				return nil, err
			}
			warnings := append(in.Warnings, traces.Warnings...)
			if f.Unread != nil {
				warnings = append(warnings, "--"+cmdline.FlagOf(f.Unread.Field)+": "+f.Unread.Reason)
			}
			// More machines than one were found: their kernels went to the file one by one, and what
			// remains to say is the summary.
			if one == nil {
				return cmdline.Answered(fleet, report.Fleet(fleet, out), warnings...), nil
			}
			a, err := machines.EstimateRecord(q, one)
			if err != nil {
				return nil, err
			}
			if out != "" {
				if err := writeKernel(out, &a.Kernel); err != nil {
					return nil, err
				}
			}
			return cmdline.Answered(&a.Kernel, report.Kernel(a, out), warnings...), nil
		},
	}
}

// writeKernel writes the file that solve reads, whole or not at all. Errors: those of the file, as
// cmdline.OutError tells them.
func writeKernel(path string, k *machines.Kernel) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	if err := enc.Encode(k); err != nil {
		return err
	}
	if err := outfile.Write(path, buf.Bytes()); err != nil {
		return cmdline.OutError("out", path, err)
	}
	return nil
}
