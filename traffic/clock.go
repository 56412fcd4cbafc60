package traffic

import (
	"bytes"
	"math"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// A clockKind says what the times of a file are counted from. All times of one
// file are of one kind.
type clockKind int

const (
	clockUnknown clockKind = iota
	clockSeconds           // seconds from a start that is not told
	clockUnix              // a number of seconds, ms, us or ns since 1970
	clockDated             // a date, or a date and a time
	clockOfDay             // a time of day without a date
)

func (k clockKind) String() string {
	return [...]string{"no time", "seconds", "Unix time", "a date with a time", "a time of day"}[k]
}

const clockForm = "a time such as 2026-11-22T15:04:05Z, 2026-11-22 15:04, 15:04, or Unix seconds"

// firstUnix is the least number that is taken for Unix seconds: 1973. Below it
// a number is of seconds since whatever the file began with.
const firstUnix = 1e8

// A moment is a time read from a file.
type moment struct {
	unix float64 // s; for clockSeconds since the start, for clockOfDay since midnight
	wall float64 // s on the clock of the place: unix and the offset from UTC
}

// A clock reads the times of one column.
type clock struct {
	zone   *time.Location // of times without an offset, and that in which days begin
	asRead bool           // no zone was given: each time keeps the offset it is written with
	unit   float64        // s per unit of a number; 0: by the size of the first one
	kind   clockKind

	offsets bool // a time was written with its offset from UTC
}

// read returns the time in a cell, or what is wrong with it.
func (c *clock) read(cell []byte) (moment, string) {
	kind, m, ok := c.parse(cell)
	switch {
	case !ok:
		return moment{}, "is not a time"
	case math.Abs(m.unix) > source.MaxField:
		return moment{}, "is beyond all calendars"
	case c.kind == clockUnknown:
		c.kind = kind
	case kind != c.kind && (kind == clockSeconds || kind == clockUnix) &&
		(c.kind == clockSeconds || c.kind == clockUnix):
		// The first number decided; 0 or a late one may lie beyond the border.
	case kind != c.kind:
		return moment{}, "is " + kind.String() + ", the rows before hold " + c.kind.String()
	}
	return m, ""
}

// parse tries a number, a time of day and a date, in this order: no cell is two
// of them. A wall clock is kept beside the moment, since days fold by it.
func (c *clock) parse(cell []byte) (clockKind, moment, bool) {
	if v, ok := source.ParseNumber(cell); ok {
		return c.number(v)
	}
	if day, ok := timeOfDay(cell); ok {
		return clockOfDay, moment{unix: day, wall: day}, true
	}
	date, rest, ok := cutDate(cell)
	if !ok {
		return clockUnknown, moment{}, false
	}
	rest, offset, fixed, ok := cutOffset(rest)
	if !ok {
		return clockUnknown, moment{}, false
	}
	seconds := 0.0
	if len(rest) > 0 {
		if seconds, ok = timeOfDay(rest); !ok {
			return clockUnknown, moment{}, false
		}
	}
	whole := math.Floor(seconds)
	if fixed {
		c.offsets = true
		unix := float64(date.Unix()-int64(offset)) + seconds
		if c.asRead {
			return clockDated, moment{unix: unix, wall: unix + float64(offset)}, true
		}
		return clockDated, moment{unix: unix, wall: c.wallOf(unix)}, true
	}
	local := date
	if c.zone != time.UTC {
		local = time.Date(date.Year(), date.Month(), date.Day(), 0, 0, int(whole), 0, c.zone)
		whole = 0
	}
	unix := float64(local.Unix()) + whole + (seconds - math.Floor(seconds))
	return clockDated, moment{unix: unix, wall: float64(date.Unix()) + seconds}, true
}

// number reads a plain number as seconds or as Unix time in the unit that its size implies: 1.7e9
// are seconds, 1.7e12 ms, 1.7e15 us, 1.7e18 ns.
func (c *clock) number(v float64) (clockKind, moment, bool) {
	if c.unit == 0 {
		c.unit = 1
		for _, border := range []float64{1e11, 1e14, 1e17} {
			if math.Abs(v) >= border {
				c.unit /= 1000
			}
		}
	}
	s := v * c.unit
	if s < firstUnix {
		return clockSeconds, moment{unix: s, wall: s}, true
	}
	return clockUnix, moment{unix: s, wall: c.wallOf(s)}, true
}

// placed reports whether a zone says what the clock of the place reads at any time, with a request or
// without one. Seconds from any start and times of day have no date that a zone could be asked for.
func (c *clock) placed() bool {
	return !c.asRead && (c.kind == clockUnix || c.kind == clockDated)
}

// wallOf is the reading of a clock in the zone.
func (c *clock) wallOf(unix float64) float64 {
	if c.zone == time.UTC {
		return unix
	}
	_, offset := time.Unix(int64(math.Floor(unix)), 0).In(c.zone).Zone()
	return unix + float64(offset)
}

// timeOfDay reads 15:04, 15:04:05, 15:04:05.250 and 3:04 PM, in seconds since
// midnight. 24:00 is the end of a day.
func timeOfDay(b []byte) (seconds float64, ok bool) {
	b = bytes.TrimSpace(b)
	half := -1 // of the day: 0 AM, 1 PM
	if n := len(b); n > 2 && (b[n-1]|0x20) == 'm' {
		switch b[n-2] | 0x20 {
		case 'a':
			half = 0
		case 'p':
			half = 1
		default:
			return 0, false
		}
		b = bytes.TrimSpace(b[:n-2])
	}
	parts := bytes.Split(b, []byte(":"))
	if len(parts) < 2 || len(parts) > 3 || len(parts[0]) > 2 || len(parts[1]) != 2 {
		return 0, false
	}
	hour, okH := source.Digits(parts[0])
	minute, okM := source.Digits(parts[1])
	if !okH || !okM || minute > 59 || hour > 24 || half >= 0 && (hour < 1 || hour > 12) {
		return 0, false
	}
	second := 0.0
	if len(parts) == 3 {
		text := bytes.Replace(parts[2], []byte(","), []byte("."), 1)
		if len(text) < 2 || text[0] < '0' || text[0] > '9' || len(text) > 2 && text[2] != '.' {
			return 0, false
		}
		if second, ok = source.ParseNumber(text); !ok || second >= 61 {
			return 0, false
		}
	}
	if half >= 0 {
		hour = hour%12 + 12*half
	}
	seconds = float64(3600*hour+60*minute) + second
	return seconds, seconds <= 86400
}

// cutDate reads the date that a cell begins with: 2026-11-22, 2026/11/22 or
// 22.11.2026. 11/22/2026 and 22/11/2026 are told apart by no rule that holds
// for all days, and are refused.
func cutDate(b []byte) (date time.Time, rest []byte, ok bool) {
	if len(b) < 8 {
		return date, nil, false
	}
	end := 0
	for end < len(b) && (b[end] >= '0' && b[end] <= '9' || b[end] == '-' || b[end] == '/' || b[end] == '.') {
		end++
	}
	text := b[:end]
	// An offset may follow a date at once only after a time, so that the first
	// two marks are of the date.
	mark := byte(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			mark = c
			break
		}
	}
	parts := bytes.Split(text, []byte{mark})
	if mark == 0 || len(parts) != 3 {
		return date, nil, false
	}
	if mark == '.' {
		parts[0], parts[2] = parts[2], parts[0]
	}
	if len(parts[0]) != 4 || len(parts[1]) > 2 || len(parts[2]) > 2 {
		return date, nil, false
	}
	year, okY := source.Digits(parts[0])
	month, okM := source.Digits(parts[1])
	day, okD := source.Digits(parts[2])
	if !okY || !okM || !okD || !source.ValidDate(year, month, day) {
		return date, nil, false
	}
	rest = b[end:]
	if len(rest) > 0 {
		if rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
			return date, nil, false
		}
		rest = bytes.TrimSpace(rest[1:])
	}
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC), rest, true
}

// cutOffset takes the offset from UTC off the end of a time: Z, UTC, +01:00,
// +0100 or +01.
func cutOffset(b []byte) (rest []byte, offset int, fixed, ok bool) {
	for _, utc := range []string{"Z", "z", "UTC", "GMT"} {
		if cut, found := bytes.CutSuffix(b, []byte(utc)); found {
			return bytes.TrimSpace(cut), 0, true, true
		}
	}
	at := bytes.LastIndexAny(b, "+-")
	if at < 0 {
		return b, 0, false, true
	}
	digits := bytes.ReplaceAll(b[at+1:], []byte(":"), nil)
	n, ok := source.Digits(digits)
	switch {
	case !ok || len(digits) != 2 && len(digits) != 4:
		return nil, 0, false, false
	case len(digits) == 2:
		offset = 3600 * n
	default:
		offset = 3600*(n/100) + 60*(n%100)
	}
	if offset > 24*3600 || n%100 > 59 && len(digits) == 4 {
		return nil, 0, false, false
	}
	if b[at] == '-' {
		offset = -offset
	}
	return bytes.TrimSpace(b[:at]), offset, true, true
}
