package reliability

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A KofN is a k-out-of-n:G system of identical, independent components.
type KofN struct {
	Component
	Needed int // k, the number that must be up, >= 1
	Total  int // n >= k
}

// Figures returns the long-run figures of the system:
//
//	A = Σ_{j=k}^{n} C(n,j) p^j (1-p)^(n-j),    U = Σ_{j<k} of the same terms,
//	ν = k C(n,k) p^k (1-p)^(n-k) / MTTF
//
// where p is the availability of one component. Each of A and U is summed by
// itself from the term next to k on, that term by Loader's saddle-point form;
// the relative error is below 1e-12 also at n = 1e6. (The incomplete beta function
// I_p(k, n-k+1) is the same number; gonum's has a relative error of 1e-10 at
// n = 1e6.) Time O(√n) about. For components that differ see [KOutOf].
func (s KofN) Figures() (Figures, error) {
	const fn = "KofN.Figures"
	if err := all(s.Component.check(fn), atLeast(fn, "Needed", s.Needed, 1)); err != nil {
		return Figures{}, err
	}
	if s.Total < s.Needed {
		return Figures{}, &DomainError{fn, "Total", float64(s.Total), "Total >= Needed"}
	}
	p, q := s.up(), s.down()
	f := Figures{}
	f.Availability, f.Unavailability = binomialSplit(s.Total, s.Needed, p, q)
	f.FailureFrequency = binomialTerm(s.Total, s.Needed, p, q) * float64(s.Needed) / s.MTTF
	return f, nil
}

// binomialSplit returns P(X >= k) and P(X < k) for X ~ Bin(n, p), q = 1-p.
func binomialSplit(n, k int, p, q float64) (atLeast, fewer float64) {
	switch {
	case k <= 0:
		return 1, 0
	case k > n:
		return 0, 1
	}
	if float64(k) > float64(n)*p {
		atLeast = binomialUpper(n, k, p, q)
		if fewer = 1 - atLeast; fewer < 0.9 { // both sums: neither is to be a difference
			fewer = binomialUpper(n, n-k+1, q, p)
		}
		return atLeast, fewer
	}
	fewer = binomialUpper(n, n-k+1, q, p)
	if atLeast = 1 - fewer; atLeast < 0.9 {
		atLeast = binomialUpper(n, k, p, q)
	}
	return atLeast, fewer
}

// binomialUpper returns P(X >= k) for k above the mean or not far below it.
func binomialUpper(n, k int, p, q float64) float64 {
	first := binomialTerm(n, k, p, q)
	if first == 0 {
		return 0
	}
	sum, term := 1.0, 1.0
	for j := k; j < n; j++ {
		term *= float64(n-j) / float64(j+1) * (p / q)
		sum += term
		if term < sum*1e-17 { // terms rise up to the mean and fall from there
			break
		}
	}
	return first * sum
}

// binomialTerm returns C(n,k) p^k q^(n-k) by the saddle-point form of Loader
// 2000, "Fast and accurate computation of binomial probabilities":
//
//	√(n/(2π k (n-k))) exp(δ(n) - δ(k) - δ(n-k) - D(k;np) - D(n-k;nq))
func binomialTerm(n, k int, p, q float64) float64 {
	switch k {
	case 0:
		return powOf(q, p, n)
	case n:
		return powOf(p, q, n)
	}
	if p == 0 || q == 0 {
		return 0
	}
	fn, x := float64(n), float64(k)
	e := numeric.StirlingError(fn) - numeric.StirlingError(x) - numeric.StirlingError(fn-x) -
		deviance(x, fn*p) - deviance(fn-x, fn*q)
	return math.Exp(e) * math.Sqrt(fn/(2*math.Pi*x*(fn-x)))
}

// powOf returns b^n where b = 1 - other, by whichever keeps more digits.
func powOf(b, other float64, n int) float64 {
	if other < 0.5 {
		return math.Exp(float64(n) * math.Log1p(-other))
	}
	return math.Exp(float64(n) * math.Log(b))
}

// deviance returns x log(x/m) + m - x, without cancellation near x = m.
func deviance(x, m float64) float64 {
	if d := x - m; math.Abs(d) < 0.1*(x+m) {
		v := d / (x + m)
		s, t := d*v, 2*x*v
		for j := 1.0; ; j++ {
			t *= v * v
			next := s + t/(2*j+1)
			if next == s {
				return s
			}
			s = next
		}
	}
	return x*math.Log(x/m) + m - x
}

// A SpareCount answers how many components to hold.
type SpareCount struct {
	Total  int     // least n
	Spares int     // n - needed
	At     Figures // figures with n components
	Fewer  Figures // with n - 1, zero if that is below the number needed
}

// Spares returns the least number n of identical, independent components of
// which `needed` are up together with probability at least target, 0 < target
// < 1 (1 returns ErrNoFiniteCount): spares run hot and are repaired. One
// fewer fails. Rounding of the target is treated as in [Replicas].
// Time O(log n) evaluations of [KofN].
func Spares(c Component, needed int, target float64) (SpareCount, error) {
	const fn = "Spares"
	if err := all(c.check(fn), atLeast(fn, "needed", needed, 1), checkTarget(fn, target)); err != nil {
		return SpareCount{}, err
	}
	p, q := c.up(), c.down()
	ok := func(n int) bool {
		up, fewer := binomialSplit(n, needed, p, q)
		return enough(target, up, fewer)
	}
	n, err := leastCount(needed, ok)
	if err != nil {
		return SpareCount{}, fmt.Errorf("reliability: %s: %v: %w", fn, c, err)
	}
	r := SpareCount{Total: n, Spares: n - needed}
	if r.At, err = (KofN{c, needed, n}).Figures(); err != nil {
		return SpareCount{}, err
	}
	if n > needed {
		if r.Fewer, err = (KofN{c, needed, n - 1}).Figures(); err != nil {
			return SpareCount{}, err
		}
	}
	return r, nil
}

// leastCount returns the least n >= from with ok(n), ok being monotone.
func leastCount(from int, ok func(int) bool) (int, error) {
	const limit = min(1<<40, math.MaxInt/4) // twice it is still an int
	lo, hi := from-1, from
	for !ok(hi) {
		if hi > limit {
			return 0, ErrCountTooLarge
		}
		lo, hi = hi, 2*hi
	}
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if ok(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return hi, nil
}
