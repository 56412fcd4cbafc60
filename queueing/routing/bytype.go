package routing

import (
	"context"
	"math"
)

// A TypeSplit routes each type of external request its own way.
type TypeSplit struct {
	Rate  float64     // Λ, external requests/s, all types
	Rates [][]float64 // by type and cluster, external requests/s
	// Responses are Tⱼⁱ by type and cluster, s, also where the rate is 0.
	Responses [][]float64
	// Value is the mean of weight times response over external requests, s.
	Value float64
	// Common is the Value of the best split with the same mix everywhere
	// ([WeightedTypes]), where the search started; Value ≤ Common.
	Common float64
	// Multipliers by type: the marginal of every cluster in use by that type.
	Multipliers []float64
	// Stationarity is the greatest violation of the conditions of a stationary
	// point, relative to the type's multiplier.
	Stationarity float64
	Sweeps       int
	Converged    bool // false where the sweeps ran out first
}

// SplitByType minimises the weighted mean response of several types of request,
// each free to favour other clusters,
//
//	Σⱼ Σᵢ weightᵢ xᵢⱼ Tⱼⁱ / Λ,   Tⱼⁱ = (1/(1−ρ)) (θᵢ + (Σₖ xₖω_k + λμ)/(2(1 − ρ − Σₖ xₖθ_k)))
//
// for clusters of one server, with first come first served across types.
//
// This is not convex: the waiting term is a product of two different sums over
// types, (Σ wₖxₖ)(Σ ωₖxₖ). It is convex in the rates of one type with the others
// held, again a hyperbola, so types take turns with water-filling until a sweep
// gains less than 1e-13. No step raises Value, and the end is a stationary
// point, which need not be the global optimum.
//
// Errors as for [Minimize]; clusters of several servers are a *DomainError; ctx
// is asked between sweeps.
func SplitByType(ctx context.Context, clusters []Cluster, rate float64, types []Type) (TypeSplit, error) {
	const fn = "SplitByType"
	start, err := minimize(fn, clusters, rate, WeightedTypes{Types: types})
	if err != nil {
		return TypeSplit{}, err
	}
	p := byType{rate: rate, types: types, stations: make([]station, len(clusters))}
	for j := range clusters {
		if c := clusters[j].servers(); c != 1 {
			return TypeSplit{}, &DomainError{fn, label(&clusters[j], j), "servers", c, "1 server"}
		}
		if p.stations[j], err = clusters[j].station(fn, j); err != nil {
			return TypeSplit{}, err
		}
	}
	p.x = make([][]float64, len(types))
	for i := range types {
		p.x[i] = make([]float64, len(clusters))
		for j := range clusters {
			p.x[i][j] = types[i].Share * start.Routes[j].Rate
		}
	}
	out := TypeSplit{Rate: rate, Common: start.Value, Multipliers: make([]float64, len(types))}
	last := p.value()
	const maxSweeps = 10000
	for out.Sweeps = 1; out.Sweeps <= maxSweeps && !out.Converged; out.Sweeps++ {
		if err := ctx.Err(); err != nil {
			return TypeSplit{}, err
		}
		for i := range types {
			p.improve(i)
		}
		v := p.value()
		out.Converged = !(v < last*(1-1e-13))
		last = min(v, last)
	}
	out.Sweeps--
	for i := range types {
		z, off := p.stationarity(i)
		out.Multipliers[i], out.Stationarity = z, max(out.Stationarity, off)
	}
	out.Rates, out.Value = p.x, p.value()
	out.Responses = p.responses()
	return out, nil
}

type byType struct {
	rate     float64
	types    []Type
	stations []station
	x        [][]float64
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
	var busy, w, r sum
	busy.add(s.idle)
	r.add(s.local / 2)
	for k := range p.types {
		if k == i {
			continue
		}
		theta, omega := p.moments(k, j)
		busy.add(-p.x[k][j] * theta)
		w.add(p.types[k].Weight * p.x[k][j])
		r.add(p.x[k][j] * omega / 2)
	}
	return busy.value(), w.value(), r.value()
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
	if rate == 0 {
		return
	}
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
	if rate == 0 {
		return 0, 0
	}
	m := make([]float64, len(p.stations))
	var mean sum
	for j := range m {
		h := p.marginal(i, j)
		x := p.x[i][j]
		m[j] = h.marginal(x, h.limit-x)
		mean.add(x / rate * m[j])
	}
	z = mean.value()
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
	var total sum
	for j := range p.stations {
		free, weight, residual := p.others(-1, j)
		if weight == 0 {
			continue
		}
		idle := p.stations[j].idle
		total.add(weight * residual / (idle * free))
		for i := range p.types {
			theta, _ := p.moments(i, j)
			total.add(p.types[i].Weight * p.x[i][j] * theta / idle)
		}
	}
	return total.value() / p.rate
}

func (p *byType) responses() [][]float64 {
	out := make([][]float64, len(p.types))
	for i := range out {
		out[i] = make([]float64, len(p.stations))
		for j := range p.stations {
			free, _, residual := p.others(-1, j)
			theta, _ := p.moments(i, j)
			out[i][j] = (theta + residual/free) / p.stations[j].idle
		}
	}
	return out
}
