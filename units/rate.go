package units

import "strings"

// Rate is a number of events per second, finite and ≥ 0.
//
// It is written as count per duration: 5.4/s, 120/min, 100/30min. The bar is
// never left out.
type Rate float64

var rateKind = kind{
	want:    "a rate such as 5.4/s, 120/min or 100/30min",
	example: "5..8/s or 5..6..8/s",
	pattern: decimal + `\s*/\s*(` + timePattern + `|` + decimal + `\s*` + timePattern + `)\s*(` + decimal + `\s*` +
		timePattern + `\s*)*`,
	parse:  parseRate,
	format: formatRate,
	check:  notFinite,
	inherit: func(last string) string {
		_, _, rest, _ := scan(last)
		return rest
	},
}

// parseRate reads count/duration.
func parseRate(s string) (float64, string) {
	count, below, ok := strings.Cut(s, "/")
	v, reason := plain(strings.TrimRight(count, blanks))
	if reason != "" {
		return 0, reason
	}
	if !ok {
		return 0, `it has no "/" and time`
	}
	below = strings.TrimLeft(below, blanks)
	if below == "" {
		return 0, `it has no time after the "/"`
	}
	if u, ok := timeScale.find(below); ok {
		return lost(v*u.den/u.num, v)
	}
	t, reason := parseTime(below, true)
	switch {
	case reason != "":
		return 0, reason
	case t == 0:
		return 0, "the time is 0"
	}
	return lost(v/t, v)
}

// formatRate returns the shortest of v per s, min, h and d that parses back to
// exactly v; per second always does.
func formatRate(v float64) string {
	best := short(v) + "/s"
	if v == 0 || notFinite(v) != "" {
		return best
	}
	for _, name := range []string{"min", "h", "d"} {
		u, _ := timeScale.find(name)
		if x := v * u.num; x/u.num == v {
			if s := short(x) + "/" + name; len(s) < len(best) {
				best = s
			}
		}
	}
	return best
}

func (r Rate) kind() *kind { return &rateKind }

// String returns the shortest text that parses back to r, such as 5.4/s.
func (r Rate) String() string { return rateKind.format(float64(r)) }

// Set parses s into r; r is unchanged on error.
func (r *Rate) Set(s string) error { return set(r, s) }

// MarshalText returns String, or an error for a value outside the domain.
func (r Rate) MarshalText() ([]byte, error) { return marshalText(r) }

// UnmarshalText is Set.
func (r *Rate) UnmarshalText(b []byte) error { return r.Set(string(b)) }

// UnmarshalJSON reads a JSON string; a number is an error that shows the form.
func (r *Rate) UnmarshalJSON(b []byte) error { return unmarshalJSON(b, r.Want(), r.Set) }

// Want describes the form with examples.
func (Rate) Want() string { return rateKind.want }

// Pattern returns a regular expression that every accepted text matches.
func (Rate) Pattern() string { return rateKind.anchored() }

// Plain reports whether a number without a unit is accepted.
func (Rate) Plain() bool { return rateKind.plain }
