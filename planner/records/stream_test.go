package records_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
)

// What is done with the machines of one file takes longer than reading it, so that these are counted; of several
// files, which are read at the same time, the files are.
func TestStreamTellsHowFarItIs(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for f := range 3 {
		var b strings.Builder
		b.WriteString("time,host,cpu\n")
		for m := range 5 {
			for i := range 20 {
				fmt.Fprintf(&b, "%d,m%d-%d,0.1\n", 600*i, f, m)
			}
		}
		paths = append(paths, filepath.Join(dir, fmt.Sprintf("%d.csv", f)))
		if err := os.WriteFile(paths[f], []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		paths []string
		want  []int
	}{
		{paths[:1], []int{0, 1, 2, 3, 4, 5}},
		{paths, []int{0, 1, 2, 3}},
	} {
		var told []int
		in := &records.Stream{Labelling: &machines.Labelling{}, Hosts: records.Hosts{Many: true}}
		in.Progress = func(done, of int) {
			if want := c.want[len(c.want)-1]; of != want {
				t.Errorf("%d files: %d parts, want %d", len(c.paths), of, want)
			}
			if len(told) == 0 || told[len(told)-1] != done {
				told = append(told, done)
			}
		}
		each := func(context.Context, *machines.Recorder) error { return nil }
		if err := in.Read(t.Context(), c.paths, each); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(told, c.want) {
			t.Errorf("%d files: told %d, want %d", len(c.paths), told, c.want)
		}
	}
}
