package smp

import "math"

// A sum adds with Neumaier's compensation, so that a million terms cost no
// digits.
type sum struct{ s, c float64 }

func (s *sum) add(x float64) {
	t := s.s + x
	if math.Abs(s.s) >= math.Abs(x) {
		s.c += (s.s - t) + x
	} else {
		s.c += (x - t) + s.s
	}
	s.s = t
}

func (s *sum) value() float64 { return s.s + s.c }
