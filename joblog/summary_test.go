package joblog

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func summarize(t *testing.T, jobs []Job, o SWFOptions, h *Header) Summary {
	t.Helper()
	s := Summarizer{Header: h}
	for _, j := range jobs {
		s.Add(j)
	}
	r, err := s.Summary(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Four jobs worked out by hand.
func TestSummaryByHand(t *testing.T) {
	jobs := []Job{
		{Submit: 10, Run: 4, Processors: 1}, {Submit: 12, Run: 8, Processors: 2},
		{Submit: 18, Run: 2, Processors: 4}, {Submit: 22, Run: 6, Processors: 1},
	}
	r := summarize(t, jobs, SWFOptions{}, nil)
	// gaps 2 6 4: mean 4, variance 4; runs: mean 5, variance 20/3;
	// mS: 4 16 8 6, mean 8.5; m²S: 4 32 32 6, mean 18.5.
	for what, c := range map[string][2]float64{
		"span": {r.SpanS, 12}, "rate": {r.ArrivalRate, 0.25}, "gap": {r.InterarrivalMean, 4}, "gap scv": {r.InterarrivalSCV, 0.25},
		"service": {r.ServiceMean, 5}, "service scv": {r.ServiceSCV, 20.0 / 75}, "m": {r.ProcessorsMean, 2},
		"E[mS]": {r.WorkMean, 8.5}, "E[m²S]": {r.SquareWorkMean, 18.5}, "load": {r.OfferedLoad, 2.125}, "z": {r.Peakedness, 18.5 / 8.5},
	} {
		numtest.Close(t, what, c[0], c[1], 1e-14)
	}
	if len(r.Classes) != 3 || r.Classes[0].Jobs != 2 || r.Classes[2].Processors != 4 {
		t.Fatalf("classes %+v", r.Classes)
	}
	numtest.Close(t, "class load", r.Classes[0].OfferedLoad, 1*0.125*5, 1e-14)

	w := summarize(t, jobs, SWFOptions{From: 5, To: 25}, nil)
	numtest.Close(t, "rate in a window", w.ArrivalRate, 0.2, 1e-15)
	numtest.Close(t, "load in a window", w.OfferedLoad, 1.7, 1e-14)
	if w = summarize(t, jobs, SWFOptions{To: 1000}, nil); len(w.Warnings) != 1 {
		t.Errorf("a window far beyond the log: %q", w.Warnings)
	}
}

// Class loads add up, a shift of time changes nothing, and doubling the
// processors doubles load and peakedness.
func TestSummaryLaws(t *testing.T) {
	jobs, err := Generate(context.Background(), DAS2(), 5000, 11)
	if err != nil {
		t.Fatal(err)
	}
	base := summarize(t, jobs, SWFOptions{}, nil)
	load, rate := 0.0, 0.0
	for _, c := range base.Classes {
		load, rate = load+c.OfferedLoad, rate+c.Rate
	}
	numtest.Close(t, "sum of class loads", load, base.OfferedLoad, 1e-12)
	numtest.Close(t, "sum of class rates", rate, base.ArrivalRate, 1e-12)
	numtest.Close(t, "rate × gap", base.ArrivalRate*base.InterarrivalMean, 1, 1e-12)
	for i := range jobs {
		jobs[i].Submit += 1 << 33
		jobs[i].Processors *= 2
	}
	moved := summarize(t, jobs, SWFOptions{}, nil)
	numtest.Close(t, "gap scv", moved.InterarrivalSCV, base.InterarrivalSCV, 1e-5)
	numtest.Close(t, "load", moved.OfferedLoad, 2*base.OfferedLoad, 1e-9)
	numtest.Close(t, "peakedness", moved.Peakedness, 2*base.Peakedness, 1e-12)
}

// One in a billion on a large mean: the textbook formula loses it all.
func TestMomentsStable(t *testing.T) {
	var m moments
	for i := range 1000 {
		m.add(1e9 + float64(i%2))
	}
	numtest.Close(t, "variance", m.m2/999, 250.0/999, 1e-6)
}

func TestSummaryHours(t *testing.T) {
	h := &Header{UnixStartTime: 86400 - 1800, TimeZone: 3600, hasZone: true} // 00:30 at UTC+1
	jobs := []Job{{Submit: 0, Run: 1, Processors: 1}, {Submit: 1799, Run: 1, Processors: 1}, {Submit: 1800, Run: 1, Processors: 1}, {Submit: 1800 + 22*3600, Run: 1, Processors: 1}}
	r := summarize(t, jobs, SWFOptions{}, h)
	if r.HourZone != "UTC+01:00" || len(r.HourShare) != 24 || r.HourShare[0].Share != 0.5 || r.HourShare[1].Share != 0.25 || r.HourShare[23].Share != 0.25 {
		t.Errorf("%s %+v", r.HourZone, r.HourShare)
	}
	if r := summarize(t, jobs, SWFOptions{}, nil); r.HourShare != nil {
		t.Errorf("hours without a header: %+v", r.HourShare)
	}
}

func TestSummaryRefuses(t *testing.T) {
	j := Job{Run: 1, Processors: 1}
	for _, c := range []struct {
		jobs []Job
		err  error
	}{
		{nil, ErrTooFew}, {[]Job{j, j}, ErrTooFew}, {[]Job{j, j, j}, ErrDegenerate},
		{[]Job{{Processors: 1}, {Processors: 1}, {Submit: 5, Processors: 1}}, ErrDegenerate},
		{[]Job{j, j, {Submit: 1, Run: math.Inf(1), Processors: 1}}, ErrDegenerate},
	} {
		var s Summarizer
		for _, j := range c.jobs {
			s.Add(j)
		}
		if r, err := s.Summary(SWFOptions{}); !errors.Is(err, c.err) {
			t.Errorf("%+v: %+v, %v, want %v", c.jobs, r, err, c.err)
		}
	}
}
