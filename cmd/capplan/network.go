package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/queues"
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
	s, q := cmdline.NewFlags(false), &queues.ClosedQuestion{}
	simulation := newQueueSimulateFlags(s)
	// The exact recursion goes over all populations, whose number is the product of the classes'
	// customers; the approximation of Schweitzer solves one fixed point instead.
	cmdline.OneOf(s, "method", &q.Method, "`METHOD`: exact, or schweitzer (an approximation for networks of any size) "+
		"(default exact)",
		nil, queues.ClosedMethods...)
	return &cmdline.Command{
		Name: "mva", Usage: "closed networks, by mean value analysis", Args: "FILE.yaml", MaxArgs: 1, Flags: s,
		NoArgs: noNetwork,
		Description: `The file lists stations and classes of customers. A class has a demand at each station:
visits times service time.

  $ capplan queue mva testdata/closed.yaml
  $ capplan queue mva testdata/closed.yaml --simulate --replications 10`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (r *cmdline.Result, err error) {
			if q.Network, err = cmdline.Read(ctx, st, args[0], networkForm, queues.ReadClosedNetwork); err != nil {
				return nil, err
			}
			q.Simulate, q.Explain = simulation.question(), s.Output.Explain
			defer watched(st, q.Simulate)()
			a, err := queues.ClosedNetwork(ctx, q)
			if err != nil {
				return nil, err
			}
			return simulatedResult(ctx, a, report.Network(a), a.Simulation), nil
		},
	}
}

// jacksonCommand solves a network that customers enter and leave. Each station is an M/M/c of its
// own with the flow that the traffic equations give it.
func jacksonCommand() *cmdline.Command {
	s, q := cmdline.NewFlags(false), &queues.OpenQuestion{}
	simulation := newQueueSimulateFlags(s)
	return &cmdline.Command{
		Name: "jackson", Usage: "open networks of M/M/c stations", Args: "FILE.yaml", MaxArgs: 1, Flags: s,
		NoArgs: noNetwork,
		Description: `The file lists stations, the arrivals from outside, and where customers go next.

  $ capplan queue jackson testdata/open.yaml`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (r *cmdline.Result, err error) {
			if q.Network, err = cmdline.Read(ctx, st, args[0], networkForm, queues.ReadOpenNetwork); err != nil {
				return nil, err
			}
			q.Simulate, q.Explain = simulation.question(), s.Output.Explain
			defer watched(st, q.Simulate)()
			a, err := queues.OpenNetwork(ctx, q)
			if err != nil {
				return nil, err
			}
			return simulatedResult(ctx, a, report.Network(a), a.Simulation), nil
		},
	}
}

// linksCommand solves a network whose routes hold a circuit of each of their links at once. A
// request that finds any link of its route full is lost; the fixed point takes links as blocking
// independently of each other.
func linksCommand() *cmdline.Command {
	s, q := cmdline.NewFlags(false), &queues.LinksQuestion{}
	simulation := newQueueSimulateFlags(s)
	return &cmdline.Command{
		Name: "links", Usage: "a network of links that lose requests, by the Erlang fixed point", Args: "FILE.yaml",
		NoArgs: noNetwork, MaxArgs: 1, Flags: s,
		Description: `The file lists links with their circuits, and the routes over them with their load.

  $ capplan queue links testdata/links.yaml`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (r *cmdline.Result, err error) {
			if q.Network, err = cmdline.Read(ctx, st, args[0], networkForm, queues.ReadLinkNetwork); err != nil {
				return nil, err
			}
			q.Simulate, q.Explain = simulation.question(), s.Output.Explain
			defer watched(st, q.Simulate)()
			a, err := queues.LinkNetwork(ctx, q)
			if err != nil {
				return nil, err
			}
			return simulatedResult(ctx, a, report.Links(a), a.Simulation), nil
		},
	}
}

// networkForm and noNetwork say what the file of a network is, and that none is named.
const (
	networkForm = "a network in YAML or JSON"
	noNetwork   = "no network given, want a file such as network.yaml, or - for stdin"
)
