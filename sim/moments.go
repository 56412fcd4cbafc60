package sim

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// confidence is that of every interval of the package.
const confidence = 0.95

// pairs are the moments of pairs (x, y) of which the mean ratio is asked, kept
// centred so that nothing cancels.
type pairs struct {
	n             float64
	x, y          float64 // means
	sxx, sxy, syy float64 // sums of squares and products about the means
}

func (p *pairs) add(x, y float64) {
	p.n++
	dx, dy := x-p.x, y-p.y
	p.x += dx / p.n
	p.y += dy / p.n
	p.sxx += dx * (x - p.x)
	p.sxy += dx * (y - p.y)
	p.syy += dy * (y - p.y)
}

// join adds the pairs of another. Source: Chan, Golub & LeVeque 1979.
func (p *pairs) join(o pairs) {
	if o.n == 0 {
		return
	}
	n := p.n + o.n
	dx, dy, w := o.x-p.x, o.y-p.y, p.n*o.n/n
	p.sxx += o.sxx + dx*dx*w
	p.sxy += o.sxy + dx*dy*w
	p.syy += o.syy + dy*dy*w
	p.x += dx * o.n / n
	p.y += dy * o.n / n
	p.n = n
}

// ratio returns x̄/ȳ and the half-width of its interval,
//
//	t √(Σ (xᵢ − r yᵢ)²/(n − 1)/n)/ȳ
//
// +Inf for fewer than two pairs. Source: Law, Simulation Modeling and Analysis,
// 5th ed., 9.5.3 (the classical ratio estimator).
func (p *pairs) ratio() (r, half float64) {
	r = p.x / p.y
	if p.n < 2 {
		return r, math.Inf(1)
	}
	ss := max(0, p.sxx-2*r*p.sxy+r*r*p.syy)
	return r, student(p.n-1) * math.Sqrt(ss/(p.n-1)/p.n) / math.Abs(p.y)
}

// unseen returns the interval of a share of which none or all of the y counted were
// seen, where runs that are alike say nothing of how far it may be from 0 or 1:
//
//	0 to 1 − q^(1/n),  q^(1/n) to 1,  q = 2.5 %, n = Σ yᵢ
//
// as if each counted alone; what comes in clusters may be more frequent. Source: Clopper
// & Pearson, Biometrika 26, 1934.
func (p *pairs) unseen(share float64) (low, high float64) {
	reach := -math.Expm1(math.Log((1-confidence)/2) / (p.y * p.n))
	switch share {
	case 0:
		return 0, reach
	case 1:
		return 1 - reach, 1
	}
	return share, share
}

// student returns the quantile of Student's t that leaves half of what the
// confidence lacks above it.
func student(degrees float64) float64 {
	if degrees > 1e6 {
		return distuv.UnitNormal.Quantile((1 + confidence) / 2)
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: degrees}.Quantile((1 + confidence) / 2)
}
