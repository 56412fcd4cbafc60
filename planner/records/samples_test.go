package records

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/tally"
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

// A folder or an archive of times up and down says the same of its machines as the files do one by
// one: nothing is put on the grid of a labelled record, on which a repair of a minute would be lost.
func TestFolderOfIntervals(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	spot := `{"metadata": {"gap_seconds": 40}, "data": [2, 2, 1, 0, 2, 2, 2, 1, 0, 0, 3, 3]}`
	prices := "time,price_usd_per_hour\n0,0.04\n100,0.06\n250,0.05\n700,0.07\n900,0.01\n1000,0.02\n"
	// Nodes 1 and 2 have one name.
	var events strings.Builder
	for i := range 100 {
		at := 430 * (i / 4)
		start, end, up := at, at+400, 1
		if i%2 == 1 {
			start, end, up = at+400, at+430, 0
		}
		fmt.Fprintf(&events, "%d\t0\t%d\t1\tnode\t%d\t%d\t%d\tNULL\n", i, 1+i%4/2, up, start, end)
	}
	for _, c := range []struct {
		name, text string
		threshold  *int64
		bid        *float64
	}{{"spot/a.json", spot, nil, nil}, {"counted/a.json", spot, new(int64(2)), nil},
		{"fta/events.tab", events.String(), nil, nil}, {"prices/a.csv", prices, nil, new(0.05)}} {
		file := &Lifetimes{Tally: tally.NewUpDown(true), Threshold: c.threshold, Bid: c.bid}
		folder := &Lifetimes{Tally: tally.NewUpDown(true), Threshold: c.threshold, Bid: c.bid}
		path := write(c.name, c.text)
		if err := errors.Join(file.Read(ctx, path), folder.Read(ctx, filepath.Dir(path))); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got, want := folder.Tally.Fleet(), file.Tally.Fleet(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the folder gives %+v, the file %+v", c.name, got, want)
		}
		if !slices.Equal(folder.Tally.Lengths().Durations, file.Tally.Lengths().Durations) {
			t.Errorf("%s: other lengths", c.name)
		}
		// What is no sample of load is not spoken of as one.
		if len(folder.Warnings) > 0 {
			t.Errorf("%s: %q", c.name, folder.Warnings)
		}
	}
	write("mixed/a.json", spot)
	write("mixed/b.csv", "time,cpu\n0,0.1\n60,0.1\n120,0.1\n180,0.9\n240,0.9\n300,0.1\n")
	mixed := &Lifetimes{Tally: tally.NewUpDown(true)}
	if err := mixed.Read(ctx, filepath.Join(dir, "mixed")); err != nil {
		t.Fatal(err)
	}
	if f := mixed.Tally.Fleet(); f.Machines != 2 || !slices.ContainsFunc(mixed.Warnings,
		func(w string) bool { return strings.Contains(w, "samples of load") }) {
		t.Errorf("a folder of both: %+v, %q", f, mixed.Warnings)
	}
}
