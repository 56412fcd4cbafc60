package forecast

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/smp/frailty"
)

// SharedVariance is what the frailties which groups share, and which their records
// leave open, add to the variance of the number of machines there: over the law of each
// group's φ the covariance of each two of its machines,
//
//	Σ_g Σ_{m≠l} Cov[a_m(φ), a_l(φ)],   a_m = s_m(φ)/(s_m(φ) + away_m),   away_m = s_m (1 − A_m)/A_m
//
// where s_m(φ) is the mean stay of machine m at its mean frailty given φ, φ(k + d)/(k + φL),
// s_m that at its frailty over all φ and A_m its share of time. Machines of much record
// have little of it: the less d says, the more φ does. Once the groups' frailties are
// drawn each machine comes and goes for itself, but for the hours of the week: to these, to which all answer alike, owe
// the covariances of a_m(h), by the odds of the hour ([population.observe], [population.weekOf]).
func (p *population) SharedVariance() float64 {
	members := map[string][]*member{}
	for i := range p.members {
		if m := &p.members[i]; m.lost.Group != "" && m.share < 1 {
			members[m.lost.Group] = append(members[m.lost.Group], m)
		}
	}
	total := 0.0
	for i := range p.lost.Groups {
		g := &p.lost.Groups[i]
		total += p.sharedOf(g, members[g.Name])
	}
	return total + p.hourly()
}

// hourly is the term of the hours.
func (p *population) hourly() float64 {
	var there week
	own := 0.0
	for i := range p.members {
		m := &p.members[i]
		hours := m.hours
		if hours == nil {
			hours = &week{}
			for h := range hours {
				hours[h] = share(m.share, p.odds[kindOf(h)])
			}
		}
		for h, v := range hours {
			there[h] += v * float64(p.alike)
		}
		own += stat.PopVariance(hours[:], nil) * float64(p.alike)
	}
	return max(0, stat.PopVariance(there[:], nil)-own)
}

// share is that of time at odds which differ from those of a share by a factor.
func share(of, odds float64) float64 { return of / (of + (1-of)/odds) }

// spread is the variance of values that have these weights.
func spread(weight, of []float64) float64 {
	mean, square := 0.0, 0.0
	for j, v := range of {
		mean += weight[j] * v
	}
	for j, v := range of {
		square += weight[j] * (v - mean) * (v - mean)
	}
	return square
}

// sharedOf is the term of one group.
func (p *population) sharedOf(g *frailty.Group, members []*member) float64 {
	lost := p.lost
	if len(members) == 0 {
		return 0
	}
	there := make([]float64, len(g.Frailty))
	variance := 0.0 // of the sum, less that of each
	share := make([]float64, len(g.Frailty))
	for _, m := range members {
		away := p.away(m)
		for j, phi := range g.Frailty {
			if g.Weight[j] > 1e-9 {
				stay := meanOf(lost, phi*(lost.Shape+m.lost.Failures)/(lost.Shape+phi*m.lost.Expected))
				share[j] = stay / (stay + away)
				there[j] += share[j]
			}
		}
		// What each machine has by itself is taken off, so that the covariances
		// are left.
		variance -= spread(g.Weight, share)
	}
	return math.Max(0, variance+spread(g.Weight, there))
}
