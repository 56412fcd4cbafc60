package unlike

import (
	"math"
	"testing"
)

// States of a product are merged into the same points whether their numbers up are written out or
// not.
func TestProductsMergeAsLists(t *testing.T) {
	for _, when := range []WhenFull{Lossy, Queued} {
		m := Varying{Queue: Queue{ArrivalRate: 300, ServiceTime: 1, WhenFull: when}, Coming: manyKinds(4, 90)}
		g := m.newMerger([]Group{{3, 1.5}})
		so := listed([]state{{nil, 0}})
		for _, k := range m.Coming {
			before := g.merged(so, 0)
			so = times(before, k.ups(k.Machines, -60), -80, nil)
			got, want := g.merged(so, 0), g.merged(listed(so.list()), 0)
			if len(got) != len(want) {
				t.Fatalf("%v: %d points, want %d", when, len(got), len(want))
			}
			for i := range got {
				if !(math.Abs(got[i].chance-want[i].chance) <= 1e-9) {
					t.Errorf("%v: chance %v, want %v", when, got[i].chance, want[i].chance)
				}
				for j := range got[i].up {
					if !(math.Abs(got[i].up[j]-want[i].up[j]) <= 1e-7) {
						t.Errorf("%v: %v machines up, want %v", when, got[i].up[j], want[i].up[j])
					}
				}
			}
		}
		if len(so.pairs) < 3*len(g.merged(so, 0)) {
			t.Errorf("%v: hardly any of %d states are merged", when, len(so.pairs))
		}
	}
}
