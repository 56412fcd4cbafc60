package availability

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report/forecasts"
	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// fleetInput is a fleet by the flags: one that was kept in a file, or one that is
// learned from traces. Machines of one group, told by their names, may share a factor.
type fleetInput struct {
	// model is a name of package backtest, fleet a file, group what parts a machine's name.
	model, fleet, group string
	set                 *cmdline.FlagSet
}

// flags binds --model, --fleet and --group. A command that scores models names those it knows; without
// names these are the two that can be fitted. names has no default in fit, which writes files of
// either kind and has nothing to choose by.
func (in *fleetInput) flags(s *cmdline.FlagSet, names ...string) {
	in.model, in.set = "", s
	if names == nil {
		names = []string{backtest.SMPModel, backtest.FrailtyModel}
		cmdline.OneOf(s, "model", &in.model,
			"`NAME` of the model: smp (default; each machine by its own days) or frailty (one hazard of age and "+
				"hour for the whole fleet and one factor for each machine)",
			nil, names...)
	} else {
		cmdline.OneOf(s, "model", &in.model,
			"`NAME` of the model: auto (default without --days; the one that predicts the later half of the record "+
				"best), smp (default with --days), censored or counts (each machine by its own days), frailty (one "+
				"hazard of age and hour for the fleet and one factor for each machine), km (by age), exponential, "+
				"share or always",
			nil, names...)
	}
	s.Text("fleet", &in.fleet,
		"FILE", "fleet written by fit --model frailty, used instead of traces; with fit, the fleet to add the "+
			"traces to")
	groupFlag(s, &in.group)
}

// smpAlone refuses what only the model smp knows. Errors: as of cmdline.FlagSet.Misplaced.
func (in *fleetInput) smpAlone(flags ...string) error {
	return in.set.Misplaced("only used with --model smp", flags...)
}

// frailty reports whether the frailty model is asked for. A fleet file is one of the frailty model,
// so that --fleet alone asks for it. Errors: *ask.InputError where two flags contradict each other.
func (in *fleetInput) frailty() (bool, error) {
	switch {
	case in.model == backtest.SMPModel && in.fleet != "":
		return false, &ask.InputError{Field: "fleet", Reason: "is a fleet of the model frailty: leave out --model smp"}
	case in.model != backtest.FrailtyModel && in.fleet == "":
		if in.group != "" {
			return false, &ask.InputError{Field: "group", Reason: "only used with --model frailty"}
		}
		return false, nil
	}
	return true, nil
}

// read returns the fleet of a file, or learns that of traces. The strings are warnings of the
// traces. Errors: *ask.InputError where a fleet and traces are both given; *source.FileError.
func (in *fleetInput) read(ctx context.Context, host *HostInput, st *cmdline.Streams,
	paths []string) (*forecast.Fleet, []string, error) {
	if in.fleet != "" {
		if len(paths) > 0 {
			return nil, nil, ask.Inputf("fleet", "is used instead of traces: leave out one of the two")
		}
		if host.live.server.Given() {
			return nil, nil, ask.Inputf("fleet", "is used instead of --prometheus: leave out one of the two")
		}
		if in.group != "" {
			return nil, nil, &ask.InputError{Field: "group", Reason: "the fleet file contains the groups: leave it " +
				"out"}
		}
		if err := host.unread(); err != nil {
			return nil, nil, err
		}
		f, err := ReadFleet(ctx, st, in.fleet)
		return f, nil, err
	}
	if err := host.given(paths); err != nil {
		return nil, nil, err
	}
	l, err := host.Labelling(ctx)
	if err != nil {
		return nil, nil, err
	}
	learning, err := forecast.NewLearning(l, grouped(in.group), nil)
	if err != nil {
		return nil, nil, err
	}
	f, warnings, err := learn(ctx, host, st, paths, learning)
	return f, append(warnings, in.ungrouped(f)...), err
}

// ungrouped warns of a --group that no machine's name holds. f may be nil.
func (in *fleetInput) ungrouped(f *forecast.Fleet) []string {
	if f == nil || in.group == "" ||
		slices.ContainsFunc(f.Records, func(m forecast.MachineRecord) bool { return m.Group != "" }) {
		return nil
	}
	return []string{"--group: no machine's name contains " + spell.Quote(in.group) + ": none shares its frailty; " +
		"want the character that ends the group, such as / in site1/node7"}
}

// learn adds the machines of traces to what is known of a fleet, but those that it has, and fits it.
func learn(ctx context.Context, host *HostInput, st *cmdline.Streams, paths []string,
	l *forecast.Learning) (*forecast.Fleet, []string, error) {
	warnings, err := count(ctx, host, st, paths, l)
	if err != nil {
		return nil, nil, err
	}
	f, err := l.Fleet(ctx)
	return f, warnings, err
}

// count counts the machines of traces. A machine that an interrupted run had counted is passed over
// without being labelled.
func count(ctx context.Context, host *HostInput, st *cmdline.Streams, paths []string,
	l *forecast.Learning) ([]string, error) {
	paths, err := host.fetched(ctx, paths)
	if err != nil {
		return nil, err
	}
	r, end, err := host.stream(st, l.Labelling())
	defer end()
	if err != nil {
		return nil, err
	}
	r.Host = "" // a machine is judged beside all others
	r.Done = l.Has
	// Machines go through one by one: what is kept of each is its counts.
	err = r.Read(ctx, paths, l.Add)
	st.Hear(r.Warnings...)
	return append(host.Warnings, r.Warnings...), err
}

// ReadFleet reads the file of a fitted fleet. Errors: *source.FileError of a file that is
// none, or of another version.
func ReadFleet(ctx context.Context, st *cmdline.Streams, path string) (*forecast.Fleet, error) {
	return cmdline.Read(ctx, st, path, "a fleet file as fit --model frailty --out writes it", forecast.ReadFleet)
}

// fleetWindow is the window of a day without a number of days to learn from. Errors: *ask.InputError, of
// days where they are given.
func (in *dayInput) fleetWindow() (machines.DayWindow, error) {
	if in.days != nil {
		return machines.DayWindow{}, ask.Inputf("days", "only used with --model smp: a fleet learns from its whole record")
	}
	// The check of dayInput asks for a number of days, which a fleet has not: one day satisfies it,
	// and is taken out of the answer again.
	all := *in
	all.days = new(units.Count(1))
	q, err := all.question()
	q.Days = 0
	return q, err
}

// foresee answers for one machine, or ranks all. With ranked all machines of the fleet are
// answered, the best first; without, the one of --host, which the fleet need not know.
func (in *fleetInput) foresee(ctx context.Context, host *HostInput, st *cmdline.Streams, paths []string,
	q *forecast.Question, ranked bool) (*cmdline.Result, error) {
	f, warnings, err := in.read(ctx, host, st, paths)
	if err != nil {
		return nil, err
	}
	if q.Fleet = f; !ranked {
		if q.Host = host.host; q.Host == "" {
			if len(f.Records) != 1 {
				return nil, &ask.InputError{Field: "host",
					Reason: "the fleet has " + say.Plural(len(f.Records), "machine") + ": name one, known or not"}
			}
			q.Host = f.Records[0].Name
		}
	}
	// A machine that the fleet does not know has the frailty of the mean.
	a, err := forecast.Ask(ctx, q)
	if err != nil {
		return nil, err
	}
	return cmdline.Answered(a, forecasts.Forecast(a, ranked), warnings...), nil
}

// keep begins the file of what a learning counts, or goes on with it. What is counted of each
// machine is a line of the file, so that an interrupted run loses one machine at most.
func keep(l *forecast.Learning, out string, resume bool) (*outfile.Growing, error) {
	file, err := outfile.Grow(out)
	if err != nil {
		return nil, cmdline.OutError("out", out, err)
	}
	held := int64(0)
	// What a stopped run left is read back up to its last whole line; the file is then cut there, so
	// that the next line does not continue half a one.
	if resume {
		text, err := file.Held()
		if err == nil {
			held, err = l.Resume(text)
		}
		if err != nil {
			file.Close()
			return nil, err
		}
	}
	if err = file.Keep(held); err == nil {
		err = l.Keep(file)
	}
	if err != nil {
		file.Close()
		return nil, cmdline.OutError("out", out, err)
	}
	return file, nil
}

// unfinishedSize is that of the file of counts, 0 where it cannot be seen.
func unfinishedSize(out string) int64 {
	info, err := os.Stat(outfile.Unfinished(out))
	if err != nil {
		return 0
	}
	return info.Size()
}

// fit learns a fleet from traces, or adds them to one that was kept. Machines of the same name are
// not learned twice.
func (in *fleetInput) fit(ctx context.Context, host *HostInput, st *cmdline.Streams, paths []string,
	out string, resume bool) (*cmdline.Result, error) {
	l, err := host.Labelling(ctx)
	if err != nil {
		return nil, err
	}
	var before *forecast.Fleet
	if in.fleet != "" {
		// The kept hazard was counted by the thresholds of its time: days labelled by others cannot be
		// added to it.
		if host.labels() {
			return nil, ask.Inputf("fleet", "says how samples become states: leave out thresholds, zone and holidays")
		}
		if before, err = ReadFleet(ctx, st, in.fleet); err != nil {
			return nil, err
		}
	}
	learning, err := forecast.NewLearning(l, grouped(in.group), before)
	if err != nil {
		return nil, err
	}
	var file *outfile.Growing // of what is counted, until the fleet is whole
	if out != "" {
		if file, err = keep(learning, out, resume); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	head := unfinishedSize(out)
	warnings, err := count(ctx, host, st, paths, learning)
	// A head without a machine is nothing to go on with, nor are counts of all traces of which no fleet
	// comes: empty, the file goes when it is closed.
	nothing := learning.Resumed() == 0 && unfinishedSize(out) == head
	var f *forecast.Fleet
	if err == nil {
		f, err = learning.Fleet(ctx)
		nothing = ctx.Err() == nil
	}
	// The fleet is written first and the counts are dropped afterwards: a run that ends between the
	// two leaves both, and loses nothing.
	if err == nil && out != "" {
		err, nothing = writeFleet(out, f), false
	}
	if err != nil {
		// Nor is a fleet that is too large, nor what a question that is refused has counted.
		input, refused := errors.AsType[*ask.InputError](err)
		if file != nil && (nothing || refused) {
			if nothing || input.Field == "out" || learning.Resumed() == 0 {
				head = 0
			}
			_ = file.Keep(head)
		}
		return nil, err
	}
	if out != "" {
		if err := file.Keep(0); err != nil {
			return nil, cmdline.OutError("out", out, err)
		}
	}
	warnings = append(warnings, in.ungrouped(f)...)
	if n := learning.Resumed(); n > 0 {
		warnings = append(warnings, say.Plural(n, "machine")+" taken over from "+spell.Quote(outfile.Unfinished(out)))
	}
	return cmdline.Answered(f, forecasts.Fitted(f, out), warnings...), nil
}

// jointCommand answers for several machines at once, by a hazard that machines of one group share a
// factor of. The factor that a group shares is why its machines fail together more often than by
// chance: products of single chances would be too high.
func jointCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	in, day, fleet := &HostInput{Many: true}, &dayInput{}, &fleetInput{}
	var hosts string
	var least *units.Count
	var elapsed *units.Duration
	cmdline.OneOf(s, "day", &day.day, "`KIND` of day: weekday or weekend", nil, "weekday", "weekend")
	s.Text("start", &day.start, "HH:MM", "time of day at which the window begins")
	cmdline.Value(s, "window", &day.window, "TIME", "length of the window, such as 2h")
	s.Text("hosts", &hosts, "LIST", "list of machines such as node1,node2 (default: all)")
	cmdline.Value(s, "least", &least, "K", "number of machines that must stay free (default: all)")
	cmdline.Value(s, "elapsed", &elapsed, "TIME", "time that they have already been free when the window begins "+
		"(default: not known)")
	s.Text("fleet", &fleet.fleet, "FILE", "fleet written by fit --model frailty, used instead of traces")
	groupFlag(s, &fleet.group)
	in.Flags(s)
	return &cmdline.Command{
		Name: "joint", Usage: "how likely do k of these machines stay free together?", Args: "TRACE...", MaxArgs: 10000,
		Flags: s,
		Description: `Predicts by the hazard of the fleet and the frailty of each machine. Machines of one group
(a site, a rack, a batch) share a frailty: they stay free, or fail, together more often
than independent ones would.

  $ capplan availability joint testdata/hosts-small.csv --day weekday --start 09:00 --window 2h --least 2

From a fitted fleet, for two of its machines:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fitted.json
  $ capplan availability joint --fleet fitted.json --hosts quiet,mixed --day weekday --start 09:00 --window 2h`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if fleet.fleet == "" {
				if err := in.given(args); err != nil {
					return nil, err
				}
			}
			if err := in.whole(); err != nil {
				return nil, err
			}
			q := &forecast.JointQuestion{Hosts: cmdline.Listed(hosts), Elapsed: ask.Number(elapsed),
				Explain: s.Output.Explain}
			// An empty name would stand for no machine of the fleet and change how many there are.
			if slices.Contains(q.Hosts, "") {
				return nil, ask.Inputf("hosts", "has an empty name, want names such as node1,node2")
			}
			var err error
			if q.DayWindow, err = day.fleetWindow(); err != nil {
				return nil, err
			}
			if least != nil {
				if *least < 1 {
					return nil, ask.Inputf("least", "is %d, want at least 1 machine", int64(*least))
				}
				// More than any fleet has is cut to what an int of 32 bits holds; the question refuses
				// it by the number of machines.
				q.Least = int(min(*least, 1<<30))
			}
			var warnings []string
			// The fleet is read when the question is known to be sound.
			if q.Fleet, warnings, err = fleet.read(ctx, in, st, args); err != nil {
				return nil, err
			}
			return cmdline.Ask(ctx, q, forecast.Joint, forecasts.Joint, warnings...)
		},
	}
}
