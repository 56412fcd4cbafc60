package forecast

import (
	"math"

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
// the covariances of a_m(h), by the odds of the hour ([population.observe], [population.oddsByHazard]).
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
		total += sharedOf(p.lost, g, members[g.Name])
	}
	return total + p.hourly()
}

// hourly is the term of the hours.
func (p *population) hourly() float64 {
	weight := make([]float64, len(p.odds))
	for h := range weight {
		weight[h] = 5. / 7 / 24 // of a weekday, then of a weekend
		if h >= 24 {
			weight[h] = 2. / 7 / 24
		}
	}
	there, share := make([]float64, len(weight)), make([]float64, len(weight))
	own := 0.0
	for i := range p.members {
		a := p.members[i].share
		for h, odds := range p.odds {
			share[h] = a / (a + (1-a)/odds)
			there[h] += share[h]
		}
		own += spread(weight, share)
	}
	return max(0, spread(weight, there)-own)
}

// oddsByHazard are how the odds of each hour differ where absences follow a law that was given: machines are away as
// the hazard was before, by about an exponential of the mean absence.
func (p *population) oddsByHazard() []float64 {
	const week = 7 * 24
	keep, hazard := math.Exp(-3600/p.down.Mean()), 1.0
	odds, days := make([]float64, frailty.Hours), make([]float64, frailty.Hours)
	for t := range 5 * week {
		h := t % 24
		if t/24%7 >= 5 {
			h += 24
		}
		hazard = keep*hazard + (1-keep)*p.lost.Hour[h]
		if t >= 4*week {
			odds[h] += hazard
			days[h]++
		}
	}
	for h := range odds {
		odds[h] = days[h] / odds[h]
	}
	return odds
}

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
func sharedOf(lost *frailty.Model, g *frailty.Group, members []*member) float64 {
	if len(members) == 0 {
		return 0
	}
	there := make([]float64, len(g.Frailty))
	variance := 0.0 // of the sum, less that of each
	share := make([]float64, len(g.Frailty))
	for _, m := range members {
		away := meanOf(lost, m.lost.Frailty) * (1 - m.share) / m.share
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
