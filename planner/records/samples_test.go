package records

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// PlanetLab days have no date of their own; where the path has none the share
// of time is told all the same.
func TestSamplesWithoutDate(t *testing.T) {
	var b strings.Builder
	for i := range 288 {
		load := 10
		if i >= 100 && i < 172 { // a quarter of the day
			load = 95
		}
		fmt.Fprintln(&b, load)
	}
	for _, name := range []string{"host", "20110303/host"} {
		path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, at := range []string{path, filepath.Dir(path)} {
			sampled, err := HoldSamples(context.Background(), at, trace.OpenOptions{})
			if err != nil || !sampled {
				t.Fatalf("%s: %v, %v", at, sampled, err)
			}
			if at != path && name == "host" {
				continue // a folder of files that are no days
			}
			in := &Samples{Tally: machines.NewStateTally(machines.Labelling{})}
			if err := in.Read(context.Background(), at); err != nil {
				t.Fatalf("%s: %v", at, err)
			}
			f, err := in.Tally.Fleet()
			if err != nil || math.Abs(*f.Availability-0.75) > 1e-12 || f.Machines != 1 {
				t.Errorf("%s: %+v, %v", at, f, err)
			}
		}
	}
}
