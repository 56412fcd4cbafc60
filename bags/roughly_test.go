package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
)

// A span over which the flow in longer cells says that a law is not whole is not one over which it is: of bags on
// table 2 and drawn machines with checkpoints, about the spans in which they are done.
func TestRoughlyNotWhole(t *testing.T) {
	passed, all := 0, 0
	for _, k := range gridCases(t, longtest.Of(12, 144), 1126) {
		m, err := k.setup.model()
		if err != nil {
			t.Fatal(err)
		}
		if k.setup.Server != Checkpoint || m.crowd != nil || len(m.factors) > 1 {
			continue
		}
		b := m.begins(1)
		if before, _ := m.ahead(b.ahead); before > 0 {
			continue
		}
		f, err := m.solve()
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []float64{0.6, 1, 1.4, 2} {
			span := part * f.Quantile(0.95)
			if math.IsInf(span, 1) {
				continue
			}
			law := m.flowWithin(span, b)
			law.tell()
			end, chance := m.roughly(span)
			if math.Abs(end/law.law.End()-1) > 1e-9 {
				t.Errorf("%s: over %v s to %v, want %v", k.name, span, end, law.law.End())
			}
			all++
			switch last := law.law.Last(); {
			case chance < 1 && last >= whole:
				t.Errorf("%s: by %v s with chance %v, in longer cells %v", k.name, end, last, chance)
			case chance < 1:
				passed++
			}
		}
	}
	t.Logf("%d of %d spans are not computed", passed, all)
	if passed == 0 {
		t.Error("all are: the test sees nothing")
	}
}
