package main

import (
	"context"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// A queueSpec is one queue of the command line: its flags and its help. All of them share one
// question, queues.QueueQuestion, and each reads its part. The help of a queue begins with its
// usage and has an example that a test runs.
type queueSpec struct {
	model       queues.QueueModel
	usage       string
	flags       string // names that queueInput.flag knows, separated by blanks
	description string
}

// queueSpecs are the queues in the order of the help. A queue that takes one more flag names it here,
// and flag binds it.
var queueSpecs = []queueSpec{
	{queues.ErlangB, "loss: an arrival that finds all servers busy is lost (M/G/n/n)",
		"servers load rate service-time",
		`One fewer than enough:

  $ capplan queue erlang-b --servers 137 --load 120`},
	{queues.ErlangC, "waiting (M/M/c)", "servers load rate service-time percentile max-wait", `A help desk of 14:

  $ capplan queue erlang-c --servers 14 --rate 2/min --service-time 5min --max-wait 20s`},
	{queues.ErlangA, "waiting with patience (M/M/n+M)", "servers load rate service-time patience percentile max-wait " +
		"service-level-of",
		`A help desk of 10 whose callers give up after 3 minutes on average:

  $ capplan queue erlang-a --servers 10 --rate 2/min --service-time 5min --patience 3min --max-wait 20s`},
	{queues.Engset, "loss with finitely many sources", "servers sources load-per-source service-time",
		`200 desks share 20 lines, each idle desk offering 0.1 erlang:

  $ capplan queue engset --servers 20 --sources 200 --load-per-source 0.1`},
	{queues.MMCK, "waiting with a finite waiting room (M/M/c/K)", "servers capacity load rate service-time " +
		"percentile max-wait",
		`Four servers and six places to wait:

  $ capplan queue mmck --servers 4 --capacity 10 --rate 2/min --service-time 2min`},
	{queues.Finite, "waiting with finitely many customers (M/M/c//N)", "servers sources think-time service-time " +
		"percentile max-wait",
		`400 users who think for 5 seconds between requests:

  $ capplan queue finite --servers 30 --sources 400 --think-time 5s --service-time 444ms`},
	{queues.Hayward, "loss of peaked traffic", "servers load rate service-time peakedness method",
		`Overflow traffic of peakedness 2:

  $ capplan queue hayward --servers 30 --load 20 --peakedness 2`},
	{queues.MG1, "one server, any law of service (M/G/1)", "load rate service-time service-law service-scv " +
		"percentile max-wait",
		`A disk with constant service:

  $ capplan queue mg1 --rate 80/s --service-time 10ms --service-law deterministic --percentile 99%`},
	{queues.GIM1, "one server, any law of the gaps (GI/M/1)", "load rate service-time arrival-law arrival-scv " +
		"percentile max-wait",
		`Arrivals on a clock:

  $ capplan queue gim1 --rate 80/s --service-time 10ms --arrival-law deterministic`},
	{queues.MDC, "waiting with constant service (M/D/c)", "servers load rate service-time percentile max-wait",
		`Four encoders that take two minutes each:

  $ capplan queue mdc --servers 4 --rate 1.8/min --service-time 2min`},
	{queues.PS, "processor sharing (M/G/1 and M/M/c)", "servers load rate service-time percentile",
		`A web server that shares its processor:

  $ capplan queue ps --servers 1 --rate 80/s --service-time 10ms`},
	{queues.GGC, "waiting with general variability (GI/G/c), from two moments", "servers load rate service-time " +
		"arrival-scv service-scv method percentile max-wait",
		`Regular arrivals, very uneven service:

  $ capplan queue ggc --servers 14 --rate 2/min --service-time 5min --arrival-scv 0.5 --service-scv 2`},
	{queues.Priority, "classes served by priority, the first class before the others",
		"servers class classes preemptive",
		`Interactive jobs before batch jobs; with --preemptive they interrupt them:

  $ capplan queue priority --class name=interactive,rate=0.3/s,service=0.8s,scv=0.01 --class name=batch,rate=0.1/s,service=4s --preemptive

The same from a file, a YAML list with the same names:

  $ capplan queue priority --classes testdata/classes.yaml`},
	{queues.Classes, "loss with classes that need several servers each", "capacity class classes",
		`Calls that take one line and conferences that take ten; the load is in jobs:

  $ capplan queue classes --capacity 100 --class name=call,load=40 --class name=conference,load=2,servers=10

With 9 lines kept free of calls both are blocked alike:

  $ capplan queue classes --capacity 100 --class name=call,load=40,reserve=9 --class name=conference,load=2,servers=10`},
	{queues.Backed, "dedicated servers backed by slower public machines", "servers load rate service-time " +
		"public-speed public-speed-cv replicas max-elongation percentile",
		`Jobs that find no dedicated server free run on public machines until one is. Of
100 dedicated servers beside machines a third as fast:

  $ capplan queue pool --servers 100 --load 120 --public-speed 0.34

The fewest with which jobs take at most 10% longer on average:

  $ capplan queue pool --load 100 --public-speed 0.34 --max-elongation 10%`},
}

// queueCommand has a child for each queue, and for each network that a file describes.
func queueCommand() *cmdline.Command {
	c := &cmdline.Command{
		Name: "queue", Usage: "the figures of one queue",
		Description: `The blocking probability of 130 lines offered 120 erlangs:

  $ capplan queue erlang-b --servers 130 --load 120`,
	}
	// A child is made anew each time, so that two points of a sweep never share a question.
	for _, spec := range queueSpecs {
		c.Children = append(c.Children, func() *cmdline.Command { return queueModel(spec) })
	}
	c.Children = append(c.Children, networkCommands()...)
	return c
}

// needsServers reports whether a queue needs a number of servers: all that have the flag do, except
// priority, which has one server by default. The message about what is missing uses it.
func needsServers(model queues.QueueModel) bool {
	return model != queues.Priority && slices.ContainsFunc(queueSpecs, func(s queueSpec) bool {
		return s.model == model && slices.Contains(strings.Fields(s.flags), "servers")
	})
}

// queueInput holds what the flags of a queue are read into. It is made anew for each command, since
// the flags point into it.
type queueInput struct {
	question queues.QueueQuestion
	servers  *units.Number
	classes  classInput
}

// flag adds the flag of the given name. What a flag is called is the same for all queues; what it
// means may depend on the model.
func (in *queueInput) flag(s *cmdline.FlagSet, model queues.QueueModel, name string) {
	q := &in.question
	switch name {
	case "servers":
		cmdline.Value(s, name, &in.servers, "N", "servers")
	case "load":
		cmdline.Value(s, name, &q.OfferedLoad, "ERLANG", "offered load in erlangs")
	case "rate":
		cmdline.Value(s, name, &q.Rate, "RATE", "arrival rate such as 5.4/s")
	case "service-time":
		cmdline.Value(s, name, &q.ServiceTime, "TIME", "mean service time such as 90s")
	// One word asks for different percentiles, by what a queue has to tell: a group of public machines
	// has no wait, and shared servers none either.
	case "percentile":
		what := "percentile of the wait (default 95%)"
		if model == queues.Backed {
			what = "percentile of the number of jobs and of public machines (default 95%)"
		}
		if model == queues.PS {
			what = "percentile of the response, for exponential services (default 95%)"
		}
		cmdline.Value(s, name, &q.Percentile, "P", what)
	case "public-speed":
		cmdline.Value(s, name, &q.PublicSpeed, "X", "mean speed of a public machine relative to a dedicated one")
	case "public-speed-cv":
		cmdline.Value(s, name, &q.PublicSpeedCV,
			"CV", "coefficient of variation of the public speeds, which are lognormal; of several replicas the "+
				"fastest then counts")
	case "replicas":
		cmdline.Value(s, name, &q.Replicas, "R", "public machines that a job holds at one time (default 1)")
	case "max-elongation":
		cmdline.Value(s, name, &q.MaxElongation, "E",
			"find the fewest dedicated servers with which jobs take at most this much longer on average, such as 10%")
	case "max-wait":
		cmdline.Value(s, name, &q.MaxWait, "TIME", "wait whose chance of not being exceeded is asked for")
	case "service-level-of":
		cmdline.OneOf(s, name, &q.ServiceLevelOf, serviceLevelUsage, nil, "offered", "served", "stayed", "waits")
	case "patience":
		cmdline.Value(s, name, &q.Patience, "TIME", "mean patience")
	case "arrival-scv":
		cmdline.Value(s, name, &q.ArrivalSCV, "SCV", "squared coefficient of variation of the gaps between arrivals")
	case "service-scv":
		cmdline.Value(s, name, &q.ServiceSCV, "SCV", "squared coefficient of variation of the service times")
	// The loss with classes counts servers where the finite queue counts places.
	case "capacity":
		what := "room for customers, waiting and served"
		if model == queues.Classes {
			what = "servers"
		}
		cmdline.Value(s, name, &q.Capacity, "N", what)
	case "sources":
		cmdline.Value(s, name, &q.Sources, "N", "number of customers in all")
	case "load-per-source":
		cmdline.Value(s, name, &q.LoadPerSource,
			"ERLANG", "load of one idle source: its request rate times the service time")
	case "think-time":
		cmdline.Value(s, name, &q.ThinkTime, "TIME", "mean time from the end of a service to the next request")
	case "peakedness":
		cmdline.Value(s, name, &q.Peakedness,
			"Z", "variance divided by mean of the number of busy servers in an unlimited group")
	case "service-law", "arrival-law":
		into, of, scv := &q.ServiceLaw, "service times", "--service-scv"
		if name == "arrival-law" {
			into, of, scv = &q.ArrivalLaw, "gaps between arrivals", "--arrival-scv"
		}
		s.Text(name, into, "LAW",
			"law of the "+of+": exponential (default), deterministic, erlang-K such as erlang-4, "+
				"empirical:1,1,8 (observed times, scaled to the mean), or, with "+scv+", gamma, "+
				"hyperexponential or lognormal")
		s.Known(name, queueLaws)
	// The two queues with a choice have different approximations under one name.
	case "method":
		if model == queues.Hayward {
			cmdline.OneOf(s, name, &q.Method,
				"`METHOD`: ert (equivalent random theory, default above a peakedness of 1) or hayward (default below)",
				nil, queues.PeakedMethods...)
			return
		}
		cmdline.OneOf(s, name, &q.Method, "`METHOD`: "+strings.Join(queues.GGCMethods, ", ")+" (default the first)",
			nil, queues.GGCMethods...)
	case "preemptive":
		s.Toggle(name, &q.Preemptive, "let a higher class interrupt a lower one, which later resumes")
	case "class", "classes":
		in.classes.flag(s, name)
	}
}

// queueModel makes the command of one queue.
func queueModel(spec queueSpec) *cmdline.Command {
	in := &queueInput{question: queues.QueueQuestion{Queue: spec.model}}
	q := &in.question
	// These are the queues whose answer has curves; --plot is no flag of the others.
	drawn := spec.model == queues.ErlangB || spec.model == queues.ErlangC || spec.model == queues.ErlangA ||
		spec.model == queues.GGC
	s := cmdline.NewFlags(drawn)
	for _, name := range strings.Fields(spec.flags) {
		in.flag(s, spec.model, name)
	}
	// A queue whose system the simulator does not have refuses the flag in its own words.
	simulation := newQueueSimulateFlags(s)
	return &cmdline.Command{
		Name: string(spec.model), Usage: spec.usage, Flags: s, Description: spec.description,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			if err := in.read(ctx, st, s); err != nil {
				return nil, err
			}
			q.Simulate = simulation.question()
			defer watched(st, q.Simulate)()
			a, err := queues.Queue(ctx, q)
			if err != nil {
				// A fault in a class of a file is reported with the name of the file, not with that
				// of a flag nobody gave. The name is "" where classes came by flags.
				return nil, cmdline.InFile(in.classes.file, err, "class", "classes")
			}
			return simulatedResult(ctx, a, report.Queue(a), a.Simulation), nil
		},
	}
}

// read completes the question. Numbers of servers may be fractions, for models that are continued
// to them; whether this one is, its own check says. Errors: *ask.InputError, *source.FileError.
func (in *queueInput) read(ctx context.Context, st *cmdline.Streams, s *cmdline.FlagSet) error {
	q := &in.question
	q.Explain = s.Output.Explain
	switch {
	case in.servers != nil && q.MaxElongation != nil:
		return &ask.InputError{Field: "max-elongation", Reason: "asks for the number of servers: leave out --servers"}
	case in.servers != nil:
		q.Servers = float64(*in.servers)
	case q.MaxElongation != nil:
	case q.Queue == queues.Backed:
		return ask.Inputf("servers", "no servers given, want a number such as --servers 14, or --max-elongation 10%%")
	case needsServers(q.Queue):
		return &ask.InputError{Field: "servers", Reason: "no servers given, want a number such as --servers 14"}
	case q.Queue == queues.Classes && q.Capacity == nil:
		return &ask.InputError{Field: "capacity", Reason: "no servers given, want their number such as --capacity 100"}
	}
	var err error
	q.JobClasses, err = in.classes.read(ctx, st)
	return err
}

// queueLaws are the laws of times that a queue may have, to be completed. simulate station
// completes its laws by them too.
func queueLaws() []string { return queues.LawNames }
