package shards

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/capplan/capplan/internal/outfile"
)

// The median of an even number of times lies half way between the two in the middle. It was the
// greater of them.
func TestMedianOfShards(t *testing.T) {
	for _, c := range []struct {
		took      []float64
		median    float64
		straggles int
	}{
		{[]float64{30}, 30, 0},
		{[]float64{100, 10}, 55, 0},
		{[]float64{10, 30, 50}, 30, 0},
		{[]float64{40, 10, 20, 100}, 30, 1},
	} {
		s := Status{Of: len(c.took)}
		for i, v := range c.took {
			s.List = append(s.List, Standing{Shard: i + 1, State: Done, Seconds: new(v)})
		}
		if s.judge(); *s.Median != c.median || s.Straggling != c.straggles {
			t.Errorf("%v: median %v with %d behind, want %v with %d", c.took, *s.Median, s.Straggling, c.median, c.straggles)
		}
	}
}

// A folder in which no shard can be read says what is wrong with the first of its files.
func TestSurveyOfWhatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	part := filepath.Join(dir, outfile.Unfinished(Place{1, 2}.File()))
	// A header that ends, and a hole of more than is read behind it.
	if err := os.WriteFile(part, []byte("{}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(part, 1<<30+1); err != nil {
		t.Fatal(err)
	}
	_, err := Survey(t.Context(), dir, time.Now())
	want := "holds no shard that can be read: " + filepath.Base(part) + " holds more than 1024 MiB"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
