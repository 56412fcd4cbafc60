package baseline

import (
	"math"
	"slices"
)

// Loads are the samples of one host on the grid of its history. What lies
// between the spans has no sample, and takes no memory.
type Loads struct {
	Period float64
	Spans  []LoadSpan // ascending, without overlap
}

// A LoadSpan holds the loads of steps First … First+Steps−1.
type LoadSpan struct {
	First, Steps int64
	Values       []float64 // one a step, 0..1, NaN where there is no sample, as beyond the last; nil: all are Load
	Load         float64
}

// End returns the step behind the span.
func (s *LoadSpan) End() int64 { return s.First + s.Steps }

// at returns the load of a step of the span.
func (s *LoadSpan) at(step int64) float64 {
	if s.Values == nil {
		return s.Load
	}
	if i := step - s.First; i >= 0 && i < int64(len(s.Values)) {
		return s.Values[i]
	}
	return math.NaN()
}

// apart is the number of steps without a sample from which on another span
// takes less memory than their NaN.
const apart = 8

// Add appends the load of a step behind all others; of two loads for one step
// the first stays.
func (l *Loads) Add(step int64, load float64) {
	if n := len(l.Spans); n > 0 {
		s := &l.Spans[n-1]
		switch gap := step - s.End(); {
		case gap < 0:
			return
		case gap <= apart && s.Values != nil:
			for range gap {
				s.Values = append(s.Values, math.NaN())
			}
			s.Values, s.Steps = append(s.Values, load), s.Steps+gap+1
			return
		}
	}
	l.Spans = append(l.Spans, LoadSpan{First: step, Steps: 1, Values: []float64{load}})
}

// At returns the load of a step, NaN where there is no sample.
func (l *Loads) At(step int64) float64 {
	i := l.find(step)
	if i == len(l.Spans) || step < l.Spans[i].First {
		return math.NaN()
	}
	return l.Spans[i].at(step)
}

// find returns the first span that ends behind a step.
func (l *Loads) find(step int64) int {
	i, _ := slices.BinarySearchFunc(l.Spans, step, func(s LoadSpan, step int64) int {
		if s.End() <= step {
			return -1
		}
		return 1
	})
	return i
}

// Sum returns the sum of the loads of steps from … to−1 and how many there are.
// Time is that of the samples among them and of the spans, not of the steps.
func (l *Loads) Sum(from, to int64) (total float64, count int64) {
	for i := l.find(from); i < len(l.Spans) && l.Spans[i].First < to; i++ {
		s := &l.Spans[i]
		first, end := max(from, s.First), min(to, s.End())
		if s.Values == nil {
			total += s.Load * float64(end-first)
			count += end - first
			continue
		}
		if end = min(end, s.First+int64(len(s.Values))); first >= end {
			continue
		}
		for _, v := range s.Values[first-s.First : end-s.First] {
			if !math.IsNaN(v) {
				total += v
				count++
			}
		}
	}
	return total, count
}

// Each hands out the loads of steps from … to−1 that are there, until f returns
// false: a span of one load can be longer than anybody would want to see.
func (l *Loads) Each(from, to int64, f func(step int64, load float64) bool) {
	if f == nil {
		return
	}
	for i := l.find(from); i < len(l.Spans) && l.Spans[i].First < to; i++ {
		s := &l.Spans[i]
		end := min(to, s.End())
		if s.Values != nil {
			end = min(end, s.First+int64(len(s.Values)))
		}
		for step := max(from, s.First); step < end; step++ {
			if v := s.at(step); !math.IsNaN(v) && !f(step, v) {
				return
			}
		}
	}
}

// between appends the values of steps from … to−1 that are there.
func (l *Loads) between(out []float64, from, to int64) []float64 {
	l.Each(from, to, func(_ int64, v float64) bool {
		out = append(out, v)
		return true
	})
	return out
}
