package grid

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// leaseFlags are the flags of simulate leases that are not bound to its question. The file may hold
// them too, and a flag goes before it.
type leaseFlags struct {
	// slack is by which part of its duration a migratable lease may be late, 0 or more.
	slack *units.Number
	// localShare is the part of the local requests that is kept, in (0, 1].
	localShare *units.Fraction
}

// Leases simulates leases on clusters whose own users preempt. All policies see the same requests
// by the same seed, so that they can be compared with less noise.
func Leases() *cmdline.Command {
	s := cmdline.NewFlags(false)
	q := &leases.Question{}
	f := &leaseFlags{}
	run := &runFlags{
		seed: &q.Seed, replications: &q.Replications, horizon: &q.Horizon, precision: &q.Precision,
		drawn: "the requests, the same for all policies", figures: "preempted VMs, utilization and AWRT", long: "2d",
	}
	cmdline.OneOf(s, "policy", &q.Policy,
		"`POLICY` of the gateway: pap-rtdp, pap-rnd, rr, lrf, bcf, least-work-left (which knows the queues), "+
			"pap-servers-rtdp or pap-servers-rnd (default pap-rtdp)",
		nil, leases.Policies()...)
	cmdline.OneOf(s, "sequence", &q.Sequence,
		"`SEQUENCE` of rr, lrf and bcf: random or deterministic (default as in the paper: rr deterministic, the "+
			"others random)",
		nil, "random", "deterministic")
	cmdline.OneOf(s, "victim", &q.Victim,
		"`VICTIM` of a preemption among leases of one type: fewest (the fewest nodes that are enough, then the "+
			"youngest), youngest or oldest (default fewest)",
		nil, "fewest", "youngest", "oldest")
	// Equation 16 of InterGrid as printed divides seconds by MIPS: service times come out so short
	// that all clusters look idle to the split.
	s.Toggle("split-as-printed", &q.SplitAsPrinted,
		"let pap split by InterGrid eq. 16 as printed (seconds divided by MIPS), for which clusters are nearly idle")
	cmdline.Value(s, "slack",
		&f.slack, "N", "slack of a migratable lease as a share of its duration: it may be that much late (default: "+
			"from FILE, else 1)")
	cmdline.Value(s, "local-share",
		&f.localShare, "SHARE", "share of the local requests that is kept, such as 10% (default: from FILE, else all)")
	run.flags(s)
	s.Sharded()
	s.Toggle("timing",
		&q.Timing, "show the simulated events per second; the same seed then no longer gives the same bytes")
	return &cmdline.Command{
		Name: "leases", Usage: "leases on clusters whose own users preempt", Args: "FILE", MaxArgs: 1, Flags: s,
		NoArgs: "no clusters given, want a file such as testdata/leases.yaml, - for stdin",
		Description: `The system of InterGrid: a gateway dispatches external requests for nodes to
clusters that backfill conservatively and whose own requests preempt. FILE is YAML
or JSON: see testdata/leases.yaml, its table 2, and capplan schema leases.

  $ capplan simulate leases testdata/leases.yaml --replications 2 --horizon 6h

With the same seed every policy meets the same requests, so that any difference comes from
the policies:

  $ capplan simulate leases testdata/leases.yaml --replications 2 --horizon 6h --policy lrf

The value of knowing the queues, simulated until the intervals are within 20%:

  $ capplan simulate leases testdata/leases.yaml --horizon 2h --precision 20% --policy least-work-left

The figures of the paper, as paired differences: capplan reproduce intergrid-figure-5a`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			// Clusters have too many numbers for flags, so that a file holds them.
			file, err := cmdline.Read(ctx, st, args[0], "clusters and requests, YAML or JSON", leases.Read)
			if err != nil {
				return nil, err
			}
			q.File, q.Explain = *file, s.Output.Explain
			if err := f.question(q); err != nil {
				return nil, err
			}
			if err := run.check(); err != nil {
				return nil, err
			}
			a, err := cmdline.Counting(ctx, st, "replications", &q.Progress, q, leases.Ask)
			if err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Leases(a))
			// The replications that are done are shown, with the exit code of an interruption.
			if a.Interrupted {
				r.Exit = context.Canceled
			}
			return r, nil
		},
	}
}

// question puts the flags into the question. Errors: *ask.InputError of the flag.
func (f *leaseFlags) question(q *leases.Question) error {
	if f.slack != nil {
		// The condition in the negative refuses what is not a number, too.
		if !(*f.slack >= 0) {
			return &ask.InputError{Field: "slack", Reason: "is below 0, want 0 or more such as 1"}
		}
		q.File.Slack = f.slack
	}
	if f.localShare != nil {
		// Without local requests nothing preempts, and the question is another.
		if *f.localShare == 0 {
			return ask.Inputf("local-share", "is 0, want more such as 10%%, or clusters without local requests")
		}
		q.File.LocalShare = f.localShare
	}
	return nil
}
