package forecast

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp/frailty"
)

// A Risk is how unlike machines of a fleet are, and how likely one that is there leaves
// before a job on it is done.
type Risk struct {
	Model    string  `json:"model"` // frailty
	Machines int     `json:"machines"`
	Shape    float64 `json:"frailty_shape"` // of the law of frailties: the less, the more unlike
	Span     float64 `json:"span_s"`        // of the job
	// Leaves is the chance to leave within the span, the mean over the machines at any
	// hour; LeavesWorst that of the machine than which a tenth are worse.
	Leaves      float64 `json:"leaves"`
	LeavesWorst float64 `json:"leaves_worst_tenth"`
	// Availability is the share of time that machines are there, the mean over them, and
	// AvailabilityLow and AvailabilityHigh hold nine machines of ten, each with a day of
	// the fleet's beside its own record; null where none was seen to come back.
	Availability     *float64 `json:"availability"`
	AvailabilityLow  *float64 `json:"availability_low"`
	AvailabilityHigh *float64 `json:"availability_high"`
}

// Risk returns that of a job of a length in seconds. From the ages a in which machines
// were seen, with the share w of each, and what is known of machine m,
//
//	p_m = 1 − Σ w(a) S_m(Λ(a + span) − Λ(a))
//
// all hours alike; S_m is [frailty.Model.Foresee], which allows for what is not known of the hazards of
// ages. Errors: *ask.InputError.
func (f *Fleet) Risk(span float64) (*Risk, error) {
	if err := f.usable(); err != nil {
		return nil, err
	}
	if !(span >= 0) || span > 1e12 {
		return nil, ask.Inputf("span", "is %s, want a time such as 20min", ask.Time(span))
	}
	// The ages count as often as machines had them, whichever hour it was.
	var weight [frailty.Ages]float64
	total := 0.0
	for i := range f.Records {
		f.Records[i].Exposure.Each(func(age, _ int, n int64) {
			weight[age] += float64(n)
			total += float64(n)
		})
	}
	m := &f.Hazard
	r := &Risk{Model: f.Model, Machines: len(f.Records), Shape: m.Shape, Span: span}
	leaves := make([]float64, len(f.Records))
	for age, w := range weight {
		if w == 0 {
			continue
		}
		ahead, err := m.Ahead(evenHours.ahead(m, frailty.AgeOf(age), span))
		if err != nil {
			return nil, machines.InputError(err)
		}
		for i := range leaves {
			x, _ := m.Machine(f.Records[i].Name)
			leaves[i] += w / total * (1 - m.Foresee(x, ahead))
		}
	}
	r.Leaves = stat.Mean(leaves, nil)
	slices.Sort(leaves)
	r.LeavesWorst = stat.Quantile(0.9, stat.Empirical, leaves, nil)
	if f.Returns == nil {
		return r, nil
	}
	there := f.shares()
	r.Availability = ask.Figure(stat.Mean(there, nil))
	slices.Sort(there)
	r.AvailabilityLow = ask.Figure(stat.Quantile(0.05, stat.Empirical, there, nil))
	r.AvailabilityHigh = ask.Figure(stat.Quantile(0.95, stat.Empirical, there, nil))
	return r, nil
}

// evenHours is a clock whose hours are all alike.
var evenHours = &hourClock{guided([]float64{0}), guided([]float64{0})}

// ahead returns the failures expected at frailty 1 within a span from an age on, by age bin: in all the
// inverse of stay.
func (c *hourClock) ahead(m *frailty.Model, age frailty.Age, span float64) []float64 {
	a, by := float64(age.Steps), make([]float64, frailty.Ages)
	for t := 0.0; t < span; {
		bin := frailty.Age{Steps: int64(math.Min(a, math.MaxInt64/4)), AtLeast: age.AtLeast}.Bin()
		older := span
		if young := bin % (frailty.Ages / 2); young < frailty.Ages/2-1 {
			older = math.Min(span, t+(math.Ldexp(1, young)-a)*m.Period)
		}
		by[bin] += m.Age[bin] / m.Period * (c.until(older) - c.until(t))
		if t = older; t < span {
			a = math.Ldexp(1, bin%(frailty.Ages/2))
		}
	}
	return by
}
