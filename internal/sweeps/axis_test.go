package sweeps

import (
	"context"
	"strings"
	"testing"
)

func TestParseAxis(t *testing.T) {
	for spec, want := range map[string]string{
		"load=1:3:1":              "1 2 3",
		"load=0.1:0.5:0.1":        "0.1 0.2 0.3 0.4 0.5",
		"load=3:1:-1":             "3 2 1",
		"rate=2/min:6/min:2/min":  "2/min 4/min 6/min",
		"service-time=1:2:0.5min": "1min 1.5min 2min",
		"max-blocking=1%,2%":      "1% 2%",
		"start=08:00,12:30":       "08:00 12:30",
		"load=5:5:1":              "5",
		"load=-2:1:1":             "-2 -1 0 1",
		"load=999998:1000001:1":   "999998 999999 1e+06 1.000001e+06",
	} {
		a, err := ParseAxis(context.Background(), spec)
		if err != nil || strings.Join(a.Values, " ") != want {
			t.Errorf("%s: %v, %v; want %s", spec, a.Values, err, want)
		}
	}
	for _, spec := range []string{"", "load", "load=", "=1", "load=1:2", "load=1:2:0", "load=1:2:-1", "load=1:2:3:4", "load=a:b:c", "load=1,,2", "load=0:1e9:1", "t=1min:2h:1s"} {
		if a, err := ParseAxis(context.Background(), spec); err == nil {
			t.Errorf("%q: accepted as %v", spec, a.Values)
		}
	}
}

// Points beyond counting are refused without a number that is none.
func TestParseAxisWithoutEnd(t *testing.T) {
	for _, spec := range []string{"load=1e308:-1e308:-1", "load=0:1e308:1e-300", "load=0:1e308:5e-324"} {
		if _, err := ParseAxis(context.Background(), spec); err == nil || !strings.Contains(err.Error(), "too many points") {
			t.Errorf("%s: %v, want too many points", spec, err)
		}
	}
}

// Values in several units are numbers of one.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		values []string
		unit   string
		want   []float64
	}{
		{[]string{"1", "2.5"}, "", []float64{1, 2.5}},
		{[]string{"1min", "3min"}, "min", []float64{1, 3}},
		{[]string{"90s", "2min"}, "s", []float64{90, 120}},
		{[]string{"1/s", "120/min"}, "per s", []float64{1, 2}},
		{[]string{"1", "many"}, "", nil},
	} {
		got, unit := (&Axis{Flag: "x", Values: c.values}).Numbers()
		if unit != c.unit || len(got) != len(c.want) {
			t.Errorf("%v: %v %q, want %v %q", c.values, got, unit, c.want, c.unit)
		}
		for i, v := range c.want {
			if got[c.values[i]] != v {
				t.Errorf("%s is %v, want %v", c.values[i], got[c.values[i]], v)
			}
		}
	}
}
