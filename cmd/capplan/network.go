package main

import (
	"context"
	"io"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/report"
)

// networkCommands are the children of queue that read a network from a file.
func networkCommands() []func() *command {
	return []func() *command{mvaCommand, jacksonCommand, linksCommand}
}

func mvaCommand() *command {
	s := newFlags(false)
	var method string
	oneOf(s, "method", &method, "`METHOD`: exact or schweitzer, an approximation for any size (default exact)", nil, queues.ClosedMethods...)
	return &command{
		name: "mva", usage: "closed networks, by mean value analysis", args: "FILE.yaml", maxArgs: 1, flags: s,
		description: `The file names stations and classes of customers; a demand is visits times
service time, one for each station.

  $ capplan queue mva testdata/closed.yaml`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			var f *queues.ClosedNetworkFile
			err := readNetwork(ctx, "mva", args, st, func(name string, r io.Reader) (err error) {
				f, err = queues.ReadClosedNetwork(ctx, name, r)
				return err
			})
			if err != nil {
				return nil, err
			}
			a, err := queues.ClosedNetwork(ctx, f, method, s.output.explain)
			return networkResult(a, err)
		},
	}
}

func jacksonCommand() *command {
	s := newFlags(false)
	return &command{
		name: "jackson", usage: "open networks of M/M/c stations", args: "FILE.yaml", maxArgs: 1, flags: s,
		description: `The file names stations, arrivals from outside and where customers go next.

  $ capplan queue jackson testdata/open.yaml`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			var f *queues.OpenNetworkFile
			err := readNetwork(ctx, "jackson", args, st, func(name string, r io.Reader) (err error) {
				f, err = queues.ReadOpenNetwork(ctx, name, r)
				return err
			})
			if err != nil {
				return nil, err
			}
			a, err := queues.OpenNetwork(ctx, f, s.output.explain)
			return networkResult(a, err)
		},
	}
}

// readNetwork opens the file of a network.
func readNetwork(ctx context.Context, command string, args []string, s *streams, read func(name string, r io.Reader) error) error {
	if len(args) == 0 {
		return &usageError{"queue " + command, "no network given, want a file such as network.yaml, or - for stdin"}
	}
	src, err := source.Open(ctx, args[0], source.OpenOptions{Stdin: s.in, Want: "a network in YAML or JSON"})
	if err != nil {
		return err
	}
	defer src.Close()
	return read(src.Name, src)
}

func networkResult(a *queues.NetworkAnswer, err error) (*result, error) {
	if err != nil {
		return nil, err
	}
	return answered(a, report.Network(a)), nil
}

func linksCommand() *command {
	s := newFlags(false)
	return &command{
		name: "links", usage: "a network of links that lose requests, by the Erlang fixed point", args: "FILE.yaml", maxArgs: 1, flags: s,
		description: `The file names links with their circuits, and routes over them with their load.

  $ capplan queue links testdata/links.yaml`,
		ask: func(ctx context.Context, st *streams, args []string) (*result, error) {
			var f *queues.LinkNetworkFile
			err := readNetwork(ctx, "links", args, st, func(name string, r io.Reader) (err error) {
				f, err = queues.ReadLinkNetwork(ctx, name, r)
				return err
			})
			if err != nil {
				return nil, err
			}
			a, err := queues.LinkNetwork(ctx, f, s.output.explain)
			if err != nil {
				return nil, err
			}
			return answered(a, report.Links(a)), nil
		},
	}
}
