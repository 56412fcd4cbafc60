package law

import (
	"math"
	"math/rand/v2"
)

// TwoStage is Lublin's two-stage log-uniform law of job sizes: r = log2 of the
// size is uniform on [L, M] with probability Q and on [M, H] otherwise. The
// size is 2^r, or the nearest whole number to it.
type TwoStage struct {
	L float64 `json:"l"` // finite
	M float64 `json:"m"` // L < M < H
	H float64 `json:"h"` // <= log2 of the machine's processors
	Q float64 `json:"q"` // 0..1
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

// Moment returns E[(2^r)ᵏ], k ≥ 1, of the size before rounding:
//
//	q (2^km − 2^kl)/(k(m−l) ln 2) + (1−q)(2^kh − 2^km)/(k(h−m) ln 2)
//
// The mean, k = 1, is not 2^E[r], which InterGrid eq. 28 prints and which is
// lower.
func (t TwoStage) Moment(k int) float64 {
	return t.average(func(a, b float64) float64 { return powerMean(float64(k), a, b) })
}

// CeilMoment returns E[(2^⌈r⌉)ᵏ], of the size rounded up to a power of two. Time
// grows with H - L. It is NaN beyond sizes of 2^±10000, which no float64 holds.
func (t TwoStage) CeilMoment(k int) float64 {
	return t.average(func(a, b float64) float64 {
		if !(math.Abs(a) <= 10_000 && math.Abs(b) <= 10_000) {
			return math.NaN()
		}
		sum := 0.0
		for n := math.Floor(a); n < b; n++ {
			sum += math.Exp2(float64(k)*(n+1)) * (min(b, n+1) - max(a, n)) / (b - a)
		}
		return sum
	})
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
		sum += t.Q * (t.M - a) / (t.M - t.L) * powerMean(1, a, t.M)
	}
	if a := max(edge, t.M); a < t.H {
		sum += (1 - t.Q) * (t.H - a) / (t.H - t.M) * powerMean(1, a, t.H)
	}
	return sum
}

// Draw returns a value of r, NaN without a source.
func (t TwoStage) Draw(rng *rand.Rand) float64 {
	if rng == nil {
		return math.NaN()
	}
	u, v := rng.Float64(), rng.Float64()
	if u < t.Q {
		return t.L + v*(t.M-t.L)
	}
	return t.M + v*(t.H-t.M)
}

// average mixes the means over the two stages.
func (t TwoStage) average(mean func(a, b float64) float64) float64 {
	return t.Q*mean(t.L, t.M) + (1-t.Q)*mean(t.M, t.H)
}

// powerMean is the mean of 2^kr for r uniform on [a, b].
func powerMean(k, a, b float64) float64 {
	d := k * (b - a) * math.Ln2
	return math.Exp2(k*a) * math.Expm1(d) / d
}
