package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/report"
)

// networkCommands are the children of queue that read a network from a file. Each reads a file,
// since a network has too many numbers for flags.
func networkCommands() []func() *cmdline.Command {
	return []func() *cmdline.Command{mvaCommand, jacksonCommand, linksCommand}
}

// mvaCommand solves a network in which a fixed number of customers goes round. Closed means that
// nobody comes or leaves: the load follows from the number of customers and their time to think.
func mvaCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	simulation := newSimulateFlags(s)
	var method string
	// The exact recursion goes over all populations, whose number is the product of the classes'
	// customers; the approximation of Schweitzer solves one fixed point instead.
	cmdline.OneOf(s, "method", &method, "`METHOD`: exact, or schweitzer (an approximation for networks of any size) "+
		"(default exact)",
		nil, queues.ClosedMethods...)
	return &cmdline.Command{
		Name: "mva", Usage: "closed networks, by mean value analysis", Args: "FILE.yaml", MaxArgs: 1, Flags: s,
		NoArgs: noNetwork,
		Description: `The file lists stations and classes of customers. A class has a demand at each station:
visits times service time.

  $ capplan queue mva testdata/closed.yaml
  $ capplan queue mva testdata/closed.yaml --simulate --replications 10`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f, err := cmdline.Read(ctx, st, args[0], networkForm, queues.ReadClosedNetwork)
			if err != nil {
				return nil, err
			}
			a, err := queues.ClosedNetwork(ctx, f, method, s.Output.Explain)
			// The simulation has the figures of the answer beside its own, so that the network is
			// solved first.
			return networkResult(ctx, st, simulation, a, err, func(q *simulate.Question) error {
				return queues.SimulateClosedNetwork(ctx, f, q, a)
			})
		},
	}
}

// jacksonCommand solves a network that customers enter and leave. Each station is an M/M/c of its
// own with the flow that the traffic equations give it.
func jacksonCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	simulation := newSimulateFlags(s)
	return &cmdline.Command{
		Name: "jackson", Usage: "open networks of M/M/c stations", Args: "FILE.yaml", MaxArgs: 1, Flags: s,
		NoArgs: noNetwork,
		Description: `The file lists stations, the arrivals from outside, and where customers go next.

  $ capplan queue jackson testdata/open.yaml`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f, err := cmdline.Read(ctx, st, args[0], networkForm, queues.ReadOpenNetwork)
			if err != nil {
				return nil, err
			}
			a, err := queues.OpenNetwork(ctx, f, s.Output.Explain)
			return networkResult(ctx, st, simulation, a, err, func(q *simulate.Question) error {
				return queues.SimulateOpenNetwork(ctx, f, q, a)
			})
		},
	}
}

// networkForm and noNetwork say what the file of a network is, and that none is named.
const (
	networkForm = "a network in YAML or JSON"
	noNetwork   = "no network given, want a file such as network.yaml, or - for stdin"
)

// networkResult is the answer, with its simulation where one is asked for. It takes the error of
// the solution too, so that a command ends in one line.
func networkResult(ctx context.Context, st *cmdline.Streams, f *simulateFlags, a *queues.NetworkAnswer, err error,
	run func(*simulate.Question) error) (*cmdline.Result, error) {
	if err != nil {
		return nil, err
	}
	if err := simulated(st, f, run); err != nil {
		return nil, err
	}
	r := cmdline.Answered(a, report.Network(a))
	r.Exit = interruptedBy(ctx, a.Simulation)
	return r, nil
}

// simulated runs what is asked for by the flags, watched. run writes the figures into the answer
// that it was made for. Without --simulate nothing happens.
func simulated(st *cmdline.Streams, f *simulateFlags, run func(*simulate.Question) error) error {
	// The seed of --simulate alone counts: nothing else is drawn.
	q := f.question()
	if q == nil {
		return nil
	}
	defer watched(st, q)()
	return run(q)
}

// linksCommand solves a network whose routes hold a circuit of each of their links at once. A
// request that finds any link of its route full is lost; the fixed point takes links as blocking
// independently of each other.
func linksCommand() *cmdline.Command {
	s := cmdline.NewFlags(false)
	simulation := newSimulateFlags(s)
	return &cmdline.Command{
		Name: "links", Usage: "a network of links that lose requests, by the Erlang fixed point", Args: "FILE.yaml",
		NoArgs: noNetwork, MaxArgs: 1, Flags: s,
		Description: `The file lists links with their circuits, and the routes over them with their load.

  $ capplan queue links testdata/links.yaml`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			f, err := cmdline.Read(ctx, st, args[0], networkForm, queues.ReadLinkNetwork)
			if err != nil {
				return nil, err
			}
			a, err := queues.LinkNetwork(ctx, f, s.Output.Explain)
			if err != nil {
				return nil, err
			}
			if err := simulated(st, simulation,
				func(q *simulate.Question) error { return queues.SimulateLinkNetwork(ctx, f, q, a) }); err != nil {
				return nil, err
			}
			r := cmdline.Answered(a, report.Links(a))
			r.Exit = interruptedBy(ctx, a.Simulation)
			return r, nil
		},
	}
}
