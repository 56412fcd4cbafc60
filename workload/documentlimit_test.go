package workload

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// What the parser would take long for, or would not come back from, is refused
// with the line on which it becomes too much.
func TestYAMLLimits(t *testing.T) {
	keys := func(n int, indent string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%sk%d: 1\n", indent, i)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		text, problem string
		line          int
	}{
		"keys":                 {"# first\n\n" + keys(maxRun+1, ""), "keys in one mapping", maxRun + 3},
		"millions":             {keys(1_000_000, ""), "keys in one mapping", maxRun + 1},
		"keys of a key":        {"a:\n" + keys(maxRun+1, "  "), "keys in one mapping", maxRun + 2},
		"keys of an item":      {"- a: 1\n" + keys(maxRun, "  "), "keys in one mapping", maxRun + 1},
		"behind no text":       {"a: x |\n" + keys(maxRun+1, "  "), "keys in one mapping", maxRun + 2},
		"empty items":          {strings.Repeat("-\n", 1_000_000), "items without content", maxRun + 1},
		"just as many":         {keys(maxRun, ""), "", 0},
		"keys of several":      {strings.Repeat("- a:\n"+keys(maxRun-1, "  "), 3), "", 0},
		"keys of other keys":   {"a:\n" + keys(maxRun, "  ") + "b:\n" + keys(maxRun, "  "), "", 0},
		"text":                 {"a: |\n" + keys(2*maxRun, " ") + "b: >-\n" + keys(2*maxRun, " "), "", 0},
		"comments":             {strings.Repeat("# a: b\n", 3*maxRun), "", 0},
		"items between others": {strings.Repeat("-\n- 1\n", maxRun), "", 0},
	} {
		line, problem := longRun([]byte(c.text))
		if int(line) != c.line || !strings.Contains(problem, c.problem) || (problem == "") != (c.problem == "") {
			t.Errorf("%s: line %d %q, want line %d %q", name, line, problem, c.line, c.problem)
		}
		if c.problem == "" {
			continue
		}
		var e *FileError
		if _, err := ReadClusters(context.Background(), name, strings.NewReader(c.text)); !errors.As(err, &e) || e.Line != c.line {
			t.Errorf("%s: %v, want an error at line %d", name, err, c.line)
		}
	}
}
