package main

import (
	"context"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// routeFlags are a question and the flags of it that need a check or another unit before they are
// part of it; a nil is a flag that was not given.
type routeFlags struct {
	set *cmdline.FlagSet
	q   routes.Question
	// preemptions is INTERCEPT,SLOPE of a regression of response on preemptions.
	preemptions string
	plotKind    string
	// The workload das2, see workloadFlags, with what is said of it in words.
	workload          routes.Workload
	experiment, sizes string
	lateFastest       bool
	// delayCost is the price of a second of response time, of one request.
	delayCost *units.Money
}

// routeCommand splits a stream of requests over clusters with users of their own.
func routeCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	f := &routeFlags{set: s}
	f.flags(s)
	f.workloadFlags(s)
	return &cmdline.Command{
		Name: "route", Usage: "how to split a stream over clusters?", Args: "FILE", MaxArgs: 1, Flags: s,
		Description: `Each cluster of FILE serves its own local requests, which preempt, and a share of a stream
of external requests. The answer is the split with the least mean response, and what three
simpler policies would make of the same stream.

  $ capplan route testdata/clusters.yaml --rate 3/s

FILE is YAML or JSON, such as (local, scv and servers may be left out):

    clusters:
      - name: north
        local:    {rate: 0.3/s, service_time: 0.8s, scv: 0.01}
        external: {service_time: 1s, scv: 0.25}
      - name: south
        servers:  4
        external: {service_time: 2s}

scv is the squared coefficient of variation of service times (default 1), and servers is 1
unless given; capplan schema clusters lists all fields. Where to send the first requests:

  $ capplan route testdata/clusters.yaml --rate 3/s --dispatch 12

With the billiard rule of the paper no cluster's count is ever more than 1 ahead of its
ideal, but with three or more clusters one may fall behind by more; the answer says by how
much, for each type of request and for all together. --rule balanced keeps both within 1.
The paper's rule lets the fastest cluster wait for its first request; --offset none does
not.

A rate known only as a range: the split that is best on average over it leads, and that
for the most likely rate stands below. --hedge chooses one for all figures.

  $ capplan route testdata/clusters.yaml --rate 2..3..4/s
  $ capplan route testdata/clusters.yaml --rate 2..3..4/s --hedge mean

Fewest preemptions, counted exactly, with no cluster busier than 90%:

  $ capplan route testdata/clusters.yaml --rate 3/s --objective preemptions --max-utilization 90%

The same by a regression of your own, for clusters of several servers:

  $ capplan route testdata/clusters.yaml --rate 3/s --objective preemptions --preemption-model 0.2s,50ms

das2 in place of FILE is the DAS-2 workload of InterGrid table 2. The paper does not say
at which speed its durations were measured, and all times scale with that speed: 1 MIPS is
eq. 16 as printed, with responses of milliseconds; at the clusters' own 2000 MIPS local
requests alone would load C256 ten times over; there is a steady state only below 190 MIPS.

  $ capplan route --workload das2 --reference-speed 100`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f.q.Explain = s.Output.Explain
			return f.ask(ctx, st, args)
		},
	}
}

// flags binds the flags of the split. Words whose meaning the question checks, such as rule and
// offset, are bound to it directly.
func (f *routeFlags) flags(s *cmdline.FlagSet) {
	cmdline.Value(s, "rate", &f.q.Rate, "RATE", "rate of external requests such as 3/s; may be a range such as 2..4/s")
	cmdline.OneOf(s, "policy", &f.q.Policy,
		"`POLICY`: pap (least mean response), rr (the same rate everywhere), lrf (more where the local rate is low) "+
			"or bcf (in proportion to power) (default pap)",
		nil, "pap", "rr", "lrf", "bcf")
	cmdline.OneOf(s, "objective", &f.q.Objective,
		"`OBJECTIVE` of pap: response, cost (the clusters' prices and --delay-cost) or preemptions (default response)",
		nil, "response", "cost", "preemptions")
	cmdline.Value(s, "delay-cost",
		&f.delayCost, "PRICE", "price of response time, in the currency of the clusters' prices, such as 3/h, "+
			"'$3/h' or 0.01/s")
	s.Text("preemption-model", &f.preemptions, "INTERCEPT,SLOPE",
		"coefficients of a regression of response on preemptions, such as 3.09s,12ms of InterGrid eq. 2 (default: "+
			"none, preemptions are counted exactly)")
	cmdline.Value(s, "max-utilization", &f.q.MaxUtilization,
		"SHARE", "limit on the utilization of a cluster with --objective preemptions, without which the least "+
			"number of preemptions would saturate some clusters (default 95%)")
	s.Toggle("by-type", &f.q.ByType, "route each type of request its own way")
	cmdline.Into[units.Count](s, "dispatch", &f.q.Dispatch, "COUNT", "number of first requests whose clusters are "+
		"listed",
		cmdline.Above0("at least 1 request such as --dispatch 12"))
	cmdline.OneOf(s, "rule", &f.q.Rule,
		"`RULE` of --dispatch: billiard (as in the paper) or balanced (keeps every count within 1 of its ideal) "+
			"(default billiard)",
		nil, "billiard", "balanced")
	cmdline.OneOf(s, "offset", &f.q.Offset,
		"`OFFSET` of the billiard rule: fastest (begins with the fastest cluster later, as InterGrid algorithm 2 "+
			"prints) or none (default fastest)",
		nil, "fastest", "none")
	// The flag is kept for command lines that were written with it.
	s.Toggle("late-fastest", &f.lateFastest, "the same as --offset fastest, which is the default")
	cmdline.OneOf(s, "hedge", &f.q.Hedge,
		"`SPLIT` to answer with if rates are ranges: nominal, mean (least mean response over the draws) or worst "+
			"(least response at the upper ends) (default nominal, with the recommended split besides)",
		nil, "nominal", "mean", "worst")
	cmdline.Into[units.Count](s, "samples", &f.q.Samples, "N",
		"draws if rates are ranges (default 10000, fewer for more than 500 clusters)",
		cmdline.Within(1, sizing.MaxSamples, "1 to 10000000 draws"))
	cmdline.Seed(s, &f.q.Seed, "seed of the draws")
	cmdline.OneOf(s, "plot-kind", &f.plotKind,
		"`KIND` of figure for --plot: response (against the total rate) or shares (of each cluster), by policy "+
			"(default response)",
		nil, "response", "shares")
	// Both kinds are made of one answer, so that the kind matters to the drawing alone.
	s.Needs("plot-kind", "plot")
}

// ask completes the question and answers it. Errors: those of read and of the question.
func (f *routeFlags) ask(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	// Files are read at the question and not at the flags, so that help and completion open
	// none.
	if err := f.read(ctx, st, args); err != nil {
		return nil, err
	}
	a, err := routes.Route(ctx, &f.q)
	if err != nil {
		return nil, err
	}
	// Whether rates are ranges is known of the clusters of a file only when they are read, so
	// that the seed is refused afterwards.
	if f.set.Gave("seed") && a.Uncertainty == nil {
		return nil, &ask.InputError{Field: "seed", Reason: "only used with rates that are ranges"}
	}
	return cmdline.Answered(a, report.Route(a, f.plotKind)), nil
}

// workloadFlags binds the parameters of the workload of InterGrid table 2, in the units of the
// paper. InterGrid prints no speed of reference, so that das2 cannot do without --reference-speed;
// ranges in the help are those of its table. Defaults are the end of each range with the least
// load, and the text's own mean of durations.
func (f *routeFlags) workloadFlags(s *cmdline.FlagSet) {
	w := &f.workload
	cmdline.OneOf(s, "workload", &w.Name, "`NAME` of a workload, instead of FILE: das2", nil, "das2")
	cmdline.Number[units.Number](s, "reference-speed",
		&w.ReferenceSpeed, "MIPS", "for das2: speed at which its durations were measured")
	cmdline.OneOf(s, "experiment",
		&f.experiment, "`RATES` of das2 that vary: external or local (default external)", nil, "external", "local")
	cmdline.Number[units.Number](s, "size-knee",
		&w.SizeKnee, "M", "for das2: knee of log2 of the sizes of external requests, 2.5 to 3.5 (default 2.5)")
	cmdline.Number[units.Number](s, "duration-log-mean", &w.DurationLogMean,
		"A", "for das2: mean of ln of the durations of external requests, 3.0 to 5.4 (default 4.595, a mean of 420 s)")
	cmdline.Number[units.Duration](s, "gap-scale",
		&w.GapScale, "TIME", "for das2: scale of the gaps between external requests, 3.8s to 7s (default 7s)")
	cmdline.Number[units.Number](s, "local-scale",
		&w.LocalScale, "P", "for das2 with --experiment local: number of local requests, from 0 (fewest) to 1 "+
			"(default 0)")
	cmdline.Number[units.Fraction](s, "local-share",
		&w.LocalShare, "SHARE", "for das2: share of the local requests that is kept, such as 10% (default all)")
	cmdline.OneOf(s, "sizes", &f.sizes,
		"`READING` of the mean size of das2: exact, or printed (InterGrid eq. 28, too low) (default exact)", nil,
		"exact", "printed")
	s.Toggle("several-servers", &w.SeveralServers, "for das2: model each cluster as several servers, not as one "+
		"fast one")
	s.Toggle("gap-scv", &w.GapSCV, "for das2: take the variability of the gaps into account, as an approximation")
}

// read completes the question. Clusters come from the file or from the named workload, never from
// both. Errors: *ask.InputError, *cmdline.UsageError, *source.FileError.
func (f *routeFlags) read(ctx context.Context, st *cmdline.Streams, args []string) error {
	q := &f.q
	if f.delayCost != nil {
		q.PriceDelay(*f.delayCost)
	}
	if f.lateFastest {
		if q.Offset == routes.OffsetNone {
			return &ask.InputError{Field: "late-fastest", Reason: "is the same as --offset fastest, but --offset " +
				"none is given too"}
		}
		q.Offset = routes.OffsetFastest
	}
	if f.preemptions != "" {
		var err error
		if q.PreemptionModel, err = parsePreemptions(f.preemptions); err != nil {
			return err
		}
	}
	if err := f.named(args); err != nil {
		return err
	}
	// A workload brings its clusters and its rate along.
	if q.Workload != nil {
		return nil
	}
	if len(args) == 0 {
		return &cmdline.UsageError{Reason: "no clusters given, want a file such as clusters.yaml, - for stdin, " +
			"or --workload das2"}
	}
	file, err := cmdline.Read(ctx, st, args[0], "a cluster file, YAML or JSON", routes.ReadClusters)
	if err != nil {
		return err
	}
	q.Clusters, q.Types = file.Clusters, file.Types
	// The rate is checked after the file is read, so that errors of the file come first.
	if q.Rate == nil {
		return ask.Inputf("rate", "no load given, want the rate of external requests such as --rate 3/s")
	}
	return nil
}

// named sets the named workload, nil where none is asked for. Errors: *ask.InputError of the field
// workload.
func (f *routeFlags) named(args []string) error {
	// Parameters of a workload that nobody named would change nothing.
	w := &f.workload
	if w.Name == "" {
		if *w != (routes.Workload{}) || f.experiment != "" || f.sizes != "" {
			return &ask.InputError{Field: "workload",
				Reason: "--reference-speed, --experiment, --size-knee, --duration-log-mean, --gap-scale, " +
					"--local-scale, --local-share, --sizes, --several-servers and --gap-scv belong to --workload das2"}
		}
		return nil
	}
	if len(args) > 0 {
		return &ask.InputError{Field: "workload",
			Reason: "replaces a file, and " + spell.Quote(args[0]) + " is given too"}
	}
	w.LocalVaried, w.SizesAsPrinted = f.experiment == "local", f.sizes == "printed"
	f.q.Workload = w
	return nil
}

// parsePreemptions reads --preemption-model; an intercept may be negative. Response is intercept
// plus slope times preemptions, as InterGrid eq. 2 has it: 3.09 s and 12 ms. Errors:
// *ask.InputError of the field preemption-model.
func parsePreemptions(text string) (*routes.PreemptionModel, error) {
	bad := func(reason string) error {
		return ask.Inputf("preemption-model", "%s, want intercept and slope such as 3.09s,12ms", reason)
	}
	first, second, ok := strings.Cut(text, ",")
	if !ok {
		return nil, bad(spell.Quote(text) + " is not two times")
	}
	m := &routes.PreemptionModel{}
	// A duration has no sign, and a regression may cut the axis below 0: the sign is read apart.
	positive := strings.TrimPrefix(strings.TrimSpace(first), "-")
	v, err := units.Parse[units.Duration](positive)
	if err != nil {
		return nil, bad(cmdline.Plainly(err))
	}
	if m.Intercept = float64(v); positive != strings.TrimSpace(first) {
		m.Intercept = -m.Intercept
	}
	if v, err = units.Parse[units.Duration](second); err != nil {
		return nil, bad(cmdline.Plainly(err))
	}
	// Without a slope every split has the same response, and nothing is to be chosen.
	if m.Slope = float64(v); m.Slope == 0 {
		return nil, bad("the slope is 0")
	}
	return m, nil
}
