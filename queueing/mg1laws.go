package queueing

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing/internal/waits"
)

// mg1Laws returns the laws of wait and response, 0 < rho = 1 − gap < 1.
func mg1Laws(service Law, rate, rho, gap float64) [2]WaitLaw {
	service = nearlyConstant(service)
	if l, ok := service.(Exponential); ok {
		eta := gap / l.Mean
		return [2]WaitLaw{waits.Exponential{Wait: rho, Rate: eta}, waits.Exponential{Wait: 1, Rate: eta}}
	}
	times, weights := service.atoms()
	if len(times) > atomsFew {
		if wait, ok := newLatticeWait(times, weights, rate, rho, gap); ok {
			return [2]WaitLaw{wait, latticeResponse{wait, times, weights}}
		}
	}
	wait := newWaitPanels(service, rho, gap)
	if times != nil {
		return [2]WaitLaw{wait, latticeResponse{wait, times, weights}}
	}
	return [2]WaitLaw{wait, panelResponse{wait}}
}

// nearlyConstant replaces a law of SCV up to 1e-20 by its mean. The tail of
// the wait moves by less than 1e-10 of itself: that of the service differs
// only within 1e-9 of the mean.
func nearlyConstant(service Law) Law {
	switch service.(type) {
	case Gamma, ErlangK, Lognormal:
		if m1, _, _ := service.Moments(); scvOf(service) <= 1e-20 {
			return Deterministic{m1}
		}
	}
	return service
}

// mg1Pole returns η > 0 with ρφₑ(−η) = 1 and α such that
// P(W > t) ~ α·e^(−ηt), α = (1−ρ)/(−ρη φₑ′(−η)); ok is false for a law
// without exponential moments.
func mg1Pole(service Law, rho, gap float64) (eta, alpha float64, ok bool) {
	end := service.abscissa()
	if end == 0 {
		return 0, 0, false
	}
	over := func(x float64) float64 {
		v := gap + rho*real(service.residual(complex(-x, 0)))
		if math.IsNaN(v) { // the transform has left the range of float64
			return math.Inf(-1)
		}
		return v
	}
	var hi float64
	if math.IsInf(end, 1) {
		m1, _, _ := service.Moments()
		for hi = gap / m1; over(hi) >= 0 && !math.IsInf(hi, 1); hi *= 2 {
		}
	} else {
		hi = end * (1 - 1e-12)
		if over(hi) >= 0 {
			return 0, 0, false
		}
	}
	eta = numeric.Root(over, 0, gap, hi, over(hi))
	// The derivative by a step along the imaginary axis, free of cancellation.
	step := eta * 1e-30
	slope := imag(service.residual(complex(-eta, step))) / step
	alpha = gap / (rho * eta * slope)
	return eta, alpha, eta > 0 && alpha > 0 && !math.IsInf(alpha, 1)
}

// panelResponse is the law of wait and service together:
//
//	P(T > t) = P(W > t) + (1−ρ)P(S > t) + ∫₀ᵗ P(S > t−u) dP(W ≤ u)
type panelResponse struct{ wait *waitPanels }

func (l panelResponse) Tail(t float64) float64 {
	if t <= 0 {
		return 1
	}
	w := l.wait
	x := t / w.mean
	w.mu.Lock()
	defer w.mu.Unlock()
	w.extend(x)
	if x >= w.end() {
		return w.at(x) * (1 + w.eta/w.rho)
	}
	sum := w.at(x) + w.gap*w.kernel.above(x)
	w.overlap(x, 0, func(p *waitPanel, k *kernelPiece, v, to float64) bool {
		if k.flat {
			sum += k.sum[0] * (p.sum.at(p.place(x-to)) - p.sum.at(p.place(x-v)))
			return true
		}
		r, half := rules(), (to-v)/2
		for i, weight := range r.weight[:] {
			at := v + half*(r.gauss[i]+1)
			sum -= half * weight * p.slope.at(p.place(x-at)) * k.at(at)
		}
		return true
	})
	return sum
}

func (l panelResponse) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.wait.mean) }
