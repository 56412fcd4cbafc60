package lp

import (
	"math"
	"strings"
)

// bound reads a line of BOUNDS.
func (p *mpsReader) bound(f []string) error {
	kind := strings.ToUpper(f[0])
	valued := kind == "LO" || kind == "UP" || kind == "FX" || kind == "LI" || kind == "UI"
	rest := f[1:]
	// [set] column [number]: without a set the column comes first.
	want := 1
	if valued {
		want = 2
	}
	if !valued && len(rest) == 3 {
		rest = rest[:2] // a number that means nothing here
	}
	if len(rest) == want+1 {
		rest = rest[1:]
	}
	if len(rest) != want {
		return p.bad("bound %s: want a set, a column and, but for FR, MI, PL and BV, a number", f[0])
	}
	j, ok := p.colAt[rest[0]]
	if !ok {
		return p.badWord(rest[0], "unknown column %q, want one of the section COLUMNS", rest[0])
	}
	v := &p.m.Variables[j]
	var value float64
	if valued {
		var err error
		if value, err = p.number(rest[1]); err != nil {
			return err
		}
	}
	if (math.IsInf(value, 1) && kind != "UP" && kind != "UI") ||
		(math.IsInf(value, -1) && kind != "LO" && kind != "LI") {
		return p.badWord(rest[1], "bound %s of %v, want a number, or inf for none on its side", kind, value)
	}
	switch kind {
	case "LO", "LI":
		v.Lower, p.hasLower[j] = value, true
	case "UP", "UI":
		v.Upper = value
		if value < 0 && !p.hasLower[j] {
			v.Lower = math.Inf(-1)
		}
	case "FX":
		v.Lower, v.Upper, p.hasLower[j] = value, value, true
	case "FR":
		v.Lower, v.Upper, p.hasLower[j] = math.Inf(-1), math.Inf(1), true
	case "MI":
		v.Lower, p.hasLower[j] = math.Inf(-1), true
	case "PL":
		v.Upper = math.Inf(1)
	case "BV":
		v.Lower, v.Upper, p.hasLower[j] = 0, 1, true
	default:
		return p.badWord(f[0], "kind of bound %q, want LO, UP, FX, FR, MI, PL, BV, LI or UI", f[0])
	}
	if kind == "BV" || kind == "LI" || kind == "UI" {
		v.Integer = true
	}
	return nil
}
