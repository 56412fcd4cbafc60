package main

import (
	"context"
	"encoding/json"
	"reflect"
	"sort"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/capplan/capplan/planner"
)

// schemas lists what the answers look like, by command.
func schemas() map[string]any {
	return map[string]any{
		"size":       planner.SizeAnswer{},
		"capacity":   planner.CapacityAnswer{},
		"check":      planner.CheckAnswer{},
		"throughput": planner.ThroughputAnswer{},
		"queue":      planner.QueueAnswer{},
		"network":    planner.NetworkAnswer{},
		"links":      planner.LinksAnswer{},
		"fit":        fitAnswer{},
		"replicas":   planner.ReplicasAnswer{},
		"epoch":      planner.EpochAnswer{},
		"link":       planner.LinkAnswer{},
		"checkpoint": planner.CheckpointAnswer{},
		"lifetime":   planner.LifetimeAnswer{},
		"route":      planner.RouteAnswer{},

		"availability-label":    planner.LabelAnswer{},
		"availability-fit":      planner.Kernel{},
		"availability-fleet":    planner.FleetAnswer{},
		"availability-record":   recordAnswer{},
		"fleet-line":            planner.HostFit{},
		"availability-predict":  planner.PredictAnswer{},
		"availability-rank":     planner.RankAnswer{},
		"availability-evaluate": planner.EvaluateAnswer{},
		"availability-replay":   planner.ReplayAnswer{},
		"availability-solve":    planner.SolveAnswer{},

		"clusters":  fileSchemas["clusters"],
		"allocate":  planner.AllocateAnswer{},
		"study":     planner.StudyAnswer{},
		"reproduce": planner.Reproduction{},
		"verify":    planner.VerifyAnswer{},
		"batch":     fileSchemas["batch"],
		"lp":        planner.ModelAnswer{},
		"plan":      planner.PlanAnswer{},
		"scenario":  fileSchemas["scenario"],
	}
}

func schemaCommand() *command {
	s := &flagSet{output: &output{format: "text"}}
	return &command{
		name: "schema", usage: "the JSON Schema of an answer", args: "NAME", maxArgs: 1, flags: s,
		description: `NAME is a command that answers, such as size or replicas, or a kind of file.
Without it the names are listed.

  $ capplan schema`,
		ask: func(_ context.Context, _ *streams, args []string) (*result, error) {
			var names []string
			for n := range schemas() {
				names = append(names, n)
			}
			sort.Strings(names)
			if len(args) == 0 {
				return &result{raw: strings.Join(names, "\n") + "\n"}, nil
			}
			v, ok := schemas()[args[0]]
			if !ok {
				return nil, &usageError{"schema", "no schema " + quote(args[0]) + ", want one of " + strings.Join(names, ", ") + suggest(args[0], names)}
			}
			data, err := json.MarshalIndent(schemaOf(v), "", "  ")
			if err != nil {
				return nil, err
			}
			return &result{raw: string(data) + "\n"}, nil
		},
	}
}

// schemaOf reflects an answer. A pointer, list or map that is never left out may
// be null.
func schemaOf(v any) *jsonschema.Schema {
	if f, ok := v.(inputFile); ok {
		return fileSchemaOf(f.of)
	}
	r := &jsonschema.Reflector{DoNotReference: true, Anonymous: true, AllowAdditionalProperties: true}
	s := r.Reflect(v)
	nullable(reflect.TypeOf(v), s)
	return s
}

func nullable(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t.Kind() == reflect.Slice && s != nil {
			s = s.Items
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || s == nil || s.Properties == nil {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			nullable(f.Type, s)
			continue
		}
		p, ok := s.Properties.Get(name)
		if !ok {
			continue
		}
		nullable(f.Type, p)
		k := f.Type.Kind()
		if (k == reflect.Pointer || k == reflect.Slice || k == reflect.Map) && !strings.Contains(options, "omitempty") {
			inner := *p
			s.Properties.Set(name, &jsonschema.Schema{AnyOf: []*jsonschema.Schema{&inner, {Type: "null"}}})
		}
	}
}
