package units_test

import (
	"errors"
	"testing"

	. "github.com/capplan/capplan/units"
)

// parsers reads a text as each kind and gives the value in its base unit.
var parsers = map[string]func(string) (float64, error){
	"duration":   parser[Duration],
	"rate":       parser[Rate],
	"price":      parser[Price],
	"fraction":   parser[Fraction],
	"excess":     parser[Excess],
	"percentile": parser[Percentile],
	"erlang":     parser[Erlang],
	"number":     parser[Number],
	"size":       parser[Size],
	"bandwidth":  parser[Bandwidth],
	"count": func(s string) (float64, error) {
		c, err := ParseCount(s)
		return float64(c), err
	},
}

func parser[T Quantity](s string) (float64, error) {
	v, err := Parse[T](s)
	return float64(v), err
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		kind, in string
		want     float64
	}{
		{"excess", "10%", 0.1},
		{"excess", "0.1", 0.1},
		{"excess", "150 %", 1.5},
		{"excess", "0", 0},
		{"duration", "90s", 90},
		{"duration", "1.5h", 5400},
		{"duration", "2d", 172800},
		{"duration", "250ms", 0.25},
		{"duration", "3m", 180},
		{"duration", "3min", 180},
		{"duration", "10us", 1e-5},
		{"duration", "10µs", 1e-5},
		{"duration", "10μs", 1e-5},
		{"duration", "7ns", 7e-9},
		{"duration", "1w", 604800},
		{"duration", "1h30m", 5400},
		{"duration", "1h 30 min", 5400},
		{"duration", "1d2h3m4s5ms", 93784.005},
		{"duration", "5sec", 5},
		{"duration", "2hr", 7200},
		{"duration", "1e3s", 1000},
		{"duration", "1E-3s", 0.001},
		{"duration", ".5s", 0.5},
		{"duration", "0", 0},
		{"duration", " 90 s\n", 90},
		{"rate", "5.4/s", 5.4},
		{"rate", "120/min", 2},
		{"rate", "100/30min", 100. / 1800},
		{"price", "0.42/h", 0.42 / 3600},
		{"price", "12 / d", 12. / 86400},
		{"rate", "2/h", 2. / 3600},
		{"rate", "1e3/d", 1000. / 86400},
		{"rate", "4/ms", 4000},
		{"rate", "9 / 1h30m", 9. / 5400},
		{"rate", "0/s", 0},
		{"fraction", "1%", 0.01},
		{"fraction", "0.01", 0.01},
		{"fraction", "100%", 1},
		{"fraction", "100%", 1},
		{"fraction", "0", 0},
		{"fraction", "0.5 %", 0.005},
		{"percentile", "95%", 0.95},
		{"percentile", "0.95", 0.95},
		{"percentile", "95", 0.95},
		{"percentile", "99.9", 0.999},
		{"percentile", "p99", 0.99},
		{"percentile", "P99", 0.99},
		{"percentile", "p1", 0.01},
		{"percentile", "1%", 0.01},
		{"percentile", "0.5", 0.5},
		{"erlang", "120", 120},
		{"erlang", "120erl", 120},
		{"erlang", "0.5 erl", 0.5},
		{"erlang", "1e3erl", 1000},
		{"number", "0.25", 0.25},
		{"number", "1e308", 1e308},
		{"count", "12", 12},
		{"count", "1e6", 1e6},
		{"count", "1.5e3", 1500},
		{"count", "1.0", 1},
		{"count", "1000e-3", 1},
		{"count", "0e99999999999999999999", 0},
		{"size", "1MB", 1e6},
		{"size", "512MiB", 536870912},
		{"size", "1GB", 1e9},
		{"size", "10kB", 1e4},
		{"size", "8Mbit", 1e6},
		{"size", "1bit", 0.125},
		{"size", "1KiB", 1024},
		{"size", "1PiB", 1 << 50},
		{"size", "0", 0},
		{"bandwidth", "100Mbps", 1e8},
		{"bandwidth", "1Gbps", 1e9},
		{"bandwidth", "100Mbit/s", 1e8},
		{"bandwidth", "12MB/s", 96e6},
		{"bandwidth", "1KiB/s", 8192},
	} {
		got, err := parsers[c.kind](c.in)
		if err != nil || got != c.want {
			t.Errorf("%s %q = %.17g, %v, want %.17g", c.kind, c.in, got, err, c.want)
		}
	}
}

// Every kind refuses these, with the reason.
var refusedByAll = []struct{ in, reason string }{
	{"", "it is empty"},
	{"  ", "it is empty"},
	{"NaN", "it is not finite"},
	{"inf", "it is not finite"},
	{"Infinity", "it is not finite"},
	{"-1", "it is negative"},
	{"-0", "it is negative"},
	{"-5s", "it is negative"},
	{"+5s", "it starts with a sign"},
	{"1e400", "the number is too large"},
	{"1e400s", "the number is too large"},
	{"1e-400s", "the number is too small"},
	{"0x10", "the number is not decimal"},
	{"0x1p3s", "the number is not decimal"},
	{"1,000", `the number holds ","`},
	{"1_000", `the number holds "_"`},
	{"1'000", `the number holds "'"`},
	{"٣s", "it starts with '٣' instead of a digit"},
	{"1٣s", "the number holds digits other than 0 to 9"},
	{"−5s", "it starts with '−' instead of a digit"},
	{"s", "it starts with 's' instead of a digit"},
	{"1..2", "it is a range where one value is wanted"},
	{"\x00", `it starts with '\x00' instead of a digit`},
}

func TestParseRefusesForAll(t *testing.T) {
	for kind, parse := range parsers {
		for _, c := range refusedByAll {
			_, err := parse(c.in)
			checkParseError(t, kind, c.in, err, c.reason)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, c := range []struct{ kind, in, reason string }{
		{"duration", "5 parsecs", `unknown unit "parsecs"`},
		{"duration", "90", "it has no unit"},
		{"duration", "5 hours", `unknown unit "hours" (did you mean h?)`},
		{"duration", "5S", `unknown unit "S" (did you mean s?)`},
		{"duration", "5mni", `unknown unit "mni" (did you mean min?)`},
		{"duration", "30m1h", `unit "h" comes after "m"`},
		{"duration", "1m1min", `unit "min" comes after "m"`},
		{"duration", "1h30", "it has no unit"},
		{"duration", "1h0", "it has no unit"},
		{"duration", "1h 30 x", `unknown unit "x"`},
		{"duration", "1h-3m", `unknown unit "h-"`},
		{"duration", "5/s", `unknown unit "/s"`},
		{"duration", "1e308w", "the number is too large"},
		{"rate", "5.4", `it has no "/" and time`},
		{"rate", "0", `it has no "/" and time`},
		{"rate", "5/", `it has no time after the "/"`},
		{"rate", "5/30", "it has no unit"},
		{"rate", "5/0", "it has no unit"},
		{"rate", "5/0s", "the time is 0"},
		{"rate", "5/-1s", "it is negative"},
		{"rate", "5/fortnight", `unknown unit "fortnight"`},
		{"rate", "5/s/s", `unknown unit "s/s"`},
		{"rate", "/s", "it is empty"},
		{"rate", "5s/s", `unexpected "s"`},
		{"rate", "1e308/ns", "the number is too large"},
		{"rate", "5e-324/d", "the number is too small"},
		{"rate", "5/1e308d", "the number is too small"},
		{"rate", "1e-300/1e30d", "the number is too small"},
		{"price", "€10/1e308d", "the number is too small; a price is for one d"},
		{"price", "5e-324/month", "the number is too small"},
		{"duration", "1e-320ns", "the number is too small"},
		{"duration", "1h1e-323ms", "the number is too small"},
		{"size", "5e-324bit", "the number is too small"},
		{"excess", "1", "1% or 100%?"},
		{"excess", "10", "10% or 1000%?"},
		{"fraction", "1.5", "it is above 1 (100%)"},
		{"fraction", "120%", "it is above 1 (100%)"},
		{"fraction", "5s", `unexpected "s"`},
		{"fraction", "5%%", `unexpected "%%"`},
		{"fraction", "1", "1% or 100%?"},
		{"fraction", "1.0", "1% or 100%?"},
		{"fraction", "1e0", "1% or 100%?"},
		{"percentile", "1", "1 may mean 1% or 100%"},
		{"percentile", "1.0", "1 may mean 1% or 100%"},
		{"percentile", "0", "it is not strictly between 0% and 100%"},
		{"percentile", "100", "it is not strictly between 0% and 100%"},
		{"percentile", "p100", "it is not strictly between 0% and 100%"},
		{"percentile", "p", "it is empty"},
		{"percentile", "95th", `unexpected "th"`},
		{"erlang", "120E", `unknown unit "E" (did you mean erl?)`},
		{"erlang", "120/s", `unknown unit "/s"`},
		{"number", "1 2", `unexpected "2"`},
		{"number", "1.", `unexpected "."`},
		{"count", "1.5", "it is not whole"},
		{"count", "1e-1", "it is not whole"},
		{"count", "9223372036854775808", "it is above 2^63-1"},
		{"count", "1e19", "it is above 2^63-1"},
		{"count", "1e300", "it is above 2^63-1"},
		{"count", "3 servers", `unexpected "servers"`},
		{"size", "1mb", `unknown unit "mb" (did you mean MB?)`},
		{"size", "5", "it has no unit"},
		{"bandwidth", "5MB", `unknown unit "MB" (did you mean Mbps or MB/s?)`},
		{"bandwidth", "5MBps", `unknown unit "MBps" (did you mean Mbps or MB/s?)`},
		{"bandwidth", "5", "it has no unit"},
	} {
		_, err := parsers[c.kind](c.in)
		checkParseError(t, c.kind, c.in, err, c.reason)
	}
}

func checkParseError(t *testing.T, kind, in string, err error, reason string) {
	t.Helper()
	var pe *ParseError
	switch {
	case !errors.As(err, &pe):
		t.Errorf("%s %q: error %v, want a *ParseError", kind, in, err)
	case pe.Input != in || pe.Reason != reason || pe.Want == "":
		t.Errorf("%s %q: %+v, want reason %q", kind, in, *pe, reason)
	}
}

func TestParseErrorText(t *testing.T) {
	_, err := Parse[Duration]("5 parsecs")
	want := `units: "5 parsecs" is not a duration: unknown unit "parsecs", want a duration such as 90s, 1.5h or 250ms`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestParseCountExact(t *testing.T) {
	// 2^53+1 and 2^63-1 are not float64 values.
	for in, want := range map[string]Count{
		"9007199254740993": 9007199254740993, "9223372036854775807": 1<<63 - 1,
		"900719925474099.3e1": 9007199254740993,
	} {
		if got, err := ParseCount(in); err != nil || got != want {
			t.Errorf("ParseCount(%q) = %v, %v", in, got, err)
		}
	}
}
