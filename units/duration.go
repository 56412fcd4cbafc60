package units

import "strings"

// Duration is a length of time in seconds, a finite number ≥ 0.
//
// It is written as number and unit, 90s or 1.5h, or as several of them from
// large to small, 1h30m. The units are ns, us, µs, ms, s, sec, m, min, h, hr,
// d (24 h) and w (7 d). 0 needs no unit. It is not a time.Duration: it is real
// and reaches beyond 292 years.
type Duration float64

var timeScale = scale{
	units: []unit{
		{"ns", 1, 1e9}, {"us", 1, 1e6}, {"µs", 1, 1e6}, {"μs", 1, 1e6}, {"ms", 1, 1e3},
		{"s", 1, 1}, {"sec", 1, 1}, {"min", 60, 1}, {"m", 60, 1},
		{"h", 3600, 1}, {"hr", 3600, 1}, {"d", 86400, 1}, {"w", 604800, 1},
	},
	hints: map[string]string{
		"secs": "s", "second": "s", "seconds": "s", "msec": "ms", "usec": "us",
		"mins": "min", "minute": "min", "minutes": "min",
		"hrs": "h", "hour": "h", "hours": "h",
		"day": "d", "days": "d", "wk": "w", "week": "w", "weeks": "w",
	},
	print: []string{"ns", "us", "ms", "s", "min", "h", "d"},
	base:  "s",
}

const timePattern = `(ns|us|µs|μs|ms|s|sec|m|min|h|hr|d|w)`

var durationKind = kind{
	want:    "a duration such as 90s, 1.5h or 250ms",
	example: "2..4min or 2..3..4min",
	pattern: zeroPattern + `(` + decimal + `\s*` + timePattern + `\s*)+`,
	parse:   func(s string) (float64, string) { return parseTime(s, false) },
	format:  timeScale.format,
	check:   notFinite,
	inherit: func(last string) string {
		_, _, rest, _ := scan(last)
		if strings.ContainsAny(rest, "0123456789") {
			return ""
		}
		return rest
	},
}

// parseTime reads a sum of numbers with units from large to small. Below the
// bar of a rate the first number may be left out: the s of 5/s.
func parseTime(s string, below bool) (float64, string) {
	total, last := 0.0, unit{num: 1}
	for first := true; first || s != ""; first = false {
		v, _, rest, reason := scan(s)
		if first && below && reason != "" && s != "" && !strings.ContainsAny(s[:1], "+-") {
			v, rest, reason = 1, s, ""
		}
		if reason != "" {
			return 0, reason
		}
		name := rest
		if i := strings.IndexAny(rest, ".0123456789"+blanks); i >= 0 {
			name = rest[:i]
		}
		s = strings.TrimLeft(rest[len(name):], blanks)
		if name == "" {
			if first && !below && v == 0 && s == "" {
				return 0, ""
			}
			return 0, "it has no unit"
		}
		u, ok := timeScale.find(name)
		if !ok {
			return 0, timeScale.unknown(name)
		}
		if !first && u.num*last.den >= last.num*u.den {
			return 0, "unit " + quote(name) + " comes after " + quote(last.name)
		}
		part, reason := lost(v*u.num/u.den, v)
		if reason != "" {
			return 0, reason
		}
		total += part
		last = u
	}
	return total, ""
}

func (d Duration) kind() *kind { return &durationKind }

// String returns the shortest text that parses back to d, such as 90s.
func (d Duration) String() string { return durationKind.format(float64(d)) }

// Set parses s into d; d is unchanged on error.
func (d *Duration) Set(s string) error { return set(d, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (d Duration) MarshalText() ([]byte, error) { return marshalText(d) }

// UnmarshalText is Set.
func (d *Duration) UnmarshalText(b []byte) error { return d.Set(string(b)) }

// UnmarshalJSON reads a JSON string, or the number 0.
func (d *Duration) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, d.Want(), d.Set) }

// Want describes the form with examples.
func (Duration) Want() string { return durationKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Duration) Pattern() string { return durationKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Duration) Plain() bool { return durationKind.plain }
