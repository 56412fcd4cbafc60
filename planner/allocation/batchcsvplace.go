package allocation

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

// ErrorAt finds a place in the tables by reading its rows again. A dependency has
// no row of its own and is found at the first resource that has it.
func (p *batchTables) ErrorAt(place, problem, want string) *source.FileError {
	list, rest, _ := strings.Cut(place, "[")
	number, field, _ := strings.Cut(rest, "]")
	field = strings.TrimPrefix(field, ".")
	i, err := strconv.Atoi(number)
	t, lines := p.resources, p.resourceAt
	switch {
	case list == "jobs" && p.jobs != nil:
		t, lines = p.jobs, p.jobAt
	case list == "dependencies" && err == nil && i < len(p.f.Dependencies):
		for k := range p.f.Resources {
			if p.f.Resources[k].Dependency == p.f.Dependencies[i] {
				i, field = k, "dependency"
				break
			}
		}
	}
	if err != nil || i < 0 || i >= len(lines) {
		return &source.FileError{File: t.Name, Problem: problem, Want: want, Err: source.ErrMalformed}
	}
	column := field
	// A resource is one row; the row of a job depends on the field.
	if t == p.jobs {
		column = p.findRow(int(lines[i]), i, field)
	} else {
		t.Again(int(lines[i]))
	}
	at := 0
	if c := t.Column(column); c >= 0 && c < len(t.At) {
		at = t.At[c]
	}
	return t.Wrong(at, problem, want)
}

// findRow goes to the row of job i, whose first one is on a line, that a field
// such as levels.compute[1].demand is on, and returns its column. The row of a
// level is that many rows of its dependency below the first of the job. Names of
// dependencies may begin with one another: the longest that fits is meant.
func (p *batchTables) findRow(line, i int, field string) (column string) {
	t := p.jobs
	t.Again(line)
	kind, rest, _ := strings.Cut(field, ".")
	wanted, level := "", 0
	column = cmp.Or(map[string]string{"id": "job", "levels": "dependency"}[kind], kind)
	for _, need := range p.f.Jobs[i].Levels {
		after, ok := strings.CutPrefix(rest, need.Dependency)
		if !ok || after != "" && after[0] != '[' || len(need.Dependency) < len(wanted) {
			continue
		}
		wanted = need.Dependency
		if number, value, ok := strings.Cut(strings.TrimPrefix(after, "["), "]"); ok && kind == "levels" {
			level, _ = strconv.Atoi(number)
			column = strings.TrimPrefix(value, ".")
		}
	}
	for c := t.Column("dependency"); wanted != "" && line <= p.end; line++ {
		if t.Again(line) && len(t.Cells) == len(t.Names) && !bytes.HasPrefix(t.Cells[0], []byte("#")) &&
			string(t.Cells[c]) == wanted {
			if level--; level < 0 {
				break
			}
		}
	}
	return column
}
