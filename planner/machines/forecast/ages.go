package forecast

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/frailty"
)

// An aged is one of the ages that a machine may have when the window begins, and
// what is expected from then on at frailty 1.
type aged struct {
	weight float64
	ahead  []frailty.Ahead // by steps
	spread float64         // relative variance at the window's end
}

// seenAges returns how often a machine of the fleet had an age in the hour of the
// week in which a window begins, by bin of age, and how often in all: 0 where the age
// is given, or none was ever seen.
func (f *Fleet) seenAges(w frailty.Window, given bool) (shares map[int]float64, total float64) {
	shares = map[int]float64{}
	if given {
		return shares, 0
	}
	hour := (frailty.Clock{Period: f.Hazard.Period, Calendar: f.calendar()}).Hour(w.First)
	for _, same := range []bool{true, false} { // of any hour where that one was never seen
		for i := range f.Records {
			f.Records[i].Exposure.Each(func(age, h int, n int64) {
				if h == hour || !same {
					shares[age] += float64(n)
					total += float64(n)
				}
			})
		}
		if total > 0 {
			break
		}
	}
	return shares, total
}

// ages returns the ages at the beginning of a window: the one that is given, or,
// where none is, those that the machines of the fleet had in that hour of the week,
// by how long they had them. Each age has its own expectation, and the chance to
// stay free is their weighted mean.
func (f *Fleet) ages(w frailty.Window, given bool) ([]aged, error) {
	shares, total := f.seenAges(w, given)
	var out []aged
	add := func(age frailty.Age, weight float64) error {
		w.Age = age
		ahead, err := f.Hazard.Aheads(f.calendar(), w)
		if err != nil {
			return machines.InputError(err)
		}
		spread, err := f.Hazard.Uncertainty(f.calendar(), w)
		if err != nil {
			return machines.InputError(err)
		}
		out = append(out, aged{weight, ahead, spread})
		return nil
	}
	if total == 0 {
		return out, add(w.Age, 1)
	}
	for bin := range frailty.Ages {
		if shares[bin] > 0 {
			if err := add(frailty.AgeOf(bin), shares[bin]/total); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// survival returns the chance of a machine to stay free for some steps.
func survival(m *frailty.Model, x frailty.Machine, ages []aged, steps int) float64 {
	p := 0.0
	for _, a := range ages {
		p += a.weight * m.Foresee(x, a.ahead[steps])
	}
	return min(p, 1)
}

// known is survival where the hazard is known, as bands take it to be: they add what is
// not known of it themselves.
func known(m *frailty.Model, x frailty.Machine, ages []aged, steps int) float64 {
	p := 0.0
	for _, a := range ages {
		p += a.weight * m.Survival(x, a.ahead[steps].Expected)
	}
	return min(p, 1)
}

// expected returns the failures at frailty 1 with which the machine stays free with
// chance p. It turns a chance over several ages back into one number of failures,
// by which bands and joint laws go on. Where p is the mean over ages, near, their mean, is just
// above it, as the chance is convex in the failures; other numbers serve as well.
func expected(m *frailty.Model, x frailty.Machine, p, near float64) float64 {
	low, high := 0.0, near
	if !(near > 0) {
		high = 1
	}
	over, under := 1-p, m.Survival(x, high)-p
	// The upper end doubles until it is enough. A machine that is known never to
	// fail has no such end, and the search stops at the largest numbers.
	for under > 0 && high < math.MaxFloat64/4 {
		low, over = high, under
		high *= 2
		under = m.Survival(x, high) - p
	}
	enough := 1e-10 * min(p, 1-p) // of p, ten digits of the failures
	return numeric.Root(func(l float64) float64 {
		if d := m.Survival(x, l) - p; math.Abs(d) > enough {
			return d
		}
		return 0
	}, low, over, high, under)
}
