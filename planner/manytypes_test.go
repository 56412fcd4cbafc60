package planner

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// So many types of machines that no mix is chosen among them are refused in a time that
// grows with their number, not with its square: 30,000 took a minute.
func TestManyTypesOfMachines(t *testing.T) {
	const types = 3000
	var text strings.Builder
	text.WriteString("load: {rate: 72/min}\nservice: {time: 100s}\nobjectives: {max_blocking: 1%}\nmachines:\n")
	for i := range types {
		fmt.Fprintf(&text, "  - {name: m%d, kind: dedicated, price: 0.42/h}\n", i)
	}
	q, err := ReadScenario(t.Context(), strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err = Plan(t.Context(), q)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "3000 types, want at most 60") {
		t.Errorf("%v", err)
	}
	if most := after.TotalAlloc - before.TotalAlloc; most > 100<<20 {
		t.Errorf("%d types take %d MB", types, most>>20)
	}
}
