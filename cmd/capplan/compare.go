package main

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/compare"
	"github.com/capplan/capplan/report"
)

// compareWant names what may be compared, for every message about a file that is not.
const compareWant = "a scenario, or the result.json that capplan plan --out writes"

// compareCommand compares two plans; for two scenarios it also says which inputs moved the answer.
func compareCommand() *cmdline.Command {
	// A comparison is a list of differences: there is nothing to draw.
	s := cmdline.NewFlags(false)
	ranges := false
	s.Toggle("ranges", &ranges, "change each input alone with all ranges, however long that takes (default: with "+
		"the most likely values, where that would be many plans with ranges)")
	return &cmdline.Command{
		Name: "compare", Usage: "what changed between two plans, and why", Args: "A B", MaxArgs: 2, Flags: s,
		Description: `A and B are scenarios, or answers written by capplan plan --format json or --out DIR.
Says which inputs and which results differ. Of two scenarios each input that differs is
also changed alone, to show which of them moved the answer.

  $ capplan compare testdata/mix.yaml testdata/mix-next.yaml
  $ capplan compare testdata/mix.yaml testdata/mix.yaml --format json`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			if len(args) < 2 {
				return nil, &cmdline.UsageError{Reason: "want two files to compare, each " + compareWant}
			}
			// A stream can be read once only.
			if args[0] == "-" && args[1] == "-" {
				return nil, &cmdline.UsageError{Reason: "only one of the two files can be stdin"}
			}
			// The two may be of different kinds: a scenario is answered first, and an answer is
			// taken as it stands.
			var both [2]*compare.Compared
			var warnings []string
			for i, path := range args {
				c, w, err := comparedFile(ctx, path, st)
				if err != nil {
					return nil, err
				}
				both[i], warnings = c, append(warnings, w...)
			}
			plans := compare.Plans
			if ranges {
				plans = compare.Ranged
			}
			a, err := plans(ctx, both[0], both[1])
			if err != nil {
				return nil, err
			}
			return cmdline.Answered(a, report.Compare(a), warnings...), nil
		},
	}
}

// comparedFile reads a scenario or an answer, by its content. Errors: *source.FileError, with line
// and column of a scenario.
func comparedFile(ctx context.Context, path string, st *cmdline.Streams) (*compare.Compared, []string, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: st.In, Want: compareWant})
	if err != nil {
		return nil, nil, err
	}
	defer src.Close()
	content, err := wholeScenario(src, compareWant)
	if err != nil {
		return nil, nil, err
	}
	// A name of a file says nothing of its form; that both of these fields are there does.
	var answer struct {
		Infeasible *json.RawMessage `json:"infeasible"` // every answer of a plan has it, and no scenario
		Seed       *json.RawMessage `json:"seed"`
	}
	// Only an object can be an answer; what fails to parse may still be a scenario in YAML, whose own
	// reader names line and column.
	if bytes.HasPrefix(bytes.TrimSpace(content), []byte("{")) && json.Unmarshal(content, &answer) == nil &&
		answer.Infeasible != nil && answer.Seed != nil {
		a := &planner.PlanAnswer{}
		if err := json.Unmarshal(content, a); err != nil {
			return nil, nil, source.Whole(src.Name, "is not an answer of a plan: "+jsonwords.Of(err), compareWant, err)
		}
		return &compare.Compared{Name: path, Answer: a}, nil, nil
	}
	in, err := scenarioOf(ctx, path, src.Name, content, nil, st)
	if err != nil {
		return nil, nil, err
	}
	return &compare.Compared{Name: path, Question: in.question}, in.warnings, nil
}
