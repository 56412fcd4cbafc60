package machines_test

import (
	"reflect"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// Of a machine that is not drawn the samples are let go, of 32 bytes each, and the stays take no more
// room than there are.
func TestUndrawnSamplesAreLetGo(t *testing.T) {
	var samples []smp.Sample
	for i := range 1000 {
		samples = append(samples, smp.Sample{Time: float64(6 * i), Load: 0.1 + 0.3*float64(i&1)})
	}
	drawn, err := machines.Label(&machines.LabelQuestion{Host: &machines.Trace{Name: "a", Samples: samples}})
	if err != nil {
		t.Fatal(err)
	}
	host := &machines.Trace{Name: "a", Samples: samples}
	undrawn, err := machines.Label(&machines.LabelQuestion{Host: host, Undrawn: true})
	if err != nil {
		t.Fatal(err)
	}
	if host.Samples != nil {
		t.Errorf("%d samples are held", len(host.Samples))
	}
	if n := len(undrawn.Sojourns); n != 1000 || cap(undrawn.Sojourns) != n {
		t.Errorf("%d stays in room for %d, want 1000", n, cap(undrawn.Sojourns))
	}
	if !reflect.DeepEqual(drawn.Sojourns, undrawn.Sojourns) || !reflect.DeepEqual(drawn.States, undrawn.States) {
		t.Error("the answers differ")
	}
}
