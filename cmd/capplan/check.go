package main

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/units"
)

func checkCommand() *command {
	q := &sizing.CheckQuestion{}
	f := newSizeFlags(&q.SizeQuestion)
	var servers *units.Count
	value(f.set, "servers", &servers, "N", "servers that are there; beside --public the dedicated ones")
	return &command{
		name: "check", usage: "does this fleet meet the objectives? Exit code 0 met, 3 not met", flags: f.set,
		description: `Takes the flags of size, and --servers.

A gate for scripts, exit code 0:

  $ capplan check --servers 138 --load 120 --max-blocking 1%`,
		ask: func(ctx context.Context, s *streams, _ []string) (*result, error) {
			if servers == nil {
				return nil, &ask.InputError{Field: "servers", Reason: "no fleet given, want a number of servers such as --servers 138"}
			}
			q.Servers = int64(*servers)
			if err := f.read(ctx, s); err != nil {
				return nil, err
			}
			a, err := sizing.Check(ctx, q)
			if err != nil {
				return nil, err
			}
			r := &result{value: a, warnings: a.Warnings, text: func(p *page) { showCheck(p, a) }}
			if !a.Met {
				r.exit = errNotMet
			}
			r.draw = func(ctx context.Context) (*drawing, error) {
				size, err := sizing.Size(ctx, &q.SizeQuestion)
				if err != nil {
					return nil, err
				}
				return drawSize(ctx, &q.SizeQuestion, size)
			}
			return r, nil
		},
	}
}

func showCheck(p *page, a *sizing.CheckAnswer) {
	if a.Met {
		p.headline("met: %s for %s (%s)", plural(a.Servers, "server", "servers"), erlangs(a.OfferedLoad), modelName(a.Model))
	} else {
		p.headline("not met: %s for %s, %s short (%s)", plural(a.Servers, "server", "servers"), erlangs(a.OfferedLoad), count(a.Shortfall), modelName(a.Model))
	}
	if a.Unstable {
		p.row("unstable", "yes", "fewer servers than erlangs: the queue grows without end")
	} else {
		showFigures(p, a.Model, &a.Figures, a.Objectives, a.Binding)
	}
	if a.Chance != nil {
		p.row("chance", optionalFraction(a.Chance), fmt.Sprintf("to meet the objectives over the draws of the load, seed %d", *a.Seed))
	}
	if a.PublicCount != "" {
		p.row("public machines", a.PublicCount.Words())
	}
	p.row("needed", plural(a.Needed, "server", "servers"), "for "+a.Binding)
	p.explain(a.Explanation)
}
