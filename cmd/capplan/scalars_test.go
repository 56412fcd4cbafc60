package main

import (
	"reflect"
	"testing"
)

type scalarRow struct {
	Name  string   `json:"name"`
	State string   `json:"state,omitempty"`
	Mean  *float64 `json:"mean"`
	Left  *float64 `json:"left,omitempty"`
	Never *int     `json:"never,omitempty"`
	Part  *struct{ X int }
	inner
}

type inner struct {
	Jobs int `json:"jobs,omitempty"`
}

// What some rows have and others leave out is a column of all of them.
func TestScalarRows(t *testing.T) {
	half := .5
	rows := []scalarRow{{Name: "a", Mean: &half}, {Name: "b", State: "S1", Left: &half, inner: inner{3}}}
	want := [][]string{{"name", "state", "mean", "left", "jobs"}, {"a", "", "0.5", "", ""}, {"b", "S1", "", "0.5", "3"}}
	if got := scalarRows(rows); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := scalarRows([]*scalarRow{&rows[0], &rows[1]}); !reflect.DeepEqual(got, want) {
		t.Errorf("of pointers: %q, want %q", got, want)
	}
	for name, got := range map[string][][]string{"none": scalarRows([]scalarRow{}), "no pointers": scalarRows([]*scalarRow{})} {
		if want := [][]string{{"name", "mean"}}; !reflect.DeepEqual(got, want) {
			t.Errorf("of %s: %q, want %q", name, got, want)
		}
	}
	names, cells := scalars(&rows[0])
	if !reflect.DeepEqual(names, []string{"name", "mean"}) || !reflect.DeepEqual(cells, []string{"a", "0.5"}) {
		t.Errorf("alone: %q %q", names, cells)
	}
}
