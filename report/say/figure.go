package say

import (
	"strings"

	"github.com/capplan/capplan/units"
)

// A figureUnit is how figures are written whose JSON name has an ending. The order in the list
// matters: _per_s ends in _s.
type figureUnit struct {
	suffix, unit string
	text         func(float64) string
}

var figureUnits = []figureUnit{
	{"_per_s", "/s", func(v float64) string { return Rate(v, 4) }},
	{"_s", "s", func(v float64) string { return Duration(v, 4) }},
	{"_erl", "erl", Erlangs},
	{"_bps", "bit/s", func(v float64) string { return units.FormatBandwidth(v, 4) }},
	{"_bytes", "bytes", func(v float64) string { return units.FormatSize(v, 4) }},
	{"_mb", "MB", func(v float64) string { return Number(v, 5) + " MB" }},
}

// ends are those of the names of the ends of an interval, which stand behind the unit.
var ends = []string{"_low", "_high"}

// parted parts the name of the end of an interval from that of the figure; end is empty for others.
func parted(name string) (figure, end string) {
	for _, end := range ends {
		if figure, ok := strings.CutSuffix(name, end); ok {
			return figure, end
		}
	}
	return name, ""
}

// unitOf is the unit that the name of a figure ends in, nil for none.
func unitOf(name string) *figureUnit {
	name, _ = parted(name)
	for i := range figureUnits {
		if strings.HasSuffix(name, figureUnits[i].suffix) {
			return &figureUnits[i]
		}
	}
	return nil
}

// shareWords are in the names of figures in 0..1.
var shareWords = []string{"probability", "utilization", "availability", "reliability", "congestion", "service_level",
	"percentile", "gap", "share"}

// IsShare reports whether a figure is a share by its name.
func IsShare(name string) bool {
	// A logarithm of a probability is no share, and neither is what has a unit.
	if unitOf(name) != nil || strings.HasPrefix(name, "log10_") {
		return false
	}
	for _, w := range shareWords {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// Figure writes a figure by its JSON name, which ends in its unit or says that it is a share, with
// ofShare digits; ok is false for a name that does neither.
func Figure(name string, v float64, ofShare int) (text string, ok bool) {
	if u := unitOf(name); u != nil {
		return u.text(v), true
	}
	return Fraction(v, ofShare), IsShare(name)
}

// FigureName is the name of a figure in words, without its unit, and the unit, empty without one.
func FigureName(name string) (words, unit string) {
	name, end := parted(name)
	if u := unitOf(name); u != nil {
		name, unit = strings.TrimSuffix(name, u.suffix), u.unit
	}
	return strings.ReplaceAll(name+end, "_", " "), unit
}
