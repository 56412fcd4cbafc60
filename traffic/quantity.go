package traffic

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/source"
)

// A pendingCell holds a number such as 1.234 that was read before a row told
// which mark is the decimal one.
type pendingCell struct {
	index int32
	mark  byte
	line  int
}

// blankCells are the texts of a cell without a value.
var blankCells = []string{"", "-", "nan", "null", "none", "n/a", "na", "nil"}

func isBlank(cell []byte) bool {
	return len(cell) < 5 && slices.Contains(blankCells, strings.ToLower(string(cell)))
}

// multiples are what may stand behind a number.
var multiples = map[string]float64{"": 1, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "Mio": 1e6}

// count reads arrivals in an interval.
func (r *reader) count(cell []byte) (v float64, problem, want string) {
	const form = "a count such as 1200, 1,200 or 1.2k"
	n, problem := r.numbers.read(cell, r.Line)
	if problem != "" {
		return 0, problem, form
	}
	factor, ok := multiples[n.suffix]
	if !ok {
		return 0, "is not a count", form
	}
	return r.checked(n, factor, form)
}

// rate reads arrivals a second. The unit stands behind the number, or in the name
// of the column.
func (r *reader) rate(cell []byte) (v float64, problem, want string) {
	form := "a rate such as 5/s, 120/min or 1.2k rps, or a column whose name tells the unit, such as rate_per_s"
	if r.native {
		form = "a finite rate >= 0 per second, such as 0.25"
	}
	n, problem := r.numbers.read(cell, r.Line)
	if problem != "" {
		return 0, problem, form
	}
	per := r.columns[RateColumn].unit
	factor, ok := multiples[n.suffix]
	if !ok {
		if factor, per, ok = rateSuffix(n.suffix); !ok {
			return 0, "is not a rate", form
		}
	}
	if per == 0 {
		return 0, "has no unit of time", form
	}
	return r.checked(n, factor/per, form)
}

// checked bounds a number of requests and remembers one whose mark is not told.
func (r *reader) checked(n reading, factor float64, form string) (v float64, problem, want string) {
	v = n.value * factor
	if !(v >= 0 && v <= source.MaxField) {
		return 0, "is out of bounds", form + " from 0 to 1e15"
	}
	if n.pending {
		r.pending = append(r.pending, pendingCell{index: r.at, mark: n.mark, line: r.Line})
	}
	return v, "", ""
}

// rateSuffix reads what follows the number of a rate: rps, k rps, req/s, /min.
func rateSuffix(s string) (factor, per float64, ok bool) {
	factor = 1
	for _, k := range []string{"k", "K", "M", "G"} {
		if rest, found := strings.CutPrefix(s, k); found {
			s, factor = strings.TrimSpace(rest), multiples[k]
			break
		}
	}
	switch strings.ToLower(s) {
	case "rps", "qps", "tps", "ops", "hz":
		return factor, 1, true
	case "rpm", "cpm":
		return factor, 60, true
	}
	before, after, found := strings.Cut(s, "/")
	unit, known := perSecond[strings.TrimSpace(after)]
	switch strings.ToLower(strings.TrimSpace(before)) {
	case "", "req", "requests", "r", "calls", "jobs", "queries", "ops":
		return factor, unit, found && known
	}
	return 0, 0, false
}

// settle multiplies the numbers that were read before the file told its mark.
func (r *reader) settle() error {
	for _, cells := range []struct {
		pending []pendingCell
		of      func(*row) *float64
	}{
		{r.pending, func(v *row) *float64 { return &v.value }},
		{r.pendingTook, func(v *row) *float64 { return &v.took }},
	} {
		for _, p := range cells.pending {
			if r.numbers.decimal == 0 {
				return r.ambiguous(p)
			}
			*cells.of(&r.rows[p.index]) *= r.numbers.settle(p.mark)
		}
	}
	return nil
}

// ambiguous is the error of a mark that may part thousands or decimals, where no
// other number of the file says which.
func (r *reader) ambiguous(p pendingCell) error {
	return &source.FileError{
		File: r.Name,
		Line: p.line,
		Problem: fmt.Sprintf("a number with one %q before three digits, here and wherever it has one: "+
			"a thousand times more, or not?", string(p.mark)),
		Want: "one number in the file that can be read in one way, such as 1234.5 or 1234,5",
		Err:  source.ErrMalformed,
	}
}
