package cmdline

import (
	"fmt"
	"slices"
	"testing"
)

// Warnings of one kind are shown three times and counted; of another kind they
// stand as they are.
func TestCounted(t *testing.T) {
	var all []string
	for i := range 5 {
		all = append(all, fmt.Sprintf("host \"h%d\": %d samples are missing", i, 10*i))
		if i < 3 {
			all = append(all, fmt.Sprintf("day %d is short", i))
		}
	}
	want := []string{
		`host "h0": 0 samples are missing`, "day 0 is short", `host "h1": 10 samples are missing`, "day 1 is short",
		`host "h2": 20 samples are missing`, "and 2 more of this kind, see --format json", "day 2 is short",
	}
	if got := counted(all); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	all = nil
	for _, host := range []string{"quiet", "busy", "mixed", "old"} {
		all = append(all, host+": S2 was visited 3 times: use more days")
	}
	if got := counted(all); len(got) != 4 || got[3] != "and 1 more of this kind, see --format json" {
		t.Errorf("of machines with names: %q", got)
	}
	if got := counted(nil); got != nil {
		t.Errorf("%q of none", got)
	}
}
