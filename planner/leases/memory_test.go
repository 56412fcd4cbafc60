package leases

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
)

// Runs that took 1.8 and 1.3 GB are refused before they take it, the second of which has room enough in all, but not
// where half of the requests go; and a run that took 40 MB of its 16 million nodes is none of them.
func TestMemoryIsBounded(t *testing.T) {
	const external = "external: {gap: {scale: 1s}, duration: {mean: 420s}}\n"
	for _, c := range []struct {
		file    string
		horizon float64
		refused bool
	}{
		{external + "clusters: [{name: a, nodes: 10}]", 1.2e7, true},
		{external + "clusters: [{name: a, nodes: 10}, {name: b, nodes: 1000}]\ntypes: {suspendable: 100%}", 8e6, true},
		{external + "clusters: [{name: a, nodes: 16000000}]", 3600, false},
	} {
		f, err := read(t, c.file)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Ask(context.Background(), &Question{File: *f, Policy: "rr", Replications: 1, Horizon: c.horizon})
		var input *ask.InputError
		refused := errors.As(err, &input) && input.Field == "horizon" && strings.Contains(input.Reason, "GB of memory")
		if refused != c.refused || err != nil && !refused {
			t.Errorf("%s for %g s: %v, refused: want %v", c.file, c.horizon, err, c.refused)
		}
	}
}
