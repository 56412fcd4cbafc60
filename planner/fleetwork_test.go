package planner

import (
	"bytes"
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/internal/mixes"
)

// held holds so many machines of each type to a scenario, with a share of the work.
func held(t *testing.T, text string, each int64, share float64) *FleetAnswer {
	t.Helper()
	q, err := ReadScenario(t.Context(), strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := newPremises(q)
	p.work = mixes.NewWork(share)
	counts := make([]int64, len(q.Machines))
	for i := range counts {
		counts[i] = each
	}
	a, err := p.checkFleet(t.Context(), counts, 0)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A fleet of 64 types in groups whose jobs give up is checked by counted work: it took more
// than a minute. What it is told within the work is what it is told of all, what is left out
// is said, and one processor says the same.
func TestFleetWorkEnds(t *testing.T) {
	text := manyTypes(64, 90, "") + "samples: 500\n"
	short := held(t, text, 1, 0.01)
	if n := short.Judged; n < mixes.FewestDraws || n >= 500 {
		t.Errorf("held against %d draws", n)
	}
	told := 0
	for _, m := range short.Machines {
		if !m.Untold {
			told++
		} else if m.Missing != nil {
			t.Errorf("%s: %d are missing, which is not told", m.Name, *m.Missing)
		}
	}
	if told < 1 || told > 60 {
		t.Errorf("of %d types it is told how many more would do", told)
	}
	all := strings.Join(short.Warnings, "\n")
	for _, want := range []string{"the machines to add are computed for", "draws, which use up the limit of work"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not among the warnings: %s", want, all)
		}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	x, _ := json.Marshal(short)
	if y, _ := json.Marshal(held(t, text, 1, 0.01)); !bytes.Equal(x, y) {
		t.Error("one processor answers otherwise")
	}
}

// How many more of a type would do is the least number with which the fleet is met.
func TestMissingIsTheLeast(t *testing.T) {
	for _, more := range []string{"", ", max_response: 2000s"} {
		text := strings.Replace(manyTypes(3, 60, more), "5.4..6..7.2", "6", 1)
		if more != "" { // slow machines harm a response
			text = strings.ReplaceAll(text, ", patience: 600s", "")
			text = strings.ReplaceAll(text, "max_abandon: 3%, ", "")
		}
		a := held(t, text, 5, 1)
		if a.Met {
			t.Fatal("nothing is missing")
		}
		q, err := ReadScenario(t.Context(), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range a.Machines {
			if m.Missing == nil {
				continue
			}
			for _, n := range []int64{*m.Missing - 1, *m.Missing} {
				p, counts := newPremises(q), []int64{5, 5, 5}
				counts[i] += n
				b, err := p.checkFleet(t.Context(), counts, 0)
				if err != nil {
					t.Fatal(err)
				}
				if b.Met != (n == *m.Missing) {
					t.Errorf("%s%s: %d are missing, and %d make it met %v", m.Name, more, *m.Missing, n, b.Met)
				}
			}
		}
	}
}
