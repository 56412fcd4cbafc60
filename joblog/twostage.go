package joblog

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/internal/source"
)

// TwoStage is Lublin's two-stage log-uniform law of job sizes: r = log2 of the
// size is uniform on [L, M] with probability Q and on [M, H] otherwise. The
// size is 2^r rounded to the nearest whole number.
type TwoStage struct {
	L float64 `json:"l"` // >= -1, so that the least size is 1
	M float64 `json:"m"` // L < M < H
	H float64 `json:"h"` // <= log2 of the machine's processors
	Q float64 `json:"q"` // 0..1
}

func (t TwoStage) check(fn, arg string) error {
	if !(finite(t.L, t.M, t.H, t.Q) && t.L >= -1 && t.L < t.M && t.M < t.H && t.H <= 29 && t.Q >= 0 && t.Q <= 1) {
		return &source.DomainError{
			Func:  fn,
			Arg:   arg,
			Value: t,
			Want:  "-1 <= l < m < h <= 29 and 0 <= q <= 1",
		}
	}
	return nil
}

// CDF returns P(r ≤ x), x on the log2 scale.
func (t TwoStage) CDF(x float64) float64 {
	switch {
	case x <= t.L:
		return 0
	case x <= t.M:
		return t.Q * (x - t.L) / (t.M - t.L)
	case x < t.H:
		return t.Q + (1-t.Q)*(x-t.M)/(t.H-t.M)
	}
	return 1
}

// Probability returns P(size = s) = F(log2(s + ½)) − F(log2(s − ½)), s ≥ 1.
func (t TwoStage) Probability(s int) float64 {
	if s < 1 {
		return 0
	}
	return t.CDF(math.Log2(float64(s)+0.5)) - t.CDF(math.Log2(float64(s)-0.5))
}

// MeanLog2 returns E[r] = (q l + m + (1 − q) h)/2 (InterGrid eq. 29).
func (t TwoStage) MeanLog2() float64 { return (t.Q*t.L + t.M + (1-t.Q)*t.H) / 2 }

// Mean returns E[2^r], the mean before rounding:
//
//	q (2^m − 2^l)/((m − l) ln 2) + (1 − q)(2^h − 2^m)/((h − m) ln 2)
//
// It is not 2^E[r], which InterGrid eq. 28 prints and which is lower.
func (t TwoStage) Mean() float64 {
	return t.Q*meanPow2(t.L, t.M) + (1-t.Q)*meanPow2(t.M, t.H)
}

// meanPow2 is the mean of 2^r for r uniform on [a, b].
func meanPow2(a, b float64) float64 {
	d := (b - a) * math.Ln2
	return math.Exp2(a) * math.Expm1(d) / d
}

// MeanSize returns the mean of the rounded size: Σ s·P(size = s) up to 1024,
// and the integral of 2^r above, where rounding changes less than 1 part in
// 10⁶.
func (t TwoStage) MeanSize() float64 {
	const cut = 1024
	sum := 0.0
	for s := 1; s <= cut && math.Log2(float64(s)-0.5) < t.H; s++ {
		sum += float64(s) * t.Probability(s)
	}
	edge := math.Log2(cut + 0.5)
	if a := max(edge, t.L); a < t.M {
		sum += t.Q * (t.M - a) / (t.M - t.L) * meanPow2(a, t.M)
	}
	if a := max(edge, t.M); a < t.H {
		sum += (1 - t.Q) * (t.H - a) / (t.H - t.M) * meanPow2(a, t.H)
	}
	return sum
}

// draw returns r.
func (t TwoStage) draw(rng *rand.Rand) float64 {
	u, v := rng.Float64(), rng.Float64()
	if u < t.Q {
		return t.L + v*(t.M-t.L)
	}
	return t.M + v*(t.H-t.M)
}
