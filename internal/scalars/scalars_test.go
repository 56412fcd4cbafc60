package scalars

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

// rows are what Each hands out.
func rows(all any) (out [][]string) {
	_ = Each(all, func(row []string) error { out = append(out, row); return nil })
	return out
}

// The columns are those of the type, whatever the values are.
func TestEach(t *testing.T) {
	half := .5
	structs := []scalarRow{{Name: "a", Mean: &half}, {Name: "b", State: "S1", Left: &half, inner: inner{3}}}
	names := []string{"name", "state", "mean", "left", "never", "jobs"}
	want := [][]string{names, {"a", "", "0.5", "", "", ""}, {"b", "S1", "", "0.5", "", "3"}}
	if got := rows(structs); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := rows([]*scalarRow{&structs[0], &structs[1]}); !reflect.DeepEqual(got, want) {
		t.Errorf("of pointers: %q, want %q", got, want)
	}
	for name, got := range map[string][][]string{"none": rows([]scalarRow{}), "no pointers": rows([]*scalarRow{})} {
		if want := want[:1]; !reflect.DeepEqual(got, want) {
			t.Errorf("of %s: %q, want %q", name, got, want)
		}
	}
	got, cells := Of(&structs[0])
	if !reflect.DeepEqual(got, names) || !reflect.DeepEqual(cells, want[1]) {
		t.Errorf("alone: %q %q", got, cells)
	}
	type outer struct {
		Name string `json:"name"`
		*inner
	}
	for _, v := range []outer{{"a", nil}, {"b", &inner{}}} {
		if got, _ := Of(v); !reflect.DeepEqual(got, []string{"name", "jobs"}) {
			t.Errorf("%v: %q", v, got)
		}
	}
}
