package numeric

import "math"

// A Sum adds with Neumaier's compensation, so that a million terms cost no
// digits.
type Sum struct{ s, c float64 }

// Add adds x.
func (s *Sum) Add(x float64) {
	t := s.s + x
	if math.Abs(s.s) >= math.Abs(x) {
		s.c += (s.s - t) + x
	} else {
		s.c += (x - t) + s.s
	}
	s.s = t
}

// Value is the sum so far.
func (s *Sum) Value() float64 { return s.s + s.c }
