package main

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/survival"
)

// readMachines reads a pool of machines; "-" is stdin.
func readMachines(ctx context.Context, path string, s *cmdline.Streams) ([]survival.PoolMachine, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.In, Want: "machines in CSV with the columns name, availability (or mttf and mttr) and cost, or in YAML or JSON with the same fields"})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return survival.ReadPool(ctx, src.Name, src)
}
