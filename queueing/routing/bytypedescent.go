package routing

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// byType is the problem of [SplitByType] with the split it stands at.
type byType struct {
	rate     float64
	types    []Type // all of share > 0
	stations []station
	x        [][]float64 // by type and cluster, external requests/s
}

// descend lets types take turns until a sweep gains less than gain, as a share
// of the value, or the sweeps are used up. The cost is convex in the rates of
// one type with the others held, again a hyperbola, so each turn is
// water-filling. No turn raises the value; the end is a stationary point.
func (p *byType) descend(ctx context.Context, sweeps int, gain float64) (float64, error) {
	last := p.value()
	for range sweeps {
		for i := range p.types {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			p.improve(i)
		}
		v := p.value()
		if !(v < last*(1-gain)) {
			return min(v, last), nil
		}
		last = v
	}
	return last, nil
}

// moments of type i at cluster j.
func (p *byType) moments(i, j int) (theta, omega float64) {
	f, g := p.types[i].ratios()
	s := &p.stations[j]
	return f * s.theta, g * s.omega
}

// others sums over the types but i (all for i = −1) what they put on cluster j:
// free = 1 − ρ − Σxθ, weight = Σwx, residual = (Σxω + λμ)/2.
func (p *byType) others(i, j int) (free, weight, residual float64) {
	s := &p.stations[j]
	var busy, w, r numeric.Sum
	busy.Add(s.idle)
	r.Add(s.local / 2)
	for k := range p.types {
		if k == i {
			continue
		}
		theta, omega := p.moments(k, j)
		busy.Add(-p.x[k][j] * theta)
		w.Add(p.types[k].Weight * p.x[k][j])
		r.Add(p.x[k][j] * omega / 2)
	}
	return busy.Value(), w.Value(), r.Value()
}

// marginal of type i at cluster j as a function of its own rate. With
// y = free − xθ the cost is a/y + b + c·y, a = (W + w·free/θ)(R + ω·free/(2θ)).
func (p *byType) marginal(i, j int) hyperbola {
	s := &p.stations[j]
	free, weight, residual := p.others(i, j)
	theta, omega := p.moments(i, j)
	w := p.types[i].Weight
	top := (weight + w*free/theta) * (residual + omega*free/(2*theta))
	at0 := weight*residual/(free*free) + (weight*omega/2+w*residual)/(theta*free)
	return hyperbola{
		start: (w*theta + theta*at0) / s.idle,
		k:     s.idle * free * free / (theta * top),
		limit: free / theta,
	}
}

func (p *byType) improve(i int) {
	rate := p.types[i].Share * p.rate
	f := fill{closed: make([]hyperbola, len(p.stations))}
	for j := range f.closed {
		f.closed[j] = p.marginal(i, j)
	}
	f.prepare()
	if !(rate < f.size) {
		return // rounding next to saturation: keep the point
	}
	was, before := append([]float64(nil), p.x[i]...), p.value()
	f.each(f.solve(rate), rate, func(j int, q point) { p.x[i][j] = q.x })
	if p.value() > before {
		copy(p.x[i], was) // a gain below rounding
	}
}

// stationarity returns type i's multiplier, the mean of its marginals over its
// requests, and the greatest relative violation.
func (p *byType) stationarity(i int) (z, off float64) {
	rate := p.types[i].Share * p.rate
	m := make([]float64, len(p.stations))
	var mean numeric.Sum
	for j := range m {
		h := p.marginal(i, j)
		x := p.x[i][j]
		m[j] = h.marginal(x, h.limit-x)
		mean.Add(x / rate * m[j])
	}
	z = mean.Value()
	for j := range m {
		d := (m[j] - z) / z
		if p.x[i][j] > 0 {
			d = math.Abs(d)
		} else {
			d = -d
		}
		off = max(off, d)
	}
	return z, off
}

func (p *byType) value() float64 {
	var total numeric.Sum
	for j := range p.stations {
		free, weight, residual := p.others(-1, j)
		if weight == 0 {
			continue
		}
		idle := p.stations[j].idle
		total.Add(weight * residual / (idle * free))
		for i := range p.types {
			theta, _ := p.moments(i, j)
			total.Add(p.types[i].Weight * p.x[i][j] * theta / idle)
		}
	}
	return total.Value() / p.rate
}
