package traffic

import (
	"fmt"
	"io"
	"slices"

	"github.com/capplan/capplan/internal/source"
)

// durations reads CSV with a header and a column of durations.
func (r *serviceReader) durations(header []byte) (*Service, error) {
	header = slices.Clone(header)
	r.mark(header)
	cells, at, err := r.split(header)
	if err != nil {
		return nil, err
	}
	found := column{index: -1}
	rank := 0
	for i, c := range cells {
		role, of, unit, ok := understand(string(c))
		if ok && role == DurationColumn && (!found.found || of < rank) {
			found, rank = column{index: i, name: string(c), unit: unit, found: true}, of
		}
	}
	if !found.found {
		return nil, r.bad(header, 0, "no column of durations", serviceForm)
	}
	width := len(at)
	r.columns = map[Role]column{DurationColumn: found}
	line, err := r.next()
	for ; err == nil; line, err = r.next() {
		if line[0] == '#' {
			continue
		}
		cells, at, err := r.split(line)
		if err != nil {
			return nil, err
		}
		if len(cells) != width {
			return nil, r.bad(line, 0, fmt.Sprintf("%d cells", len(cells)), fmt.Sprintf("%d, as the header has", width))
		}
		if isBlank(cells[found.index]) {
			continue
		}
		r.at = int32(len(r.took))
		seconds, problem, want := r.duration(cells[found.index])
		if problem != "" {
			return nil, r.bad(line, at[found.index],
				fmt.Sprintf("%s = %q %s", found.name, source.Shown(cells[found.index]), problem), want)
		}
		if err := r.keep(line, seconds); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	// Marks such as 1,234 were kept until a later row shows which mark is the decimal one.
	for _, p := range r.pendingTook {
		if r.numbers.decimal == 0 {
			return nil, r.ambiguous(p)
		}
		r.took[p.index] *= r.numbers.settle(p.mark)
	}
	s, err := r.sample(fmt.Sprintf("the column %q", found.name))
	if err == nil {
		s.Notes = nil // a log of what was served, as far as we know
	}
	return s, err
}
