package forecast

import (
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/smp/frailty"
)

// A week is the share of time that a machine is there in each hour, from Monday on.
type week [7 * 24]float64

// kindOf is the hour of an hour of the week, of a weekday or of a weekend.
func kindOf(h int) int { return h%24 + h/(5*24)*24 }

// Frailties of which the course of the week is known: between them it is nearly straight in log θ.
const (
	leastFrailty = -16 // log₂
	frailties    = 49  // half a doubling apart
)

// allWeeks are the courses of machines whose absences follow a law of mean D that was given,
//
//	u' = −u β(hour)/s(θ) + (1 − u)/D
//
// once they repeat from week to week, where s(θ) is the mean stay at frailty θ. Where all hours are
// alike u = s/(s + D), whatever the laws; the way from one hour to the next is that of
// exponential ones. Of hazards that fall with age and of other laws of absences
// TestPopulationByLaw measures what it is off by.
func (p *population) allWeeks() []week {
	all := make([]week, frailties)
	away := 3600 / p.down.Mean()
	for i := range all {
		leave := 3600 / meanOf(p.lost, math.Exp2(leastFrailty+float64(i)/2))
		// What is left of the beginning is a factor, so that a second week from where the first
		// leads, by that factor, is the one that repeats.
		u, left := 0.0, 1.0
		for range 2 {
			for h := range all[i] {
				rate := leave*p.lost.Hour[kindOf(h)] + away
				lasting, decay := away/rate, -math.Expm1(-rate)
				all[i][h] = lasting + (u-lasting)*decay/rate
				u += (lasting - u) * decay
				left *= 1 - decay
			}
			u /= 1 - left
		}
	}
	return all
}

// weekAt is the course at a frailty.
func (p *population) weekAt(theta float64) *week {
	at := 2 * (math.Log2(theta) - leastFrailty)
	i := int(min(max(at, 0), frailties-1.001))
	part := min(max(at-float64(i), 0), 1)
	w := p.weeks[i]
	for h, v := range p.weeks[i+1] {
		w[h] += part * (v - w[h])
	}
	return &w
}

// weekOf is the mean course over what is open of a machine's frailty.
func (p *population) weekOf(x frailty.Machine) *week {
	const parts = 32
	shape := p.lost.Shape + x.Failures
	l, w := law.Gamma{Shape: shape, Scale: x.Frailty / shape}, &week{}
	for i := range parts {
		theta, err := l.Quantile((float64(i) + 0.5) / parts)
		if err != nil {
			theta = x.Frailty
		}
		for h, v := range p.weekAt(theta) {
			w[h] += v / parts
		}
	}
	return w
}

// away is the mean time that a machine is away.
func (p *population) away(m *member) float64 {
	if p.back == nil {
		return p.down.Mean()
	}
	return meanOf(p.lost, m.lost.Frailty) * (1 - m.share) / m.share
}
