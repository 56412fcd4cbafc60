package allocation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

// sameSplit demands that a text read in pieces, on several cores, is what it
// is when read line after line: values, places and messages.
func sameSplit(t *testing.T, text, place string) {
	t.Helper()
	want, wrong := readBatchText(text)
	for _, split := range []splitting{{2, 40}, {3, 1000}, {2, source.TranscriptLen}} {
		if split.length < 100 && len(text) > 1<<17 {
			continue
		}
		got, err := readBatch(context.Background(), "batch", strings.NewReader(text), split)
		if fmt.Sprint(err) != fmt.Sprint(wrong) {
			t.Fatalf("in pieces of %d: %v\nin one: %v", split.length, err, wrong)
		}
		if err != nil {
			continue
		}
		if !cmp.Equal(got, want, sameBatch) {
			t.Fatal(cmp.Diff(got, want, sameBatch))
		}
		if a, b := got.At(place, "", "").Error(), want.At(place, "", "").Error(); a != b {
			t.Fatalf("in pieces of %d %s is at %s\nin one: %s", split.length, place, a, b)
		}
	}
}

// Lines of other kinds, long ones and several records on a line change nothing,
// wherever they stand.
func TestReadAhead(t *testing.T) {
	job := func(i int) string {
		return fmt.Sprintf(`{"job":{"id":"j%03d","levels":{"c":[{"demand":%d,"revenue":2}]}}}`, i, i+1)
	}
	odd := []string{
		`{"comment": "late"}`, `{"budget": 5, "admission": "optional"}`, "", "{}", "{\n}", "7", `{"job":null}`, `{"job":{"id":"twice","levels":{"c":[{"demand":1,"demand":2}]}}}`,
		job(900) + job(901), strings.Replace(job(902), "{", "{ \n", 3), `{"job":{"id":"` + strings.Repeat("long", 700) + `","levels":{"c":[]}}}`,
		`{"resource":{"id":"q","dependency":"c","primary_capacity":4},"job":{"id":"both","levels":{"c":[]}}}`, `{"jobs":[]}`, `{"job":{"id":"open"`, `{"job":{"id":"x","levels":{"c":[{"demand":x`,
	}
	for _, at := range longtest.Of([]int{42}, []int{1, 20, 42, 59}) {
		for n, line := range odd {
			lines := []string{`{"dependencies":["c"]}`, `{"resource":{"id":"r","dependency":"c","primary_capacity":100}}`}
			for i := range 60 {
				if i == at {
					lines = append(lines, line)
				}
				lines = append(lines, job(i))
			}
			end := []string{"", "\n", "\r\n\n"}[(at+n)%3]
			sameSplit(t, strings.Join(lines, "\n")+end, fmt.Sprintf("jobs[%d].levels.c[0].demand", at))
		}
	}
}

// A reader that fails behind whole pieces gives its reason.
func TestReadAheadStops(t *testing.T) {
	broken := errors.New("the disk is gone")
	text := batchLines + strings.Repeat("\n", 5000)
	if _, err := readBatch(context.Background(), "batch", io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)), splitting{2, 64}); !errors.Is(err, broken) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	stopping := sourcetest.ReaderFunc(func(p []byte) (int, error) {
		cancel()
		return copy(p, "\n"), nil
	})
	if _, err := readBatch(ctx, "batch", io.MultiReader(strings.NewReader(text), stopping), splitting{2, 64}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
