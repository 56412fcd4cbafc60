package main

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/workload"
)

// readMachines reads a pool of machines; "-" is stdin.
func readMachines(ctx context.Context, path string, s *streams) ([]survival.PoolMachine, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.in, Want: "machines in CSV with the columns name, availability (or mttf and mttr) and cost, or in YAML or JSON with the same fields"})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	file, err := workload.ReadPool(ctx, src.Name, src)
	if err != nil {
		return nil, err
	}
	return poolMachines(file), nil
}

// poolMachines numbers machines without a name.
func poolMachines(file *workload.PoolFile) []survival.PoolMachine {
	out := make([]survival.PoolMachine, len(file.Machines))
	for i, m := range file.Machines {
		if m.Name == "" {
			m.Name = fmt.Sprintf("machine %d", i+1)
		}
		out[i] = survival.PoolMachine{Name: m.Name, Availability: float(m.Availability), MTTF: float(m.MTTF), MTTR: float(m.MTTR), Cost: float64(m.Cost)}
	}
	return out
}
