package traffic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// A Series is a rate as a monitor measures it: a number at the end of each
// interval of a fixed width.
type Series struct {
	End   []float64      // s, Unix time, strictly increasing: value i is of (End[i] − Width, End[i]]
	Rate  []float64      // arrivals per s, >= 0, as many
	Width float64        // s, > 0
	Zone  *time.Location // in which days begin; nil: UTC
}

// Record lays the series out in time, as [Read] does with a file: where values
// are further apart than one and a half widths there is a gap, which is named in
// the Notes. Values that lie closer than half a width, or fields outside their
// domain, give a *DomainError, and so do fewer than two values.
func (s *Series) Record() (*Record, error) {
	s = cmp.Or(s, &Series{})
	fail := func(arg string, value any, want string) error {
		return source.Outside("Series.Record", arg, value, want)
	}
	switch {
	case len(s.End) != len(s.Rate) || len(s.End) < 2 || len(s.End) > maxRows:
		return nil, fail("len(End), len(Rate)", fmt.Sprint(len(s.End), ", ", len(s.Rate)),
			fmt.Sprint("equal numbers from 2 to ", maxRows))
	case !(s.Width > 0 && s.Width <= source.MaxSeconds):
		return nil, fail("Width", s.Width, "a number of seconds above 0")
	}
	c := clock{zone: s.Zone}
	c.zone = cmp.Or(c.zone, time.UTC)
	rows := make([]row, len(s.End))
	for i, end := range s.End {
		start := end - s.Width
		switch {
		case !(math.Abs(end) <= source.MaxSeconds):
			return nil, fail(fmt.Sprintf("End[%d]", i), end, "a Unix time in seconds")
		case i > 0 && !(end-s.End[i-1] >= s.Width/2):
			return nil, fail(fmt.Sprintf("End[%d]", i), end, "a time half a width or more after the one before")
		case !(s.Rate[i] >= 0 && s.Rate[i] <= source.MaxField):
			return nil, fail(fmt.Sprintf("Rate[%d]", i), s.Rate[i], "a finite rate >= 0")
		}
		rows[i] = row{moment: moment{unix: start, wall: c.wallOf(start)}, value: s.Rate[i]}
	}
	out := &Record{Rows: len(rows), Dated: true}
	out.lay(rows, s.Width, false, false)
	out.Notes = slices.Concat(out.Notes, out.gapNotes())
	return out, nil
}
