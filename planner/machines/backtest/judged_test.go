package backtest

import (
	"slices"
	"strconv"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// A model is chosen by all machines of a small fleet, and by a draw of a large one that has the days
// allowed and does not depend on the order of the machines.
func TestMachinesToChooseBy(t *testing.T) {
	fleet := func(n int, days float64) []machines.Trace {
		out := make([]machines.Trace, n)
		for i := range out {
			out[i] = machines.Trace{
				Name:   "m" + strconv.Itoa(i),
				Spells: []machines.Spell{{Start: 0, End: days * 86400, Up: true}},
			}
		}
		return out
	}
	names := func(hosts []machines.Trace) []string {
		var out []string
		for _, at := range (&ChoiceQuestion{Hosts: hosts}).judged() {
			out = append(out, hosts[at].Name)
		}
		slices.Sort(out)
		return out
	}
	if got := names(fleet(300, 1000)); len(got) != 300 {
		t.Errorf("%d machines of 300 with 300,000 days", len(got))
	}
	// A machine takes its time however short its record is.
	if got := names(fleet(40_000, 2)); len(got) != 15_000 {
		t.Errorf("%d machines of two days, want 15,000", len(got))
	}
	large := fleet(3000, 1000)
	got := names(large)
	if len(slices.Compact(slices.Clone(got))) != 300 {
		t.Errorf("%d machines, want 300 with 300,000 days", len(got))
	}
	slices.Reverse(large)
	if !slices.Equal(got, names(large)) {
		t.Error("the draw depends on the order of the machines")
	}
	if got := names(fleet(2, 1e6)); len(got) != 1 {
		t.Errorf("%d machines, want one where each has too many days", len(got))
	}
}
