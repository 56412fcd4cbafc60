package cmdline

import "testing"

// The kind of a value stays in the explanation unless a colon parts the two in the source.
func TestFlagText(t *testing.T) {
	for usage, want := range map[string]string{
		"`METHOD`: exact or schweitzer":   "--method METHOD\texact or schweitzer",
		"`METHOD` that answers: lp-round": "--method METHOD\tmethod that answers: lp-round",
		"`OBJECTIVE` of pap: response":    "--method OBJECTIVE\tobjective of pap: response",
	} {
		s := NewFlags(false)
		var into string
		OneOf(s, "method", &into, usage, nil, "exact", "schweitzer")
		if got := flagText(s.list[len(s.list)-1]); got != want {
			t.Errorf("%q: %q, want %q", usage, got, want)
		}
	}
}
