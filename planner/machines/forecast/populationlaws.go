package forecast

import (
	"math"

	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/smp/frailty"
)

// meanOf is the mean of a stay, at a frailty, all hours alike: half a step until it is
// seen, and then from age 0 on.
func meanOf(m *frailty.Model, theta float64) float64 {
	mean, alive := m.Period/2, 1.0
	for bin := range frailty.Ages / 2 {
		rate := theta * m.Age[bin] / m.Period
		// The bins of ages double in length, and the last one goes on for ever.
		length := math.Ldexp(m.Period, max(bin-1, 0))
		if bin == frailty.Ages/2-1 {
			length = math.Inf(1)
		}
		mean += alive * -math.Expm1(-rate*length) / rate
		alive *= math.Exp(-rate * length)
	}
	return math.Min(mean, longestMean)
}

// Bounds of the laws of all, in seconds: means that package hosts takes.
const (
	longestMean = 3e8 // some ten years
	knotsAnAge  = 3   // of a law, for each doubling of the age
)

// Laws returns those of a stay and of an absence of any of the machines: of machine
// m that leaves every C seconds, with the chances S(t) that what is known of it gives,
//
//	S(t) = Σ S_m(t)/C_m / Σ 1/C_m
//
// at ages that double, all hours alike, and no stay above ten years.
func (p *population) Laws() (up, down law.Law, err error) {
	weights := make([]float64, len(p.members))
	for i, m := range p.members {
		// A machine that comes and goes often has more spells, and so weighs
		// more.
		weights[i] = 1 / (meanOf(p.lost, m.lost.Frailty) + p.away(&m))
	}
	of := func(model *frailty.Model, known func(m *member) frailty.Machine) (law.Law, error) {
		return mixed(model, weights, func(i int) frailty.Machine { return known(&p.members[i]) })
	}
	if up, err = of(p.lost, func(m *member) frailty.Machine { return m.lost }); err != nil {
		return nil, nil, err
	}
	if p.back == nil {
		return up, p.down, nil
	}
	down, err = of(p.back, func(m *member) frailty.Machine { return m.back })
	return up, down, err
}

// mixed is the law of a spell of any of some machines. The steps of age are a
// third of a doubling, fine enough that a straight line between them in log time
// is near the law.
func mixed(model *frailty.Model, weights []float64, known func(i int) frailty.Machine) (law.Law, error) {
	// The first time is far below the period, within which no record shows anything.
	first := model.Period / 64
	chances, times := []float64{0}, []float64{first}
	x := make([]frailty.Machine, len(weights))
	for i := range x {
		x[i] = known(i)
	}
	total := 0.0
	for _, w := range weights {
		total += w
	}
	ahead, before := 0.0, 0.0
	for n := 1; ; n++ {
		t := first * math.Exp2(float64(n)/knotsAnAge)
		for b := before; b < t; { // Λ(t), by age bin
			bin := frailty.Age{Steps: int64(b / model.Period)}.Bin()
			end := math.Min(t, math.Ldexp(model.Period, bin))
			ahead += model.Age[bin] / model.Period * (end - b)
			b = end
		}
		before = t
		alive := 0.0
		for i, w := range weights {
			alive += w * model.Survival(x[i], ahead)
		}
		gone := 1 - alive/total
		if t >= longestMean || gone > 1-1e-5 {
			times, chances = append(times, t), append(chances, 1)
			break
		}
		if gone > chances[len(chances)-1]+1e-9 {
			times, chances = append(times, t), append(chances, gone)
		}
	}
	for i := range times {
		times[i] += model.Period / 2 // until it is seen to have begun
	}
	return law.NewLogLinear(chances, times)
}
