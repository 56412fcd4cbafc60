package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/source"
)

// What a column of a host trace holds, by its place in HostColumns.
const (
	timeColumn = iota
	cpuColumn
	freeColumn
	freePercentColumn // of the memory of the machine
	usedPercentColumn
	hostColumn
	aliveColumn   // 0: the machine was down
	watchedColumn // 0: nothing is known, since the monitor was down
	columnKinds
)

// HostColumns are what the columns of a host trace may hold; time, and cpu or
// alive, have to be there.
var HostColumns = []string{"time", "cpu", "free_mb", "free_percent", "used_percent", "host", "alive", "watched"}

// ParseHostColumns reads how a file calls its columns, such as
// "time=ts,cpu=load,alive=up". What is not named goes by its own name.
func ParseHostColumns(text string) (map[string]string, error) {
	out := map[string]string{}
	for _, part := range strings.Split(text, ",") {
		what, name, ok := strings.Cut(part, "=")
		what, name = strings.TrimSpace(what), strings.TrimSpace(name)
		switch {
		case !ok || name == "" || !slices.Contains(HostColumns, what):
			return nil, fmt.Errorf("%q, want names such as time=ts,cpu=load out of %s", source.Shown([]byte(part)),
				strings.Join(HostColumns, ", "))
		case out[what] != "":
			return nil, fmt.Errorf("%s is named twice", what)
		}
		for other, taken := range out {
			if taken == name {
				return nil, fmt.Errorf("%q is both %s and %s", name, min(other, what), max(other, what))
			}
		}
		out[what] = name
	}
	return out, nil
}

// A TimeFormat says how times are written; the zero value: unix seconds or RFC 3339.
type TimeFormat struct {
	perSecond float64
	layout    string
}

// unixScales are the units of whole numbers since 1970.
var unixScales = map[string]float64{"unix": 1, "s": 1, "ms": 1e3, "us": 1e6, "ns": 1e9}

// timeVerbs are those of strftime, in the words of package time.
var timeVerbs = map[byte]string{'Y': "2006", 'y': "06", 'm': "01", 'd': "02", 'e': "_2", 'H': "15", 'I': "03",
	'p': "PM", 'M': "04", 'S': "05", 'b': "Jan", 'B': "January", 'a': "Mon", 'A': "Monday", 'z': "-0700", 'Z': "MST",
	'F': "2006-01-02", 'T': "15:04:05", '%': "%"}

// ParseTimeFormat reads unix, ms, us, ns or the verbs of strftime, such as
// "%d.%m.%Y %H:%M".
func ParseTimeFormat(text string) (TimeFormat, error) {
	if scale, ok := unixScales[text]; ok {
		return TimeFormat{perSecond: scale}, nil
	}
	bad := func(what string) (TimeFormat, error) {
		return TimeFormat{}, fmt.Errorf("%q%s, want unix, ms, us, ns or a form such as %q", source.Shown([]byte(text)),
			what, "%d.%m.%Y %H:%M:%S")
	}
	var layout strings.Builder
	verbs := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c != '%' && '0' <= c && c <= '9':
			return bad(" has a digit, which package time would take for a part of a date")
		case c != '%':
			layout.WriteByte(c)
		case i+1 == len(text) || timeVerbs[text[i+1]] == "":
			return bad(fmt.Sprintf(" has an unknown verb %q", text[i:min(i+2, len(text))]))
		default:
			i++
			layout.WriteString(timeVerbs[text[i]])
			verbs++
		}
	}
	if verbs == 0 {
		return bad("")
	}
	return TimeFormat{layout: layout.String()}, nil
}

// read reads a time; without an offset it is that of zone, UTC where that is nil and
// there is a layout.
func (f TimeFormat) read(cell []byte, zone *time.Location) (float64, bool) {
	switch {
	case f.layout != "":
		zone = cmp.Or(zone, time.UTC)
		at, err := time.ParseInLocation(f.layout, string(cell), zone)
		if err != nil {
			return 0, false
		}
		return float64(at.Unix()) + float64(at.Nanosecond())/1e9, true
	case f.perSecond > 1:
		v, ok := source.ParseNumber(cell)
		return v / f.perSecond, ok
	}
	return source.ParseTime(cell, zone)
}

// truth reads a cell of an alive or watched column. Spellings are those that
// monitors and spreadsheets write.
func truth(cell []byte) (v, ok bool) {
	switch strings.ToLower(string(cell)) {
	case "1", "true", "yes", "up", "1.0", "t", "y":
		return true, true
	case "0", "false", "no", "down", "0.0", "f", "n":
		return false, true
	}
	return false, false
}
