package sim

import "math"

// mostSections bounds how many histograms a figure holds: enough that a t
// interval from them is hardly wider than one from all replications.
const mostSections = 64

// leastSection is how many values a section needs to be one of its own.
const leastSection = 256

// sections are the values of a quantile in the order in which they came, in up to
// 64 parts of about one size: from the spread between the parts comes the
// interval. Where there are more, neighbours are joined.
type sections struct {
	closed []*packed
	size   int // how many parts were joined in each closed one
	open   *histogram
	held   int // how many are in the open one
}

// push takes a part over.
func (s *sections) push(p *packed) {
	if p == nil || p.n == 0 {
		return
	}
	if s.size = max(s.size, 1); s.size == 1 {
		s.close(p)
		return
	}
	if s.open == nil {
		s.open = new(histogram)
	}
	s.open.joinPacked(p)
	if s.held++; s.held == s.size {
		s.close(s.open.pack())
		s.open, s.held = nil, 0
	}
}

// close takes a full section over.
func (s *sections) close(p *packed) {
	s.closed = append(s.closed, p)
	if len(s.closed) < mostSections {
		return
	}
	for i := range mostSections / 2 {
		both := s.closed[2*i].histogram()
		both.joinPacked(s.closed[2*i+1])
		s.closed[i] = both.pack()
	}
	clear(s.closed[mostSections/2:])
	s.closed = s.closed[:mostSections/2]
	s.size *= 2
}

// all returns the parts, the open one included.
func (s *sections) all() []*packed {
	if s.open == nil {
		return s.closed
	}
	return append(s.closed[:len(s.closed):len(s.closed)], s.open.pack())
}

// estimate returns the p-quantile q of all values and the interval between the
// order statistics of levels p ± h, where h is the half-width of the interval of
// P(X ≤ q) between the parts. So it holds for values that depend on each other
// within a part. An end is infinite where no value is far enough out to bound it.
//
// Source: Law, Simulation Modeling and Analysis, 5th ed., 9.5.3, for P(X ≤ q);
// Woodruff, Confidence intervals for medians, JASA 47, 1952, for its inversion.
func (s *sections) estimate(p float64) (mean, low, high float64) {
	var pool histogram
	parts := s.all()
	for _, h := range parts {
		pool.joinPacked(h)
	}
	b, share := pool.rank(p * float64(pool.n))
	var below pairs
	for _, h := range parts {
		below.add(h.histogram().upTo(b, share), float64(h.n))
	}
	_, half := below.ratio()
	// Some values may stand beyond the quantile even where no part differs from
	// another: the interval is not narrower than that of independent values.
	n := float64(pool.n)
	half = max(half, student(max(1, n-1))*math.Sqrt(p*(1-p)/n))
	low, high = math.Inf(-1), math.Inf(1)
	if at := (p - half) * n; at >= 1 {
		b, _ := pool.rank(at)
		low = edge(b)
	}
	if at := (p + half) * n; at <= n {
		b, _ := pool.rank(at)
		high = value(b, 1)
	}
	return value(b, share), low, high
}
