package sim

import (
	"cmp"
	"context"
	"errors"
	"math"
	"runtime"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
)

// Run simulates a model: independent replications spread over the cores and taken
// together in the order of their numbers, so that the figures are a function of
// model and options.
//
// Under a Precision it runs ten, or fewer where Events bound them, and as long as a
// figure that must meet it does not, as many more as its interval says, at most twice
// as many, up to Limit and Events. Under Events there are two or more, of Replications
// too. A context that ends gives what is done by then; where no replication is, its
// error. A model that fails, or hands over what is no number, ends the run with the
// error of the least replication.
func Run(ctx context.Context, m Model, o Options) (Result, error) {
	ctx = given.Context(ctx)
	const fn = "Run"
	begun := time.Now()
	if m == nil {
		return Result{}, errors.New("sim: Run: no model")
	}
	o, err := o.resolved(fn)
	if err != nil {
		return Result{}, err
	}
	if o.Precision == 0 && pieces.Parted(ctx) {
		o.Events = 0 // what two replications come to is not known where others do them
	}
	figures := m.Figures()
	if err := checkFigures(fn, figures); err != nil {
		return Result{}, err
	}
	workers, memory, err := withinMemory(m, figures, o)
	if err != nil {
		return Result{}, err
	}
	o.Workers = workers
	estimate(ctx, m, o)
	give, err := parallel.Take(ctx, memory)
	if err != nil {
		return Result{}, err
	}
	defer give()
	pace := newMeasure(ctx, m, o)
	defer pace.end()
	settled := true
	if o.FindWarmUp {
		if o.WarmUp, settled, err = findWarmUp(ctx, m, figures, o, pace); err != nil {
			return Result{}, err
		}
		if half := o.Horizon / 2; o.LeastWarmUp > o.WarmUp {
			settled = settled && o.LeastWarmUp <= half
			o.WarmUp = max(o.WarmUp, min(o.LeastWarmUp, half))
		}
	}
	s := study{model: m, options: o, fold: newFold(figures), pace: pace}
	reached, err := s.run(ctx)
	interrupted := err != nil && ctx.Err() != nil && errors.Is(err, ctx.Err())
	if err != nil && (!interrupted || s.fold.n == 0) {
		return Result{}, err
	}
	return Result{
		Figures:      s.fold.estimates(),
		Replications: s.fold.n,
		Events:       s.fold.events,
		WarmUp:       o.WarmUp,
		Settled:      settled,
		Reached:      reached,
		Interrupted:  interrupted,
		Elapsed:      time.Since(begun),
	}, nil
}

// What a quantile keeps: a section's octaves, in which nearly all waits lie, and
// the bytes of one where bins hold up to 65,535 values.
const (
	quantilePages   = 14
	packedPageBytes = 2 << mantissa
)

// withinMemory returns how many replications can run at once in the memory that is
// allowed and what they take, and refuses a run of which not even one can.
func withinMemory(m Model, figures []Figure, o Options) (workers int, memory float64, err error) {
	count := float64(max(o.Replications, 1))
	if o.Precision > 0 {
		count = float64(o.Limit)
	}
	kept := 8 * count * float64(len(figures))
	for _, f := range figures {
		if f.Kind == Quantile {
			kept += mostSections*quantilePages*packedPageBytes + 3*quantilePages*(8<<mantissa)
		}
	}
	if kept > o.MaxMemory {
		return 0, 0, &MemoryError{Needed: kept, Allowed: o.MaxMemory, What: "keeping the figures of all replications"}
	}
	sized, ok := m.(Sized)
	if !ok {
		return o.Workers, kept, nil
	}
	one := sized.Memory(o.Horizon)
	if !(one+kept <= o.MaxMemory) {
		needed := one + kept
		if !(needed <= math.MaxFloat64) { // a message says so much, and no infinity
			needed = math.MaxFloat64
		}
		return 0, 0, &MemoryError{Needed: needed, Allowed: o.MaxMemory, What: "a replication"}
	}
	side := min(float64(cmp.Or(o.Workers, runtime.GOMAXPROCS(0))), count)
	if room := (o.MaxMemory - kept) / one; room < side {
		return int(room), kept + math.Floor(room)*one, nil
	}
	return o.Workers, kept + side*one, nil
}

// A study is a run under way.
type study struct {
	model   Model
	options Options
	fold    *fold
	pace    *measure
}

func (s *study) run(ctx context.Context) (reached bool, err error) {
	n, fixed := s.options.first(), s.options.Replications
	if s.options.Precision == 0 {
		if n < fixed {
			if err := s.round(ctx, n, fixed); err != nil {
				return false, err
			}
			n = max(n, s.affordable())
			s.pace.want(n)
		}
		return n == fixed, s.round(ctx, n, n)
	}
	if pieces.Parted(ctx) {
		return false, pieces.ErrUncounted
	}
	for {
		if err := s.round(ctx, n, max(n, min(firstRound, s.options.Limit))); err != nil {
			return false, err
		}
		more, most := s.wanted(), s.affordable()
		if n < firstRound { // of fewer an interval says little
			more = max(more, min(firstRound, s.options.Limit))
		}
		if more <= n {
			return true, nil
		}
		if n >= most {
			return false, nil
		}
		s.pace.want(min(more, most)) // by the end, not in the next round alone
		n = min(more, max(2*n, firstRound), most)
	}
}

// wanted returns how many replications the precision takes, by the intervals of
// those that are done: not more than these where it is reached.
func (s *study) wanted() int {
	n := float64(s.fold.n)
	wanted := n
	for _, e := range s.fold.estimates() {
		if e.Free {
			continue
		}
		if excess := e.Precision() / s.options.Precision; excess > 1 {
			// A tenth more, since the interval is only an estimate of itself.
			wanted = max(wanted, n+1, math.Ceil(1.1*n*excess*excess))
		}
	}
	return int(min(wanted, mostReplications))
}

// affordable returns how many replications there may be, by the events of those that are done.
func (s *study) affordable() int {
	most := cmp.Or(s.options.Replications, s.options.Limit)
	if s.options.Events > 0 && s.fold.events > 0 {
		most = int(min(float64(most), float64(s.options.Events)/float64(s.fold.events)*float64(s.fold.n)))
	}
	return most
}

// round runs the replications up to the n-th, of as many as there may be, if their events let them.
func (s *study) round(ctx context.Context, n, of int) error {
	first := s.fold.n
	if n == first {
		return nil
	}
	work := pieces.Work{Name: "replications", Count: n - first, Seed: &s.options.Seed, Workers: s.options.Workers}
	one := func(ctx context.Context, i int) (*partial, error) {
		r := newReplication(ctx, s.fold.figures, s.options, first+i)
		r.pace = s.pace
		err := s.model.Replicate(r)
		r.toldUpTo(1)
		if err == nil {
			err = ctx.Err() // a model that ended early may not have said so
		}
		if err == nil {
			err = r.end()
		}
		if err != nil {
			return nil, err
		}
		return r.partial(), nil
	}
	return pieces.Fold(ctx, work, s.fold.form(), one, func(_ int, p *partial) error {
		s.fold.take(p)
		if s.options.Progress != nil {
			s.options.Progress(s.fold.n, min(of, max(n, s.affordable())))
		}
		return nil
	})
}
