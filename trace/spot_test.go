package trace

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
)

func readSpot(text string, o SpotOptions) ([]Interval, *TraceLog, error) {
	var out []Interval
	log, err := ReadSpot(context.Background(), "zone", strings.NewReader(text), o, func(i Interval) error {
		out = append(out, i)
		return nil
	})
	return out, log, err
}

func TestReadSpot(t *testing.T) {
	text := `{"metadata": {"note": {"a": [1, {}]}, "gap_seconds": 10}, "data": [0, 2, 3, 1, null, 1, 4], "prices": [0.5, 0.5]}` + "\n"
	z := "zone"
	for _, c := range []struct {
		o    SpotOptions
		want []Interval
	}{
		{SpotOptions{Strict: true}, []Interval{
			{0, z, 1, 0, 10, false, true, false}, {0, z, 2, 10, 40, true, false, true}, {0, z, 6, 50, 70, true, true, true}}},
		{SpotOptions{Threshold: 2, Start: 100, Gap: 10}, []Interval{
			{0, z, 1, 100, 110, false, true, false}, {0, z, 2, 110, 130, true, false, false}, {0, z, 4, 130, 140, false, false, true},
			{0, z, 6, 150, 160, false, true, false}, {0, z, 7, 160, 170, true, false, true}}},
	} {
		got, log, err := readSpot(text, c.o)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %+v, want %+v; %v", c.o, got, c.want, err)
		}
		if log.Rows != 6 || log.Skipped != 1 || log.Lines != 7 || log.Nodes != 1 || log.Joined != 0 || log.Last-log.First != 70 {
			t.Errorf("%+v", log)
		}
	}
}

// Time up is gap × the samples at or above the threshold, runs by counting.
func TestReadSpotCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	data := make([]string, 5000)
	counts := make([]int, len(data))
	for i := range data {
		if counts[i] = r.IntN(5); i > 0 && r.Float64() < 0.9 {
			counts[i] = counts[i-1]
		}
		data[i] = fmt.Sprint(counts[i])
	}
	text := fmt.Sprintf(`{"metadata":{"gap_seconds":195},"data":[%s]}`, strings.Join(data, ","))
	for k := 1; k <= 4; k++ {
		wantUp, wantRuns := 0, 1
		for i, c := range counts {
			if c >= k {
				wantUp++
			}
			if i > 0 && (c >= k) != (counts[i-1] >= k) {
				wantRuns++
			}
		}
		got, log, err := readSpot(text, SpotOptions{Threshold: k, Strict: true})
		up := 0.0
		for _, i := range got {
			if i.Up {
				up += i.End - i.Start
			}
		}
		if err != nil || up != 195*float64(wantUp) || len(got) != wantRuns || log.Rows != len(data) {
			t.Errorf("threshold %d: %v s up in %d runs, want %v in %d; %v", k, up, len(got), 195*wantUp, wantRuns, err)
		}
	}
}

func TestReadSpotErrors(t *testing.T) {
	head := `{"metadata": {"gap_seconds": 10}, "data": `
	for _, c := range []struct {
		name, text string
		err        error
		say        string
	}{
		{"empty", "", source.ErrEmpty, "no content"},
		{"binary", "\x00{", source.ErrBinary, "binary"},
		{"a list", "[1]", source.ErrMalformed, "[ in place of {"},
		{"text", "time,cpu", source.ErrMalformed, "in a word that begins as true does"},
		{"cut", head + "[1, 0, 1", source.ErrMalformed, "ends early"},
		{"cut in a number", head + "[1, 0,", source.ErrMalformed, "ends early"},
		{"no data", `{"metadata": {"gap_seconds": 10}}`, source.ErrMalformed, `no member "data"`},
		{"no samples", head + "[]}", ErrNoRows, "no usable row"},
		{"all missing", head + "[null, null]}", ErrNoRows, "2 without a value"},
		{"data first", `{"data": [1], "metadata": {"gap_seconds": 10}}`, source.ErrMalformed, "data before metadata.gap_seconds"},
		{"twice", head + `[1], "data": [1]}`, source.ErrMalformed, "twice"},
		{"zero gap", `{"metadata": {"gap_seconds": 0}, "data": [1]}`, source.ErrMalformed, "gap_seconds = 0"},
		{"gap a string", `{"metadata": {"gap_seconds": "10"}, "data": [1]}`, source.ErrMalformed, `gap_seconds = "10"`},
		{"more", head + "[1]} {}", source.ErrMalformed, "after the JSON object"},
		{"deep", `{"x": ` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + "}", source.ErrMalformed, "nested more than 64"},
		{"long", `{"x": "` + strings.Repeat("a", maxToken+2) + `"}`, source.ErrMalformed, "a JSON value of more than"},
		{"blanks", `{"x": ` + strings.Repeat(" ", maxToken+2) + `1}`, source.ErrMalformed, "a JSON value of more than"},
		{"nothing usable", head + "[" + strings.Repeat("-1,", 1000) + "1]}", source.ErrMalformed, "none of the first 100"},
	} {
		_, _, err := readSpot(c.text, SpotOptions{})
		sourcetest.CheckFileError(t, err, "zone", c.err, c.say, "want JSON such as")
	}
	_, log, err := readSpot(head+`[1, -1, 0.5, true, "1", [3, [4]], {"a": 1}, 1e99, 1]}`, SpotOptions{})
	if m := log.Malformed; err != nil || log.Rows != 2 || m.Range != 3 || m.Value != 4 || !strings.Contains(m.First[0].Error(), "data[1] = -1") {
		t.Errorf("%+v, %v", log, err)
	}
	if _, _, err := readSpot(head+`[1, -1]}`, SpotOptions{Strict: true}); !errors.Is(err, source.ErrMalformed) {
		t.Errorf("strict: %v", err)
	}
	if _, _, err := readSpot(head+`[1]}`, SpotOptions{Gap: 11}); !errors.Is(err, source.ErrMalformed) {
		t.Errorf("another gap: %v", err)
	}
	for _, o := range []SpotOptions{{Threshold: -1}, {Gap: -1}, {Gap: math.NaN()}, {Start: math.Inf(1)}} {
		var d *source.DomainError
		if _, _, err := readSpot(head+`[1]}`, o); !errors.As(err, &d) {
			t.Errorf("%+v: %v, want a DomainError", o, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadSpot(ctx, "f", strings.NewReader(head+"[1]}"), SpotOptions{}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func FuzzReadSpot(f *testing.F) {
	f.Add(`{"metadata": {"gap_seconds": 10}, "data": [0, 2, null, 1], "prices": [{"a": 1}]}`, 1, false)
	f.Add(`{"metadata": {"gap_seconds": 0.1}, "data": [-1, 1]}`, 2, true)
	f.Fuzz(func(t *testing.T, text string, threshold int, strict bool) {
		got, log, err := readSpot(text, SpotOptions{Threshold: threshold, Strict: strict})
		orderedIntervals(t, log, got, err, strict)
	})
}

func BenchmarkReadSpot(b *testing.B) {
	text := `{"metadata":{"gap_seconds":195},"data":[1` + strings.Repeat(", 0, 1, 1, 1", 5000) + "]}"
	b.Run("samples=20001", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if log, err := ReadSpot(context.Background(), "f", strings.NewReader(text), SpotOptions{}, func(Interval) error { return nil }); err != nil || log.Rows != 20001 {
				b.Fatal(err)
			}
		}
	})
}
