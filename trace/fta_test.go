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

const ftaHeader = "# event_id\tcomponent_id\tnode_id\tplatform_id\tnode_name\tevent_type\tevent_start_time\tevent_stop_time\tevent_end_reason\n"

func ftaLine(id, node int, up bool, start, end float64) string {
	kind := 0
	if up {
		kind = 1
	}
	return fmt.Sprintf("%5d\t    0\t%5d\t    9\tsite/node%d\t        %d\t %.0f\t %.0f\t      NULL\n", id, node, node, kind, start, end)
}

// fleetIntervals makes up and down intervals of whole seconds: Weibull up
// times of shape 0.7, exponential repairs, one start and end for all nodes.
func fleetIntervals(nodes int, days float64, seed uint64) []Interval {
	r := rand.New(rand.NewPCG(seed, 1))
	const begin = 1_700_000_000
	end := begin + math.Round(days*86400)
	var out []Interval
	for n := range nodes {
		now, up := float64(begin), r.Float64() < 0.9
		for now < end {
			length := 2 * 3600 * r.ExpFloat64()
			if up {
				length = 30 * 3600 / math.Gamma(1+1/0.7) * math.Pow(r.ExpFloat64(), 1/0.7)
			}
			next := min(end, now+math.Ceil(length))
			out = append(out, Interval{
				Node: n, Name: fmt.Sprintf("site/node%d", n), Line: len(out) + 2, Start: now, End: next, Up: up,
				Cut: now == begin, Censored: next == end,
			})
			now, up = next, !up
		}
	}
	return out
}

func fleetFTA(intervals []Interval) string {
	var b strings.Builder
	b.WriteString(ftaHeader)
	for i, v := range intervals {
		b.WriteString(ftaLine(i, v.Node, v.Up, v.Start, v.End))
	}
	return b.String()
}

func readFTA(text string, o FTAOptions) ([]Interval, *TraceLog, error) {
	var out []Interval
	log, err := ReadFTA(context.Background(), "events.tab", strings.NewReader(text), o, func(i Interval) error {
		out = append(out, i)
		return nil
	})
	return out, log, err
}

// What the generator made comes back, node by node.
func TestReadFTAFleet(t *testing.T) {
	want := fleetIntervals(20, 15, 1)
	got, log, err := readFTA(fleetFTA(want), FTAOptions{Strict: true})
	if err != nil || log.Rows != len(want) || log.Nodes != 20 || log.Lines != len(want)+1 || log.Joined != 0 {
		t.Fatalf("%+v, %v", log, err)
	}
	if log.First != want[0].Start || log.Last != want[len(want)-1].End {
		t.Errorf("from %v to %v", log.First, log.Last)
	}
	slices.SortStableFunc(got, func(a, b Interval) int { return a.Node - b.Node })
	if !slices.Equal(got, want) {
		t.Errorf("%d intervals, want %d, or other ones", len(got), len(want))
	}
}

// Nodes may be mixed: sorted by time, the same intervals come.
func TestReadFTAMixedNodes(t *testing.T) {
	want := fleetIntervals(7, 10, 2)
	mixed := slices.Clone(want)
	slices.SortStableFunc(mixed, func(a, b Interval) int { return int(a.Start - b.Start) })
	got, _, err := readFTA(fleetFTA(mixed), FTAOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(got, func(a, b Interval) int { return a.Node - b.Node })
	for i := range got {
		got[i].Line, want[i].Line = 0, 0
	}
	if !slices.Equal(got, want) {
		t.Errorf("%d intervals, want %d, or other ones", len(got), len(want))
	}
}

// By hand: a gap, a touch of the same type, an interval of 0 s, a component.
func TestReadFTAByHand(t *testing.T) {
	text := "0\t0\t4\t1\ta\t1\t100\t200\n" + // no header, no reason
		"1\t0\t4\t1\ta\t1\t200\t250\tx\n" + // joined
		"2\t0\t4\t1\ta\t0\t250\t250\tx\n" + // 0 s
		"3\t0\t4\t1\ta\t1\t250\t300\tx\n" +
		"4\t2\t4\t1\ta\t0\t120.5\t130\tx\n" + // another component
		"5\t0\t4\t1\ta\t0\t400\t500\tx" // after a gap, no line end
	got, log, err := readFTA(text, FTAOptions{Strict: true})
	want := []Interval{
		{0, "a", 1, 100, 250, true, true, false},
		{0, "a", 3, 250, 250, false, false, false},
		{0, "a", 4, 250, 300, true, false, true},
		{0, "a", 6, 400, 500, false, true, true},
		{1, "a component 2", 5, 120.5, 130, false, true, true},
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v; %v", got, want, err)
	}
	if log.Rows != 6 || log.Nodes != 2 || log.Joined != 1 || log.First != 100 || log.Last != 500 {
		t.Errorf("%+v", log)
	}
}

func TestReadFTAMalformed(t *testing.T) {
	text := ftaHeader + // 1
		ftaLine(0, 3, true, 100, 200) + // 2
		"1\t2\t3\n" + // 3
		strings.Replace(ftaLine(0, 3, true, 200, 300), "1\t 200", "7\t 200", 1) + // 4
		ftaLine(0, 3, true, 300, 250) + // 5, backward
		ftaLine(0, 3, false, 150, 400) + // 6, overlap
		ftaLine(0, 3, true, 1e12, 1e12) + // 7
		strings.Repeat("x", source.MaxLine+9) + "\n" + // 8
		strings.Replace(ftaLine(0, 3, true, 200, 300), " 200", " NULL", 1) + // 9
		strings.Replace(ftaLine(0, 3, true, 200, 300), "\t    3", "\t  3.5", 1) + // 10
		ftaLine(0, 3, false, 200, 300) // 11
	got, log, err := readFTA(text, FTAOptions{})
	if err != nil || len(got) != 2 || got[1].Line != 11 || got[0].Censored || got[1].Cut {
		t.Fatalf("%+v, %v", got, err)
	}
	m := log.Malformed
	if m.Columns != 1 || m.Value != 3 || m.Backward != 1 || m.Overlap != 1 || m.Range != 1 || m.TooLong != 1 || m.Total() != 8 || len(m.First) != source.MaxNamed {
		t.Errorf("%+v", m)
	}
	for i, want := range []string{
		"events.tab:3: 3 columns", `events.tab:4:44: event_type = "7"`,
		`:5: node "site/node3": the interval runs backward, from 300 s to 250 s`,
		`:6: node "site/node3": the interval from 150 s overlaps the one of line 2, which ends at 200 s`, ":7:47: event_start_time = 1e+12 is outside",
	} {
		if got := m.First[i].Error(); !strings.Contains(got, want) || !strings.Contains(got, "want nine tab-separated") {
			t.Errorf("%q does not say %q", got, want)
		}
	}
	for line, text := range map[int]string{
		3: ftaHeader + ftaLine(0, 3, true, 100, 200) + ftaLine(1, 3, false, 199, 300),
		2: ftaHeader + ftaLine(0, 3, true, 200, 100),
	} {
		var o *OrderError
		_, _, err := readFTA(text, FTAOptions{Strict: true})
		if !errors.As(err, &o) || !errors.Is(err, source.ErrMalformed) || o.Node != "site/node3" || o.Line != line {
			t.Errorf("strict: %v, want an OrderError of line %d", err, line)
		}
	}
}

func TestReadFTANoTrace(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
		say        string
	}{
		{"header only", ftaHeader, ErrNoRows, "no usable row in 1"},
		{"another table", "# component_id node_id platform_id creator_id node_name\n", source.ErrMalformed, "another table of the archive"},
		{"other header", "# event_id node_id\n", source.ErrMalformed, `lacks "component_id" as column 2`},
		{"a table", strings.Repeat("a,b,c\n", 1000), source.ErrMalformed, "none of the first 100 rows is usable; 1 column,"},
		{"binary in the middle", fleetFTA(fleetIntervals(1, 30, 1)) + "1\t\x00\x00\n", source.ErrBinary, "binary"},
		{"binary", "\x00\x01", source.ErrBinary, "binary data"},
		{"empty", "", source.ErrEmpty, "no content"},
	} {
		_, _, err := readFTA(c.text, FTAOptions{})
		sourcetest.CheckFileError(t, err, "events.tab", c.err, c.say, "want nine tab-separated")
	}
}

func TestReadFTAStops(t *testing.T) {
	text := fleetFTA(fleetIntervals(30, 60, 3))
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err := ReadFTA(ctx, "f", strings.NewReader(text), FTAOptions{}, func(Interval) error {
		if n++; n == 300 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 600 {
		t.Errorf("after cancel: %d intervals, %v", n, err)
	}
	stop := errors.New("stop")
	for _, at := range []int{1, 30 * 60} {
		n := 0
		_, err = ReadFTA(context.Background(), "f", strings.NewReader(ftaLine(0, 1, true, 1, 2)+ftaLine(0, 1, false, 2, 3)), FTAOptions{}, func(Interval) error {
			if n++; n == min(at, 2) {
				return stop
			}
			return nil
		})
		if err != stop {
			t.Errorf("callback's error: %v", err)
		}
	}
}

// orderedIntervals is what every reader of intervals keeps to.
func orderedIntervals(t *testing.T, log *TraceLog, intervals []Interval, err error, strict bool) {
	t.Helper()
	last := map[int]Interval{}
	for _, i := range intervals {
		p, seen := last[i.Node]
		switch {
		case !(i.End >= i.Start) || math.IsInf(i.End-i.Start, 0) || i.Line < 1 || i.Node < 0 || i.Node >= log.Nodes:
			t.Errorf("%+v of %d nodes", i, log.Nodes)
		case seen && (i.Start < p.End || i.Start == p.End && i.Up == p.Up || i.Start > p.End && !(p.Censored && i.Cut) || i.Name != p.Name):
			t.Errorf("%+v after %+v", i, p)
		case i.Start < log.First || i.End > log.Last:
			t.Errorf("%+v outside %v..%v", i, log.First, log.Last)
		}
		last[i.Node] = i
	}
	if err == nil && (log.Rows == 0 || len(last) != log.Nodes || strict && log.Malformed.Total() > 0) {
		t.Errorf("no error with %+v and %d nodes", log, len(last))
	}
}

func FuzzReadFTA(f *testing.F) {
	f.Add(fleetFTA(fleetIntervals(2, 1, 1)), false)
	f.Add("0\t0\t4\t1\ta\t1\t100\t200\n5\t0\t4\t1\ta\t0\t150\t500", true)
	f.Fuzz(func(t *testing.T, text string, strict bool) {
		got, log, err := readFTA(text, FTAOptions{Strict: strict})
		orderedIntervals(t, log, got, err, strict)
	})
}

func BenchmarkReadFTA(b *testing.B) {
	intervals := fleetIntervals(100, 365, 1)
	text := fleetFTA(intervals)
	b.Run(fmt.Sprintf("events=%d", len(intervals)), func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			log, err := ReadFTA(context.Background(), "f", strings.NewReader(text), FTAOptions{}, func(Interval) error { return nil })
			if err != nil || log.Rows != len(intervals) {
				b.Fatal(err)
			}
		}
	})
}
