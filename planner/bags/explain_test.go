package bags

import (
	"slices"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// --explain says how the server hands out tasks, in numbers that are those of the rules.
func TestExplainSaysTheRules(t *testing.T) {
	want := bags.Rules{Ask: 60, KeepAlive: 60, Timeout: 900, Results: 3, Quorum: 2, Deadline: 86400, Backoff: 86400,
		Save: 600}
	if got := (bags.Rules{}).WithDefaults(); got != want {
		t.Errorf("rules %+v, the words say %+v", got, want)
	}
	b := &bags.Bag{Size: bags.Spread{Mean: 5}, Work: bags.Spread{Mean: 6e5}}
	p := &hosts.Platform{Count: 9, Up: law.Exponential{Scale: 3600}, Down: law.Exponential{Scale: 600},
		Speed: hosts.Speed{Mean: 1000}}
	for _, server := range []string{"xwhep", "boinc", "checkpoint"} {
		a, err := Simulate(t.Context(), &SimulateQuestion{Bag: b, Hosts: p, Server: server, Replications: 2, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		f, err := Done(t.Context(), &FinishQuestion{Bag: b, Hosts: p, Server: server, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, said := range [][]string{a.Explanation.Assumptions, f.Explanation.Assumptions} {
			if w := serverWords[server]; w == "" || !slices.Contains(said, w) {
				t.Errorf("%s: %q is not among %q", server, w, said)
			}
		}
	}
}
