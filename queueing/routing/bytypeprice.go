package routing

import (
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
)

// prices bound the cost of any split from below by a price z of all requests of
// each type (the Lagrangian dual):
//
//	Σᵢ zᵢ + Σⱼ min over y of (Σᵢ (cᵢⱼ − zᵢ)yᵢ + WⱼRⱼ/Fⱼ)
//
// for the constraints Σⱼ yᵢⱼ = 1 cost nothing where they hold. It holds for any
// z. The greatest over z is the cost of clusters that share their time between
// modes ([shareForm.modes]); it leaves the less open the more clusters there
// are for each type, and the narrower the spans of their ratios.
type prices struct {
	q     *shareForm
	spans []span
	z     []float64
	scale []float64 // of each price, > 0: what its type costs at least
	tau   float64   // of the smooth minimum
	y     []float64 // of the time shared: the mean of the modes, by cluster, then type
	open  []float64 // by cluster, what the mean of the modes costs more than they
	spent float64   // operations

	// damping of the steps, more after one that went too far (Levenberg,
	// Marquardt).
	damping float64

	list                  []mode
	gradient, step, trial []float64
	hessian, inverse      []float64
}

// mostDamping makes steps of a billionth of a price and less where longer ones gain nothing.
const mostDamping = 1e9

func newPrices(q *shareForm) *prices {
	n := q.types
	p := &prices{
		q:        q,
		scale:    q.leastPrices(),
		damping:  1e-3,
		z:        make([]float64, n),
		y:        make([]float64, n*q.clusters),
		open:     make([]float64, q.clusters),
		gradient: make([]float64, n),
		step:     make([]float64, n),
		trial:    make([]float64, n),
		hessian:  make([]float64, n*n),
		inverse:  make([]float64, n*n),
	}
	most := slices.Max(p.scale)
	for i := range p.scale { // a type of weight 0 costs by what it keeps others waiting
		p.scale[i] = max(p.scale[i], 1e-3*most, 1e-300)
	}
	return p
}

// modes lists those of cluster j at z, with the least of their costs and
// Σ exp((least − h)/τ) over them; +Inf and 0 where there is none.
func (p *prices) modes(j int, z []float64) (least, all float64) {
	p.list = p.q.modes(j, p.spans[j], z, p.list[:0])
	least = math.Inf(1)
	for k := range p.list {
		least = min(least, p.list[k].h)
	}
	for k := range p.list {
		all += p.weight(k, least)
	}
	n := float64(len(z))
	p.spent += 12*n + 8*float64(len(p.list))
	if p.spans[j].low > 0 || p.spans[j].high < math.Inf(1) {
		p.spent += 2 * n * n
	}
	return least, all
}

// weight of mode k in the smooth minimum, before it is made to add up.
func (p *prices) weight(k int, least float64) float64 {
	const last = -40 // e⁻⁴⁰ is below rounding beside 1
	if x := (least - p.list[k].h) / p.tau; x > last {
		return math.Exp(x)
	}
	return 0
}

// bounds returns the bound at z and a smooth one, with −τ ln Σ exp(−h/τ) for
// the least of the modes of a cluster, which is below it by at most τ times the
// logarithm of their number. +Inf: some cluster can have no ratio of its span.
func (p *prices) bounds(ctx context.Context, z []float64) (exact, smooth float64, err error) {
	var total, soft numeric.Sum
	for _, v := range z {
		total.Add(v)
		soft.Add(v)
	}
	for j := range p.q.clusters {
		if j%1024 == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		least, all := p.modes(j, z)
		if all == 0 {
			return math.Inf(1), math.Inf(1), nil
		}
		total.Add(least)
		soft.Add(least - p.tau*math.Log(all))
	}
	return total.Value(), soft.Value(), nil
}

// expand sets gradient and Hessian (negated) of the smooth bound at p.z, and
// what the modes mix to, and returns the bounds.
func (p *prices) expand(ctx context.Context) (exact, smooth float64, err error) {
	q, n := p.q, p.q.types
	for i := range p.gradient {
		p.gradient[i] = 1
	}
	clear(p.hessian)
	var total, soft numeric.Sum
	for _, v := range p.z {
		total.Add(v)
		soft.Add(v)
	}
	for j := range q.clusters {
		if j%256 == 0 && ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		least, all := p.modes(j, p.z)
		if all == 0 {
			return math.Inf(1), math.Inf(1), nil
		}
		total.Add(least)
		soft.Add(least - p.tau*math.Log(all))
		mean := p.y[j*n : (j+1)*n]
		cost := p.mix(mean, least, all)
		p.spent += 3 * float64(n*n)
		w, r, f := q.sumsOf(mean, j)
		p.open[j] = w*r/f - cost
		for i, x := range mean {
			if x == 0 {
				continue
			}
			p.open[j] += (q.c[j*n+i] - p.z[i]) * x
			p.gradient[i] -= x
			for k, v := range mean {
				p.hessian[i*n+k] -= x * v / p.tau
			}
		}
	}
	return total.Value(), soft.Value(), nil
}

// mix sets mean to that of the modes in the list, adds their curvature to the
// Hessian, and returns the mean of their costs.
func (p *prices) mix(mean []float64, least, all float64) (cost float64) {
	n := p.q.types
	clear(mean)
	for k := range p.list {
		m, part := &p.list[k], p.weight(k, least)/all
		if part == 0 {
			continue
		}
		cost += part * m.h
		if m.i < 0 {
			continue
		}
		mean[m.i] += part * m.y
		if m.k < 0 {
			p.hessian[m.i*n+m.i] += part * (m.slope + m.y*m.y/p.tau)
			continue
		}
		mean[m.k] += part * m.v
		p.hessian[m.i*n+m.i] += part * (m.slope*m.tilt*m.tilt + m.y*m.y/p.tau)
		p.hessian[m.k*n+m.k] += part * (m.slope + m.v*m.v/p.tau)
		both := part * (m.slope*m.tilt + m.y*m.v/p.tau)
		p.hessian[m.i*n+m.k] += both
		p.hessian[m.k*n+m.i] += both
	}
	return cost
}

// climb takes one step of Newton's method up the smooth bound, and returns the
// exact bound before it and twice what the step would gain of a parabola.
func (p *prices) climb(ctx context.Context) (exact, rise float64, err error) {
	n := p.q.types
	exact, at, err := p.expand(ctx)
	if err != nil || math.IsInf(exact, 1) {
		return exact, 0, err
	}
	// A type that no cluster takes at its price has no curvature: damping keeps
	// its step in the order of the price, which may be 0 on its way: from there steps of its
	// own order led nowhere, and whether it came there was a matter of rounding.
	for i := range n {
		p.hessian[i*n+i] += 1e-9*p.hessian[i*n+i] + p.damping/math.Max(math.Abs(p.z[i]), p.scale[i])
	}
	p.spent += float64(n * n * n)
	if !invert(p.hessian, p.inverse, n) {
		return exact, 0, nil
	}
	multiply(p.inverse, p.gradient, p.step, n)
	for i, g := range p.gradient {
		rise += g * p.step[i]
	}
	for t := 1.0; t > 1e-6; t /= 2 {
		for i := range p.trial {
			p.trial[i] = p.z[i] + t*p.step[i]
		}
		_, v, err := p.bounds(ctx, p.trial)
		if err != nil {
			return exact, 0, err
		}
		if v >= at+1e-4*t*rise {
			copy(p.z, p.trial)
			if t == 1 {
				p.damping = max(p.damping/10, 1e-6)
			} else if t < 0.2 {
				p.damping = min(p.damping*10, 1)
			}
			return exact, rise, nil
		}
	}
	if p.damping < mostDamping { // next to a kink whose smoothing is far below the prices
		p.damping = min(p.damping*100, mostDamping)
		return exact, rise, nil
	}
	return exact, 0, nil
}
