package planner

import (
	"fmt"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/sizing"
)

// Machines that are all of speed 1 and always there are servers, and so many have to be there
// as size says of the same load: also where the law of responses is known of servers alone.
// They were refused as machines of several types.
func TestPlanOfAlikeMachinesIsTheSize(t *testing.T) {
	for _, service := range []string{"scv: 0.5", "scv: 1.8", "patience: 1s"} {
		for _, objectives := range []string{"max_response: 500ms", `responses: "p50<120ms,p99<800ms"`, "max_response: 500ms, zones: 3"} {
			q, err := ReadScenario(t.Context(), strings.NewReader(fmt.Sprintf(`
load: {rate: 100/s}
service: {time: 100ms, %s}
objectives: {%s}
machines:
  - {name: rack, price: 1/h}
  - {name: blade, price: 2.5/h, slots: 2}
`, service, objectives)))
			if err != nil {
				t.Fatal(err)
			}
			a, err := Nominal(t.Context(), q)
			if err != nil {
				t.Errorf("%s, %s: %v", service, objectives, err)
				continue
			}
			size, err := sizing.Size(t.Context(), q.SizeQuestion())
			if err != nil {
				t.Fatal(err)
			}
			if m := a.Mix.Machines; m[0].Count != size.Servers || m[1].Count != 0 || !a.Mix.Optimal {
				t.Errorf("%s, %s: %s, and the size is %d", service, objectives, a.Mix.Fleet, size.Servers)
			}
		}
	}
}
