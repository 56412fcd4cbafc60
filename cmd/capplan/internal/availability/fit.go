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

// estimateFlags are the flags of fit.
type estimateFlags struct {
	in        HostInput
	day       dayInput
	fleet     fleetInput
	question  machines.KernelQuestion // of the model smp
	estimator string
	out       string
	resume    bool // goes on with the file of out
}

// flags binds them.
func (f *estimateFlags) flags(s *cmdline.FlagSet) {
	q := &f.question
	f.day.flags(s)
	cmdline.OneOf(s, "state", &q.State,
		"`STATE` that the file names as the initial one: S1 or S2 (default: the state in which more days begin)",
		nil, "S1", "S2")
	s.Toggle("ages", &q.Ages, "count ages from the entry of a state, not from the beginning of the window")
	estimatorFlag(s, &f.estimator)
	// The stays after a failure are of no use to predict the first failure, so that the paper's
	// kernel leaves them out.
	s.Toggle("repairs", &q.Repairs,
		"keep the rows of failure states, from which solve tells repairs; stays after a failure then weigh as much "+
			"as those before")
	s.Text("out", &f.out, "FILE", "file to write the kernel to, for availability solve; for a fleet, a new file "+
		"with one line for each machine")
	s.Toggle("resume", &f.resume, "continue the unfinished fleet file that --out names")
	s.Needs("resume", "out")
	f.fleet.flags(s)
	f.in.Flags(s)
	// The machines of a fleet are the pieces.
	s.Sharded()
}

// estimateCommand estimates the kernel of a machine, or of each machine of a fleet, or the one hazard
// of a fleet with --model frailty. What it writes is read again by solve, or by any command with
// --fleet.
func estimateCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	f := &estimateFlags{}
	f.flags(s)
	return &cmdline.Command{
		Name: "fit", Usage: "the kernel of a window of a day, for a machine or a fleet", Args: "TRACE...", MaxArgs: 1e6,
		Flags: s,
		Description: `Estimates the kernel that predict uses. The JSON is a kernel file for solve; with --out it
goes to a file, and the answer is a summary.

  $ capplan availability fit testdata/host-small.csv --day weekday --start 09:00 --window 2h --days 10 --out kernel.json
  $ capplan availability solve kernel.json --window 2h

With the rows of failure states (--repairs) solve also tells how the machine comes back:
mean times up and down, availability, and the time until it is up again:

  $ capplan availability fit testdata/host-small.csv --day weekday --start 00:00 --window 24h --days 10 --repairs --out repairs.json
  $ capplan availability solve repairs.json --window 8h

Several machines are a fleet: several files, a folder, an archive, or a file with a host
column. They are fitted on all cores, and --out writes a line of JSON for each, with its
figures and the kernel that solve reads with --host. A machine without enough days has a
line that says so. Until all are done the lines stand in fleet.jsonl.part; --resume continues
a run that was stopped, or a fleet file, if the question is the same: it keeps the complete
lines and skips their machines.

  $ capplan availability fit testdata/hosts-small.csv --day weekday --start 09:00 --window 4h --days 4 --out fleet.jsonl
  $ capplan availability solve fleet.jsonl --host quiet --window 4h

--model frailty learns one hazard of age and hour for all machines, and a factor for each;
--out keeps the result for predict, rank and joint --fleet. With --fleet, further days are
added to a kept file and written to a new one; records that begin before the kept ones end
are refused. Until the fleet is complete, the counts of each machine are kept beside it in
fleet.json.part; --resume continues a stopped run from there, without reading those
machines again.

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fleet.json`,
		Ask: f.ask,
	}
}

// ask fits the model that is named. Errors: *ask.InputError of flags that contradict each other;
// *source.FileError.
func (f *estimateFlags) ask(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	if err := f.in.given(args); err != nil {
		return nil, err
	}
	// The summary goes to stdout; a kernel between its lines could be read by nothing.
	if f.out == "-" {
		return nil, &cmdline.UsageError{Reason: "--out: want the name of a file; --format json writes to stdout"}
	}
	// A file that cannot be written is reported before traces are read, which may take hours.
	if f.out != "" {
		if err := cmdline.CheckOut("out", f.out); err != nil {
			return nil, err
		}
	}
	byFleet, err := f.fleet.frailty()
	if err != nil {
		return nil, err
	}
	if !byFleet {
		return f.byProcess(ctx, st, args)
	}
	// Frailty learns from all days and hours, and refuses the flags that choose a part of them.
	if err := f.fleet.smpAlone("day", "start", "window", "days", "state", "ages", "repairs", "estimator"); err != nil {
		return nil, err
	}
	if err := f.in.whole(); err != nil {
		return nil, err
	}
	return f.fleet.fit(ctx, &f.in, st, args, f.out, f.resume)
}

// byProcess estimates kernels of the semi-Markov process, which alone learns for a window of a day:
// one of one machine, and of more a file with a line for each.
func (f *estimateFlags) byProcess(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	q := &f.question
	q.Counts, q.Censored = f.estimator == "counts", f.estimator == "censored"
	var err error
	if q.DayWindow, err = f.day.question(); err != nil {
		return nil, err
	}
	if q.Labelling, err = f.in.Labelling(ctx); err != nil {
		return nil, err
	}
	if args, err = f.in.fetched(ctx, args); err != nil {
		return nil, err
	}
	traces, err := f.in.files(st)
	if err != nil {
		return nil, err
	}
	// Traces of any number of machines are read one by one: whether there is more than one is known
	// only then.
	all := &records.Fleet{
		Traces:   traces,
		Question: machines.NewFleetQuestion(*q),
		Out:      f.out,
		Resume:   f.resume,
		Progress: func(n int) (func(int), func()) { return st.Steps(n, "fit") },
	}
	one, fleet, err := all.Fit(ctx, args)
	st.Hear(traces.Warnings...)
	if err != nil {
		return nil, err
	}
	warnings := append(f.in.Warnings, traces.Warnings...)
	if all.Unread != nil {
		warnings = append(warnings, "--"+cmdline.FlagOf(all.Unread.Field)+": "+all.Unread.Reason)
	}
	// More machines than one were found: their kernels went to the file one by one, and what remains
	// to say is the summary.
	if one == nil {
		return cmdline.Answered(fleet, report.Fleet(fleet, f.out), warnings...), nil
	}
	a, err := machines.EstimateRecord(q, one)
	if err != nil {
		return nil, err
	}
	if f.out != "" {
		if err := writeKernel(f.out, &a.Kernel); err != nil {
			return nil, err
		}
	}
	return cmdline.Answered(&a.Kernel, report.Kernel(a, f.out), warnings...), nil
}

// writeKernel writes the file that solve reads, whole or not at all. Errors: those of
// cmdline.OutError.
func writeKernel(path string, k *machines.Kernel) error {
	var buf bytes.Buffer
	if err := json.NewEncoder(&buf).Encode(k); err != nil {
		return err
	}
	if err := outfile.Write(path, buf.Bytes()); err != nil {
		return cmdline.OutError("out", path, err)
	}
	return nil
}
