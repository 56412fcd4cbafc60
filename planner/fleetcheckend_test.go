package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/planner/scenario"
)

// A check ends with its context, whatever it is about: what 64 types lack went on for 9 CPU s.
func TestCheckFleetEndsWithItsContext(t *testing.T) {
	var text strings.Builder
	text.WriteString("load: {rate: 2390/s}\nservice: {time: 100s, patience: 30s}\n" +
		"objectives: {max_wait: 10s, percentile: 90%, max_abandon: 3%}\nmachines:\n")
	counts := map[string]int64{}
	for i := range 64 {
		kind := "dedicated"
		if i%2 == 0 {
			kind = fmt.Sprintf("public, mttf: %dh, mttr: %dmin", 1+i%20, 5+7*i%55)
		}
		fmt.Fprintf(&text, "  - {name: t%d, kind: %s, price: 1/h, speed: %.3f}\n", i, kind, 0.3+0.027*float64(i))
		counts[fmt.Sprint("t", i)] = 3000 + 40*int64(i)
	}
	q, err := scenario.Read(t.Context(), strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = CheckFleet(ctx, &FleetQuestion{Scenario: q, Machines: counts})
	over, _ := ctx.Deadline()
	if late := time.Since(over); !errors.Is(err, context.DeadlineExceeded) || late > 3*time.Second {
		t.Errorf("ended %v after its context: %v", late, err)
	}
}
