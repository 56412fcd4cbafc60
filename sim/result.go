package sim

import (
	"math"
	"slices"
	"sort"
	"time"

	"gonum.org/v1/gonum/stat/distuv"
)

// An Estimate is a figure with its 95 % interval.
type Estimate struct {
	Figure
	// Mean is the estimate: of a Quantile the quantile. It is 0 where no
	// replication defined the figure.
	Mean float64
	// Low and High are the ends of the interval; infinite where there were too
	// few samples to bound that side.
	Low, High float64
	Samples   int // replications, or cuts of them, that the interval comes from
	Undefined int // replications in which there was nothing to count

	values []float64 // by replication, NaN where undefined
}

// Value returns what the figure came to in one replication; ok is false where it
// was undefined there.
func (e Estimate) Value(replication int) (v float64, ok bool) {
	if replication < 0 || replication >= len(e.values) || math.IsNaN(e.values[replication]) {
		return 0, false
	}
	return e.values[replication], true
}

// Replications returns of how many replications [Estimate.Value] knows, 0 for an
// estimate that no simulation made.
func (e Estimate) Replications() int { return len(e.values) }

// Holds reports whether x lies within the interval.
func (e Estimate) Holds(x float64) bool { return e.Low <= x && x <= e.High }

// Precision returns half the width of the interval relative to the mean, or to
// the Scale of the figure where that is greater; +Inf where an end is not known.
func (e Estimate) Precision() float64 {
	half := (e.High - e.Low) / 2
	if half == 0 {
		return 0
	}
	if size := max(math.Abs(e.Mean), e.Scale); finite(half) && size > 0 {
		return half / size
	}
	return math.Inf(1)
}

// A Result is what a run found. Everything in it but Elapsed is a function of the
// model and the options, whatever the number of cores.
type Result struct {
	Figures      []Estimate // in the order of the model's
	Replications int
	Events       uint64
	WarmUp       float64 // what was not counted of each
	// Settled is false where the warm-up was looked for and the horizon was too
	// short to find one.
	Settled bool
	// Reached is false where a precision or a number of replications was asked for and the limit or the events
	// came first.
	Reached bool
	// Interrupted says that the context ended the run: the figures are those of
	// the replications before the first that was not done.
	Interrupted bool
	Elapsed     time.Duration
}

// Figure returns the figure with the given name.
func (r Result) Figure(name string) (Estimate, bool) {
	i := slices.IndexFunc(r.Figures, func(e Estimate) bool { return e.Name == name })
	if i < 0 {
		return Estimate{}, false
	}
	return r.Figures[i], true
}

// EventsPerSecond returns the number of events divided by Elapsed.
func (r Result) EventsPerSecond() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Events) / r.Elapsed.Seconds()
}

// A fold takes replications in, one by one in the order of their numbers.
type fold struct {
	figures []Figure
	moments []pairs
	parts   []sections
	values  [][]float64
	undef   []int
	n       int
	events  uint64
}

func newFold(figures []Figure) *fold {
	n := len(figures)
	return &fold{
		figures: figures,
		moments: make([]pairs, n),
		parts:   make([]sections, n),
		values:  make([][]float64, n),
		undef:   make([]int, n),
	}
}

func (f *fold) take(p *partial) {
	f.n++
	f.events += p.events
	for i := range f.figures {
		v := p.values[i]
		f.values[i] = append(f.values[i], v)
		if math.IsNaN(v) {
			f.undef[i]++
			continue
		}
		f.moments[i].join(p.moments[i])
		for _, h := range p.parts[i] {
			f.parts[i].push(h)
		}
	}
}

func (f *fold) estimates() []Estimate {
	all := make([]Estimate, len(f.figures))
	for i, figure := range f.figures {
		e := Estimate{
			Figure:    figure,
			Low:       math.Inf(-1),
			High:      math.Inf(1),
			Undefined: f.undef[i],
			values:    f.values[i],
		}
		switch {
		case f.undef[i] == f.n:
		case figure.Kind == Quantile:
			e.Samples = len(f.parts[i].all())
			e.Mean, e.Low, e.High = f.parts[i].estimate(figure.P)
		case figure.Kind == RunQuantile:
			e.Samples = f.n - f.undef[i]
			e.Mean, e.Low, e.High = orderStatistics(f.values[i], figure.P)
		default:
			e.Samples = int(f.moments[i].n)
			mean, half := f.moments[i].ratio()
			e.Mean, e.Low, e.High = mean, mean-half, mean+half
			if figure.Chance && half == 0 {
				e.Low, e.High = f.moments[i].unseen(mean)
			}
		}
		all[i] = e
	}
	return all
}

// orderStatistics returns the p-quantile of independent values, NaN left out, and
// the interval from the l-th to the u-th of them in order, with the greatest l and
// the least u for which
//
//	P(B < l) ≤ 2.5 %,  P(B ≥ u) ≤ 2.5 %,  B ~ Binomial(n, p)
//
// An end is infinite where no value bounds it. Source: David & Nagaraja, Order
// Statistics, 3rd ed. 2003, 7.1.
func orderStatistics(values []float64, p float64) (mean, low, high float64) {
	x := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(x)
	n := len(x)
	below := distuv.Binomial{N: float64(n), P: p}
	const tail = (1 - confidence) / 2
	low, high = math.Inf(-1), math.Inf(1)
	l := sort.Search(n, func(l int) bool { return below.CDF(float64(l)) > tail })
	if l > 0 {
		low = x[l-1]
	}
	u := sort.Search(n, func(u int) bool { return 1-below.CDF(float64(u)) <= tail })
	if u < n {
		high = x[u]
	}
	at := p * float64(n-1)
	i := int(at)
	mean = x[i]
	if i+1 < n {
		mean += (at - float64(i)) * (x[i+1] - x[i])
	}
	return mean, low, high
}
