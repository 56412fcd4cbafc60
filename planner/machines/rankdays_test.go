package machines_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// watched is a machine that is up from Monday on for some days, but for the
// mornings of those that fail.
func watched(name string, days int, fails ...int) machines.Trace {
	h := machines.Trace{Name: name, Step: 300}
	const monday = 1767571200 // 2026-01-05
	for d := range days {
		at := float64(monday + 86400*d)
		if !slices.Contains(fails, d) {
			h.Spells = append(h.Spells, machines.Spell{Start: at, End: at + 86400, Up: true})
			continue
		}
		h.Spells = append(h.Spells,
			machines.Spell{Start: at, End: at + 10*3600, Up: true},
			machines.Spell{Start: at + 10*3600, End: at + 11*3600},
			machines.Spell{Start: at + 11*3600, End: at + 86400, Up: true})
	}
	return h
}

// One lucky day is not better than twenty of which one failed; of machines that are
// alike the one that was seen for longer comes first, and warnings are few.
func TestRankKnowsDays(t *testing.T) {
	q := &machines.RankQuestion{DayWindow: machines.DayWindow{Day: "weekday", Start: 9 * 3600, Window: 2 * 3600, Days: 30}}
	q.Hosts = []machines.Trace{watched("lucky", 1), watched("often", 26, 1, 2, 3, 4, 7, 8, 9, 10), watched("steady", 26, 3), watched("short", 5), watched("long", 26)}
	for range 20 {
		q.Hosts = append(q.Hosts, watched("x"+string(rune('a'+len(q.Hosts))), 3, 1))
	}
	a, err := machines.Rank(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	for _, h := range a.Hosts[:4] {
		order = append(order, h.Name)
	}
	if !slices.Equal(order, []string{"long", "short", "steady", "lucky"}) {
		t.Errorf("order %v", order)
	}
	if len(a.Warnings) > 11 {
		t.Errorf("%d warnings", len(a.Warnings))
	}
	last := math.Inf(1)
	for _, h := range a.Hosts {
		if *h.Weighed > last {
			t.Errorf("%s stands below %v with %v", h.Name, last, *h.Weighed)
		}
		last = *h.Weighed
	}
}
