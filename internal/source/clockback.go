package source

import (
	"math"
	"time"
)

// BackHours finds the hours that a zone lives twice, when its clocks are put back: 02:45
// is followed by 02:00 again, and a time without an offset names both. It keeps the time
// between two changes of the zone's clocks, within which most rows follow one another.
type BackHours struct {
	Zone               *time.Location
	start, end         float64 // Unix s between which the offset is one; none: ±Inf
	startBack, endBack float64 // s by which the clocks are put back at start and end, or 0
	known              bool
}

// Times returns the two moments that the wall clock shows at a moment, if it shows two.
func (b *BackHours) Times(unix float64) (first, second float64, twice bool) {
	if !b.known || unix < b.start || unix >= b.end {
		b.find(unix)
	}
	switch {
	case unix-b.start < b.startBack:
		return unix - b.startBack, unix, true
	case b.end-unix <= b.endBack:
		return unix, unix + b.endBack, true
	}
	return unix, unix, false
}

// find looks up the offset at a moment and those before and after it.
func (b *BackHours) find(unix float64) {
	offset := func(t time.Time) float64 {
		_, s := t.Zone()
		return float64(s)
	}
	at := time.Unix(int64(math.Floor(unix)), 0).In(b.Zone)
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
