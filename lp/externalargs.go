package lp

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/fault"
)

// arguments returns the command line for the model file of n, and writes the
// files of options and of the start that it names into dir, which the command
// line calls place. start is nil or feasible.
func (e *External) arguments(dir, place, model, out string, s Settings, n *Model, start []float64) ([]string, error) {
	integer := n.integers()
	seconds := strconv.FormatFloat(math.Max(1e-3, s.TimeLimit.Seconds()), 'f', 3, 64)
	gap := strconv.FormatFloat(s.RelativeGap(), 'g', -1, 64)
	write := func(name, text string) (string, error) {
		return filepath.Join(place, name), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
	}
	switch e.Kind {
	case GLPK:
		args := []string{"--freemps", model, "--write", out}
		if s.TimeLimit > 0 {
			args = append(args, "--tmlim",
				strconv.FormatFloat(math.Min(2e6, math.Max(1, math.Ceil(s.TimeLimit.Seconds()))), 'f', 0, 64))
		}
		if integer {
			// Its default methods leave out what makes integer programs quick.
			args = append(args, "--cuts")
			if s.Gap > 0 {
				args = append(args, "--mipgap", gap)
			}
		}
		return args, nil
	case CBC:
		args := []string{model, "-timeMode", "elapsed"}
		if s.TimeLimit > 0 {
			args = append(args, "-sec", seconds)
		}
		if s.Nodes > 0 {
			args = append(args, "-maxNodes", strconv.Itoa(s.Nodes))
		}
		if integer {
			args = append(args, "-ratioGap", gap)
			if start != nil {
				file, err := write("start", cbcStart(start))
				if err != nil {
					return nil, err
				}
				args = append(args, "-mipstart", file)
			}
		}
		return append(args, "-solve", "-printingOptions", "all", "-solution", out), nil
	case HiGHS:
		options := fmt.Sprintf("solution_file = %s\nwrite_solution_to_file = true\nmip_rel_gap = %s\n", out, gap)
		if s.TimeLimit > 0 {
			options += "time_limit = " + seconds + "\n"
		}
		if s.Nodes > 0 {
			options += fmt.Sprintf("mip_max_nodes = %d\n", s.Nodes)
		}
		file, err := write("options", options)
		args := []string{"--options_file", file}
		if err == nil && integer && start != nil {
			var from string
			from, err = write("start", highsStart(start))
			args = append(args, "--read_solution_file", from)
		}
		return append(args, model), err
	case SCIP:
		args := []string{}
		say := func(format string, a ...any) { args = append(args, "-c", fmt.Sprintf(format, a...)) }
		say("set limits gap %s", gap)
		if s.TimeLimit > 0 {
			say("set limits time %s", seconds)
		}
		if s.Nodes > 0 {
			say("set limits nodes %d", s.Nodes)
		}
		say("read %s", model)
		if start != nil {
			file, err := write("start.sol", scipStart(start))
			if err != nil {
				return nil, err
			}
			say("read %s", file)
		}
		say("optimize")
		say("write solution %s", out)
		say("quit")
		return args, nil
	}
	return nil, fault.New("lp", "", fmt.Sprintf("kind %q, want highs, cbc, glpsol or scip", e.Kind), ErrNoSolver)
}

// values writes a line for each made-up name.
func values(x []float64, format string) string {
	var b strings.Builder
	for j, v := range x {
		fmt.Fprintf(&b, format, j, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return b.String()
}

func cbcStart(x []float64) string {
	return "Stopped on iterations - objective value 0\n" + values(x, "%[1]d x%[1]d %[2]s 0\n")
}

func scipStart(x []float64) string { return "solution status: unknown\n" + values(x, "x%d %s\n") }

// highsStart has no values of rows, which HiGHS makes out itself.
func highsStart(x []float64) string {
	return fmt.Sprintf("Model status\nUnknown\n\n# Primal solution values\nFeasible\nObjective 0\n# Columns %d\n%s# Rows 0\n\n# Dual solution values\nNone\n\n# Basis\nHiGHS v1\nNone\n",
		len(x), values(x, "x%d %s\n"))
}
