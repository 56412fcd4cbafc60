package machines_test

import (
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

func TestCheckNames(t *testing.T) {
	a, b := machines.Trace{Name: "a"}, machines.Trace{Name: "b"}
	for _, c := range []struct {
		hosts []machines.Trace
		rates map[string]float64
		want  string // of the error; empty: none
	}{
		{[]machines.Trace{a, b}, map[string]float64{"b": 2}, ""},
		{[]machines.Trace{a, b, a}, nil, `trace: two machines are named "a"`},
		{[]machines.Trace{a}, map[string]float64{"z": 1, "y": 1, "x": 1}, `rate: no machine "x": there are a`},
	} {
		err, got := machines.CheckNames(c.hosts, c.rates), ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c.rates, got, c.want)
		}
	}
}
