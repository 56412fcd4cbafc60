package sharing

import "math"

// mostStates is the number of states up to which they are gone through one by one.
const mostStates = 1500

// A chain holds functions of the number present by their values √wₙ·fₙ, in
// which A is symmetric and tridiagonal.
type chain struct {
	diagonal []float64 // of A; those beside it are off, with their signs turned
	off      []float64
	pivot    []float64 // of 1 + γA
	start    []float64 // √w
	gamma    float64
}

func newChain(w *weights, gamma float64) *chain {
	size := int(w.last-w.first) + 1
	s := &chain{
		diagonal: make([]float64, size), off: make([]float64, size), pivot: make([]float64, size),
		start: make([]float64, size), gamma: gamma,
	}
	if w.load == 0 {
		s.diagonal[0], s.pivot[0], s.start[0] = 1, 1+gamma, 1
		return s
	}
	for i := range size {
		n := w.first + float64(i)
		s.start[i] = math.Exp((w.log(n) - w.top) / 2)
		rate := w.rate(n)
		s.diagonal[i] = rate
		if i > 0 {
			s.diagonal[i] += n * rate
		}
		if i < size-1 {
			s.diagonal[i] += w.load
			s.off[i] = math.Sqrt(w.load * (n + 1) * w.rate(n+1))
		}
	}
	for i := range size {
		s.pivot[i] = 1 + gamma*s.diagonal[i]
		if i > 0 {
			e := gamma * s.off[i-1]
			s.pivot[i] -= e * e / s.pivot[i-1]
		}
	}
	return s
}

func (s *chain) one() []float64 { return append([]float64(nil), s.start...) }

func (s *chain) times(v, out []float64) {
	for i, x := range v {
		y := s.diagonal[i] * x
		if i > 0 {
			y -= s.off[i-1] * v[i-1]
		}
		if i < len(v)-1 {
			y -= s.off[i] * v[i+1]
		}
		out[i] = y
	}
}

func (s *chain) solve(v, out []float64) {
	for i, x := range v {
		if out[i] = x; i > 0 {
			out[i] += s.gamma * s.off[i-1] / s.pivot[i-1] * out[i-1]
		}
	}
	for i := len(v) - 1; i >= 0; i-- {
		out[i] /= s.pivot[i]
		if i > 0 {
			out[i-1] += s.gamma * s.off[i-1] * out[i]
		}
	}
}
