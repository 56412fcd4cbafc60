// Package shift interpolates how many tasks of a bag are left between bags of several numbers of tasks.
package shift

import "math"

// Levels is the number of shares of tasks left whose times a Shift keeps.
const Levels = 400

// A Bag is one of a number of tasks, and how many of these are left at each time.
type Bag struct {
	Tasks  float64
	Undone func(t float64) float64
	Each   []func(t float64) float64 // of listed tasks that are unlike, by kind
}

// A Shift holds the times at which given shares of the tasks are left, for bags of several numbers
// of tasks, between which times are interpolated. If machines are busy until the end of the bag
// this is exact, as n tasks take n/rate.
type Shift struct {
	factors []float64
	shares  []float64   // falling
	times   [][]float64 // by factor and share; +Inf beyond the end of the law
}

// New returns the times of shares from 1 down to least, for laws that end at most and are looked at in so many steps.
func New(factors []float64, all []Bag, least, most float64, steps int) *Shift {
	s := &Shift{factors: factors, shares: shares(least)}
	for _, k := range all {
		times := make([]float64, Levels)
		at, before := 0, k.Tasks
		for i := 1; i <= steps && at < Levels; i++ {
			t := most * float64(i) / float64(steps)
			left := min(before, k.Undone(t))
			for at < Levels && left < s.shares[at]*k.Tasks {
				part := 1.0
				if before > left {
					part = min(1, max(0, (before-s.shares[at]*k.Tasks)/(before-left)))
				}
				times[at] = most * (float64(i-1) + part) / float64(steps)
				at++
			}
			before = left
		}
		for ; at < Levels; at++ {
			times[at] = math.Inf(1)
		}
		s.times = append(s.times, times)
	}
	return s
}

// shares returns shares that fall from 1 to least, first evenly and then by equal factors.
func shares(least float64) []float64 {
	out := make([]float64, Levels)
	const half = Levels / 2
	for i := range half {
		out[i] = 1 - 0.9*float64(i)/half
	}
	for i := range half {
		out[half+i] = 0.1 * math.Pow(least/0.1, float64(i)/(half-1))
	}
	return out
}

// Of returns the times of the shares for a bag with a factor of the mean number of tasks. It uses
// out if it has to interpolate.
func (s *Shift) Of(factor float64, out *[Levels]float64) []float64 {
	k := 0
	for k+2 < len(s.factors) && factor > s.factors[k+1] {
		k++
	}
	if len(s.factors) == 1 {
		return s.times[0]
	}
	part := (factor - s.factors[k]) / (s.factors[k+1] - s.factors[k])
	last, later := 0.0, 0.0
	for i := range out {
		if from, to := s.times[k][i], s.times[k+1][i]; !math.IsInf(from, 1) && !math.IsInf(to, 1) {
			later = to - from // stays the same where the larger bag is beyond the end
		}
		last = max(last, s.times[k][i]+part*later)
		out[i] = last
	}
	return out[:]
}

// Left returns the shares left at moments a step apart, given the times of the shares.
func (s *Shift) Left(times []float64, step float64, moments int) []float64 {
	out := make([]float64, moments)
	at := 0
	for i := range out {
		t := float64(i) * step
		for at < Levels && times[at] <= t {
			at++
		}
		switch {
		case at == 0:
			out[i] = 1
		case at == Levels:
			out[i] = 0
		case math.IsInf(times[at], 1):
			out[i] = s.shares[at-1]
		default:
			part := (t - times[at-1]) / (times[at] - times[at-1])
			out[i] = s.shares[at-1] + part*(s.shares[at]-s.shares[at-1])
		}
	}
	return out
}
