package units

import "strings"

// A unit is a name and its size in the base unit as a quotient of two exact
// numbers, so that 10us is 10/1e6 = 1e-05 without the error of 10·1e-06.
type unit struct {
	name     string
	num, den float64
}

// A scale holds the units of one dimension.
type scale struct {
	units []unit
	hints map[string]string // lower-case spellings not accepted, and what is
	print []string          // units used by String, the base unit among them
	base  string
}

// find returns the unit of that name.
func (sc *scale) find(name string) (unit, bool) {
	for _, u := range sc.units {
		if u.name == name {
			return u, true
		}
	}
	return unit{}, false
}

// unknown returns the reason for a name that is not a unit of the scale, with
// the nearest name that is.
func (sc *scale) unknown(name string) string {
	reason := "unknown unit " + quote(name)
	if s := sc.nearest(name); s != "" {
		reason += " (did you mean " + s + "?)"
	}
	return reason
}

// nearest returns the unit that name is most likely meant to be, or "".
func (sc *scale) nearest(name string) string {
	if h, ok := sc.hints[strings.ToLower(name)]; ok {
		return h
	}
	for _, u := range sc.units {
		if strings.EqualFold(u.name, name) {
			return u.name
		}
	}
	if len(name) < 3 {
		return ""
	}
	for _, u := range sc.units {
		if len(u.name) >= 3 && oneEdit(u.name, name) {
			return u.name
		}
	}
	return ""
}

// oneEdit reports whether one letter added, dropped, changed or swapped with
// its neighbour makes a into b.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i == len(a) || a[i+1:] == b[i+1:] ||
			i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

// parse reads one number and one unit; 0 needs no unit.
func (sc *scale) parse(s string) (float64, string) {
	v, _, name, reason := scan(s)
	switch {
	case reason != "":
		return 0, reason
	case name == "" && v == 0:
		return 0, ""
	case name == "":
		return 0, "it has no unit"
	}
	u, ok := sc.find(name)
	if !ok {
		return 0, sc.unknown(name)
	}
	return lost(v*u.num/u.den, v)
}

// format returns the shortest text in one of the printed units that parses
// back to exactly v, with the larger unit where two are as short and no number
// below 1; where no unit parses back exactly, the base unit does.
func (sc *scale) format(v float64) string {
	best := short(v) + sc.base
	if v == 0 || notFinite(v) != "" {
		return best
	}
	found := v >= 1
	for _, name := range sc.print {
		u, _ := sc.find(name)
		x := v * u.den / u.num
		if x < 1 || x*u.num/u.den != v {
			continue
		}
		if s := short(x) + name; !found || len(s) <= len(best) {
			best, found = s, true
		}
	}
	return best
}
