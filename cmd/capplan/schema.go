package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"embed"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/hostload"
	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/allocation"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/compare"
	"github.com/capplan/capplan/planner/leases"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/planner/pools"
	"github.com/capplan/capplan/planner/queues"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/shifts"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
)

// schemaFiles are made from the structs by go generate, so that a change of what
// scripts rely on is seen where it is reviewed.
//
//go:generate go test -run ^TestSchemasAreCurrent$ -update .
//go:embed schema/[^ps]*.json schema/p[^l]*.json schema/s[^c]*.json schema/*.gz
var schemaFiles embed.FS

// largeSchemas are a third of all; the program holds them compressed, and no others that begin as they do.
var largeSchemas = []string{"plan", "scenario"}

// schemaFile is where the schema of a name is kept. The path has slashes on every system, as
// package embed wants it.
func schemaFile(name string) string { return "schema/" + name + ".json" }

// schemaText returns the schema of a name.
func schemaText(name string) ([]byte, error) {
	if !slices.Contains(largeSchemas, name) {
		return schemaFiles.ReadFile(schemaFile(name))
	}
	f, err := schemaFiles.Open(schemaFile(name) + ".gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// schemas lists what the answers look like, by command. The names are part of what scripts rely on;
// a new answer is a line here and a run of go generate.
func schemas() map[string]any {
	return map[string]any{
		// Sizing, and the figures of queues.
		"size":        sizing.SizeAnswer{},
		"shifts":      shifts.Answer{},
		"shift-file":  fileSchemas["shift-file"],
		"capacity":    sizing.CapacityAnswer{},
		"check":       sizing.CheckAnswer{},
		"check-fleet": planner.FleetAnswer{},
		"throughput":  sizing.ThroughputAnswer{},
		"queue":       queues.QueueAnswer{},
		"network":     queues.NetworkAnswer{},
		"links":       queues.LinksAnswer{},
		"fit":         records.LogAnswer{},
		"replicas":    survival.ReplicasAnswer{},
		"epoch":       survival.EpochAnswer{},
		"link":        survival.LinkAnswer{},
		"checkpoint":  survival.CheckpointAnswer{},
		"lifetime":    survival.LifetimeAnswer{},
		"route":       routes.Answer{},

		// Machines that come and go, by their records.
		"availability-label":    machines.LabelAnswer{},
		"availability-fit":      machines.Kernel{},
		"availability-fleet":    machines.FleetAnswer{},
		"availability-record":   hostload.Recorded{},
		"fleet-line":            machines.HostFit{},
		"availability-predict":  machines.PredictAnswer{},
		"availability-rank":     machines.RankAnswer{},
		"availability-evaluate": backtest.EvaluateAnswer{},
		"availability-scores":   backtest.ScoreAnswer{},
		"availability-replay":   backtest.ReplayAnswer{},
		"availability-solve":    machines.SolveAnswer{},
		"availability-forecast": forecast.Answer{},
		"availability-joint":    forecast.JointAnswer{},
		"availability-learnt":   forecast.Fleet{},
		"replicas-fleet":        forecast.ReplicasAnswer{},

		// What is simulated, and the files that say what.
		"finish":           bags.FinishAnswer{},
		"simulate-bot":     bags.SimulateAnswer{},
		"simulate-hosts":   bags.HostsAnswer{},
		"simulate-pool":    pools.Answer{},
		"simulate-station": queues.SimulatedStation{},
		"pool":             fileSchemas["pool"],
		"simulate-leases":  leases.Answer{},
		"leases":           fileSchemas["leases"],

		// Requests, batches and scenarios; the files among them are closed.
		"clusters":  fileSchemas["clusters"],
		"allocate":  allocation.Answer{},
		"study":     allocation.StudyAnswer{},
		"reproduce": paper.Reproduction{},
		"verify":    allocation.VerifyAnswer{},
		"batch":     fileSchemas["batch"],
		"lp":        allocation.ModelAnswer{},
		"plan":      planner.PlanAnswer{},
		"compare":   compare.Answer{},
		"scenario":  fileSchemas["scenario"],

		// What a part of a larger work leaves behind.
		"shard":        cmdline.ShardAnswer{},
		"merge-status": shards.Status{},
	}
}

// inputFile marks a schema as that of a file that capplan reads: strict, and
// with quantities as they are written. An answer is open: more fields may come. A file is closed,
// since a field that is not known is refused when it is read.
type inputFile struct{ of any }

// fileSchemas lists the files by the name that schema has for them. The same structs are read by
// the commands, so that a schema cannot say otherwise.
var fileSchemas = map[string]any{
	"clusters":   inputFile{routes.ClusterFile{}},
	"batch":      inputFile{allocation.BatchFile{}},
	"leases":     inputFile{leases.File{}},
	"scenario":   inputFile{planner.PlanQuestion{}},
	"pool":       inputFile{pools.File{}},
	"shift-file": inputFile{shifts.File{}},
}

// schemaCommand prints a schema that is kept in the program, so that what is printed is what was
// reviewed.
func schemaCommand() *cmdline.Command {
	s := cmdline.PlainFlags()
	return &cmdline.Command{
		Name: "schema", Usage: "the JSON Schema of an answer", Args: "NAME", MaxArgs: 1, Flags: s,
		Complete: func() []string { return slices.Sorted(maps.Keys(schemas())) },
		Description: `NAME is a command with an answer, such as size or replicas, or a kind of file. Without
NAME all names are listed.

  $ capplan schema`,
		// Without a name the names are listed, one a line, for a script to choose from.
		Ask: func(_ context.Context, _ *cmdline.Streams, args []string) (*cmdline.Result, error) {
			names := slices.Sorted(maps.Keys(schemas()))
			if len(args) == 0 {
				return &cmdline.Result{Raw: strings.Join(names, "\n") + "\n"}, nil
			}
			if _, ok := schemas()[args[0]]; !ok {
				return nil, &cmdline.UsageError{Reason: "no schema " + spell.Quote(args[0]) +
					spell.Suggest(args[0], names) +
					", want one of " + strings.Join(names, ", ")}
			}
			text, err := schemaText(args[0])
			if err != nil {
				return nil, err
			}
			// The files are kept without indentation to keep the binary small, and are printed for people.
			var indented bytes.Buffer
			if err := json.Indent(&indented, text, "", "  "); err != nil {
				return nil, err
			}
			return &cmdline.Result{Raw: indented.String()}, nil
		},
	}
}
