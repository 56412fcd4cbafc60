package sim

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
)

// A Model is a system to be simulated. Its methods are called from several
// goroutines at once: what changes in a run belongs into values that Replicate
// makes.
type Model interface {
	// Figures lists what the system answers, always the same.
	Figures() []Figure
	// Replicate runs the system once, from time 0 to r.Horizon where that is
	// finite. It draws random numbers from r.Stream only, counts from r.WarmUp on,
	// and hands what it counts to r by the index of the figure. Every few thousand
	// events it checks r.Err and returns it if it is not nil.
	Replicate(r *Replication) error
}

// A Sized model says how much memory one replication takes, in bytes. Run asks
// before it takes it.
type Sized interface {
	Memory(horizon float64) float64
}

// A Replication is one run of a model: its random numbers, its time, and where it
// puts what it counts.
type Replication struct {
	Number  int     // 0, 1, ...; below 0 in runs that only look for the warm-up
	Horizon float64 // when it ends; +Inf where the model knows by itself
	WarmUp  float64 // from when on things count, < Horizon
	Events  uint64  // how many were dealt with; the model counts them up

	ctx     context.Context
	seed    uint64
	figures []Figure
	now     []sums       // since the last cut, by figure
	tail    []*histogram // the same of quantiles
	whole   []sums       // of all that was cut
	moments []pairs      // between the cuts
	parts   []sections
	cuts    int
	watched *watch
	fault   error // the first thing handed over that is no number, or to no figure
	pace    *measure
	told    int64 // parts of the horizon that pace knows of
}

// sums are what a figure adds up: its value is x/y.
type sums struct{ x, y float64 }

var errUnmade = errors.New("sim: a replication that Run did not make")

func newReplication(ctx context.Context, figures []Figure, o Options, number int) *Replication {
	n := len(figures)
	return &Replication{
		Number:  number,
		Horizon: o.Horizon,
		WarmUp:  o.WarmUp,
		ctx:     ctx,
		seed:    o.Seed,
		figures: figures,
		now:     make([]sums, n),
		tail:    make([]*histogram, n),
		whole:   make([]sums, n),
		moments: make([]pairs, n),
		parts:   make([]sections, n),
	}
}

// Stream returns the random numbers of an entity in this replication; see
// [Stream].
func (r *Replication) Stream(entity ...uint64) *rand.Rand {
	return Stream(r.seed, r.Number, entity...)
}

// Err is not nil once the run is to end: the context has, what was handed over
// cannot be counted, or [Run] did not make the replication, so that nothing would
// ever stop it.
func (r *Replication) Err() error {
	switch {
	case r.fault != nil:
		return r.fault
	case r.ctx == nil:
		return errUnmade
	}
	return r.ctx.Err()
}

// At is [Replication.Err] for a model that is now at a time of its horizon, in s. From what is done
// of a run follows how long it takes.
func (r *Replication) At(now float64) error {
	r.toldUpTo(now / r.Horizon)
	return r.Err()
}

// toldUpTo says that a share of the replication is done.
func (r *Replication) toldUpTo(share float64) {
	if r.pace == nil || !(share > 0) {
		return
	}
	if done := int64(parts * min(share, 1)); done > r.told {
		r.pace.parts.Add(done - r.told)
		r.told = done
	}
}

// takes reports whether a figure can take values, and keeps the fault if it cannot.
func (r *Replication) takes(figure int, x, over float64) bool {
	if figure >= 0 && figure < len(r.figures) && finite(x) && finite(over) && over >= 0 {
		return true
	}
	if r.fault == nil {
		name := fmt.Sprintf("number %d", figure)
		if figure >= 0 && figure < len(r.figures) {
			name = r.figures[figure].Name
		}
		r.fault = &ModelError{
			Replication: r.Number,
			Figure:      name,
			Why:         fmt.Sprintf("was given %v over %v, want finite numbers over finite ones >= 0", x, over),
		}
	}
	return false
}

// Observe hands over one value of a Tally, a Quantile or a RunQuantile.
func (r *Replication) Observe(figure int, x float64) {
	if !r.takes(figure, x, 1) {
		return
	}
	if r.figures[figure].Kind != Quantile {
		r.now[figure].x += x
		r.now[figure].y++
		return
	}
	h := r.tail[figure]
	if h == nil {
		h = new(histogram)
		r.tail[figure] = h
	}
	h.add(x)
}

// Add adds value to the sum above a figure and over to that below it: a level
// times how long it lasted, and how long, for a TimeAverage; losses and arrivals
// for a Ratio; a sum and the number of its terms for a Tally. A Total takes no
// heed of over.
func (r *Replication) Add(figure int, value, over float64) {
	if !r.takes(figure, value, over) {
		return
	}
	r.now[figure].x += value
	r.now[figure].y += over
}

// Cut ends one sample and begins the next: a regenerative cycle where the system
// is as new, or a batch of a long run. Without it a replication is one sample.
// The interval of a figure comes from the spread of its samples, so a single long
// replication needs some. What is counted after the last cut is left out, Totals
// and those of kind RunQuantile apart, which have one value a replication.
func (r *Replication) Cut() {
	r.cuts++
	for i := range r.figures {
		switch r.figures[i].Kind {
		case Total, RunQuantile:
		case Quantile:
			if h := r.tail[i]; h != nil && h.n >= leastSection {
				r.parts[i].push(h.pack())
				r.tail[i] = nil
			}
		default:
			s := &r.now[i]
			r.moments[i].add(s.x, s.y)
			r.whole[i].x += s.x
			r.whole[i].y += s.y
			*s = sums{}
		}
	}
}

// end closes the last samples and checks that all came out as numbers.
func (r *Replication) end() error {
	if r.fault != nil {
		return r.fault
	}
	for i, f := range r.figures {
		s := &r.now[i]
		switch {
		case f.Kind == Quantile:
			r.parts[i].push(r.tail[i].pack())
			r.tail[i] = nil
			continue
		case f.Kind == Total:
			r.whole[i] = sums{s.x, 1}
			r.moments[i].add(s.x, 1)
		case f.Kind == RunQuantile:
			r.whole[i] = *s
		case r.cuts == 0:
			r.whole[i] = *s
			if s.y != 0 {
				r.moments[i].add(s.x, s.y)
			}
		}
		if w := r.whole[i]; !finite(w.x) || !finite(w.y) {
			return &ModelError{Replication: r.Number, Figure: f.Name, Why: "its sum is beyond the greatest number"}
		}
	}
	return nil
}

// value returns what a figure came to in this replication alone, NaN where it is
// undefined.
func (r *Replication) value(figure int) float64 {
	if f := r.figures[figure]; f.Kind == Quantile {
		var pool histogram
		for _, h := range r.parts[figure].all() {
			pool.joinPacked(h)
		}
		if pool.n == 0 {
			return math.NaN()
		}
		return pool.quantile(f.P)
	}
	return r.whole[figure].x / r.whole[figure].y
}
