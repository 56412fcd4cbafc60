package traffic

import (
	"math"
	"time"
)

// clockBack tells the two passes of an hour apart that a zone lives twice, when its
// clocks are put back: 02:45 is followed by 02:00 again. Times without an offset name
// both, and the order of the rows says which is meant: the first pass comes first, and
// a row whose time would lie before that of the row above belongs to the second, as
// does one beyond those that every other time of the file has, such as one row, or one
// for each of ten machines. Rows that are in no order, and times that were written with
// an offset, stay as they were read.
func (r *reader) clockBack() {
	c := &r.clock
	if c.kind != clockDated || c.asRead || c.zone == time.UTC || c.offsets {
		return
	}
	back := backHours{zone: c.zone}
	usual, ordered := rowsPerTime(r.rows, &back)
	if !ordered {
		return
	}
	above, same := moment{unix: math.Inf(-1)}, 0
	for i := range r.rows {
		v := &r.rows[i]
		if v.wall != above.wall {
			same = 0
		}
		if first, second, twice := back.times(v.moment); twice {
			v.unix = first
			if first < above.unix || same > 0 && same == usual {
				v.unix = second
			}
		}
		above = v.moment
		same++
	}
}

// rowsPerTime returns how many rows each time has that a zone lives once, 0 where their
// numbers differ, and whether those times are in order.
func rowsPerTime(rows []row, back *backHours) (usual int, ordered bool) {
	usual = -1
	for i := 0; i < len(rows); {
		wall, next := rows[i].wall, i+1
		for next < len(rows) && rows[next].wall == wall {
			next++
		}
		if _, _, twice := back.times(rows[i].moment); !twice {
			if i > 0 && wall < rows[i-1].wall {
				return 0, false
			}
			switch usual {
			case -1:
				usual = next - i
			case next - i:
			default:
				usual = 0
			}
		}
		i = next
	}
	return usual, true
}

// backHours finds the hours that a zone lives twice. It keeps the time between two
// changes of the zone's clocks, within which most rows follow one another.
type backHours struct {
	zone               *time.Location
	start, end         float64 // Unix s between which the offset is one; none: ±Inf
	startBack, endBack float64 // s by which the clocks are put back at start and end, or 0
	known              bool
}

// times returns the two moments that the wall clock of m names, if it names two.
func (b *backHours) times(m moment) (first, second float64, twice bool) {
	if !b.known || m.unix < b.start || m.unix >= b.end {
		b.find(m.unix)
	}
	switch {
	case m.unix-b.start < b.startBack:
		return m.unix - b.startBack, m.unix, true
	case b.end-m.unix <= b.endBack:
		return m.unix, m.unix + b.endBack, true
	}
	return m.unix, m.unix, false
}

// find looks up the offset at a moment and those before and after it.
func (b *backHours) find(unix float64) {
	offset := func(t time.Time) float64 {
		_, s := t.Zone()
		return float64(s)
	}
	at := time.Unix(int64(math.Floor(unix)), 0).In(b.zone)
	start, end := at.ZoneBounds()
	b.start, b.end, b.startBack, b.endBack, b.known = math.Inf(-1), math.Inf(1), 0, 0, true
	if !start.IsZero() {
		b.start = float64(start.Unix())
		b.startBack = max(0, offset(start.Add(-time.Second))-offset(at))
	}
	if !end.IsZero() {
		b.end = float64(end.Unix())
		b.endBack = max(0, offset(at)-offset(end))
	}
}
