package source

import "time"

// ParseTime reads unix seconds, or a date and time "2006-01-02T15:04:05" (a
// space may stand for the T) with optional decimals of the second and "Z" or an
// offset "+01:00"; without an offset it is that of zone, and where zone is nil
// no time. A leap second counts as the second after. It takes a fraction of the time of time.Parse,
// which matters to traces of millions of lines.
func ParseTime(b []byte, zone *time.Location) (unix float64, ok bool) {
	const form = "2006-01-02T15:04:05"
	// A date has a dash behind its year.
	if len(b) < len(form) || b[4] != '-' {
		return ParseNumber(b)
	}
	if b[7] != '-' || b[10] != 'T' && b[10] != 't' && b[10] != ' ' || b[13] != ':' || b[16] != ':' {
		return 0, false
	}
	year, ok0 := Digits(b[:4])
	month, ok1 := Digits(b[5:7])
	day, ok2 := Digits(b[8:10])
	hour, ok3 := Digits(b[11:13])
	minute, ok4 := Digits(b[14:16])
	second, ok5 := Digits(b[17:19])
	if !(ok0 && ok1 && ok2 && ok3 && ok4 && ok5) || !ValidDate(year, month, day) || hour > 23 || minute > 59 ||
		second > 60 {
		return 0, false
	}
	b = b[len(form):]
	fraction := 0.0
	if len(b) > 0 && b[0] == '.' {
		n := 1
		for n < len(b) && '0' <= b[n] && b[n] <= '9' {
			n++
		}
		if fraction, ok = ParseNumber(b[:n]); !ok {
			return 0, false
		}
		b = b[n:]
	}
	offset := 0
	switch {
	case len(b) == 0 && zone == nil:
		return 0, false
	// The offset of a zone depends on the date, and is looked up.
	case len(b) == 0:
		return float64(time.Date(year, time.Month(month), day, hour, minute, second, 0, zone).Unix()) + fraction, true
	case len(b) == 1 && (b[0] == 'Z' || b[0] == 'z'):
	case len(b) == 6 && (b[0] == '+' || b[0] == '-') && b[3] == ':':
		h, okH := Digits(b[1:3])
		m, okM := Digits(b[4:6])
		if !okH || !okM || h > 23 || m > 59 {
			return 0, false
		}
		offset = 3600*h + 60*m
		if b[0] == '-' {
			offset = -offset
		}
	default:
		return 0, false
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC).Unix()
	return float64(t-int64(offset)) + fraction, true
}

// Digits reads decimal digits only. ok is false for anything else and for none.
func Digits(b []byte) (n int, ok bool) {
	for _, c := range b {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int(c-'0')
	}
	return n, len(b) > 0
}

// ValidDate reports whether a day is in the calendar, which is Gregorian throughout.
func ValidDate(year, month, day int) bool {
	if year < 1 || month < 1 || month > 12 || day < 1 {
		return false
	}
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return day <= 29
	}
	return day <= [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
}
