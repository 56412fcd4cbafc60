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
	case list == "dependencies" && err == nil && i < len(p.dependencies):
		at := t.Column("dependency")
		for k, line := range lines {
			if t.Again(int(line)) && at < len(t.Cells) && string(t.Cells[at]) == p.dependencies[i] {
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
		column = p.findRow(int(lines[i]), field)
	} else {
		t.Again(int(lines[i]))
	}
	at := 0
	if c := t.Column(column); c >= 0 && c < len(t.At) {
		at = t.At[c]
	}
	return t.Wrong(at, problem, want)
}

// findRow goes to the row of a job, whose first one is on a line, that a field
// such as levels.compute[1].demand is on, and returns its column. The row of a
// level is that many rows of its dependency below the first of the job. Names of
// dependencies may begin with one another: the longest that fits is meant.
func (p *batchTables) findRow(line int, field string) (column string) {
	t := p.jobs
	kind, rest, _ := strings.Cut(field, ".")
	wanted, level := "", 0
	column = cmp.Or(map[string]string{"id": "job", "levels": "dependency"}[kind], kind)
	job, c := "", t.Column("dependency")
	for at := line; at <= p.end; at++ {
		if !p.jobRow(at) {
			continue
		}
		if id := string(t.Cells[t.Column("job")]); at == line {
			job = id
		} else if id != job {
			break
		}
		name := string(t.Cells[c])
		after, ok := strings.CutPrefix(rest, name)
		if !ok || after != "" && after[0] != '[' || len(name) <= len(wanted) {
			continue
		}
		wanted = name
		if number, value, ok := strings.Cut(strings.TrimPrefix(after, "["), "]"); ok && kind == "levels" {
			level, _ = strconv.Atoi(number)
			column = strings.TrimPrefix(value, ".")
		}
	}
	t.Again(line)
	for ; wanted != "" && line <= p.end; line++ {
		if p.jobRow(line) && string(t.Cells[c]) == wanted {
			if level--; level < 0 {
				break
			}
		}
	}
	return column
}

// jobRow goes to a line of the table of jobs and reports whether that is a row.
func (p *batchTables) jobRow(line int) bool {
	t := p.jobs
	return t.Again(line) && len(t.Cells) == len(t.Names) && !bytes.HasPrefix(t.Cells[0], []byte("#"))
}
