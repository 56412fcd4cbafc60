package frailty

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/smp"
)

// ErrNoData says that no machine was ever at risk.
var ErrNoData = errors.New("frailty: no data")

// Options of [Fit]; zero fields mean the value in brackets.
type Options struct {
	Iterations int     // at most [500]
	Tolerance  float64 // greatest relative change of a factor at which it ends [1e-5]
	// AgePseudo is the number of failures that a neighbouring age bin is worth in
	// the estimate of a bin, one over the variance of the logarithm of the ratio of
	// their hazards [that of greatest likelihood].
	AgePseudo float64
}

func (o *Options) resolve() (Options, error) {
	var r Options
	if o != nil {
		r = *o
	}
	for _, f := range []struct {
		arg   string
		v     *float64
		usual float64
	}{{"Tolerance", &r.Tolerance, 1e-5}, {"AgePseudo", &r.AgePseudo, 0}} {
		if *f.v == 0 && f.usual == 0 {
			continue
		}
		*f.v = cmp.Or(*f.v, f.usual)
		if !(*f.v > 0) || math.IsInf(*f.v, 1) {
			return r, &smp.DomainError{Func: "Fit", Arg: f.arg, Value: *f.v, Want: "a finite number > 0"}
		}
	}
	r.Iterations = cmp.Or(r.Iterations, 500)
	if r.Iterations < 1 {
		return r, &smp.DomainError{Func: "Fit", Arg: "Iterations", Value: float64(r.Iterations), Want: "at least 1"}
	}
	return r, nil
}

// Fit estimates the hazard of a fleet and the frailties of its machines. In
// turn, until nothing changes any more:
//
//	α   = argmax Σ_a [D_a ln α_a − X_a α_a − c/2 (ln α_a − ln α_{a−1} + f)²]
//	β_h = (D_h + b) / (Σ θ_m α_a E_m(a, h) + b)   each hour, then scaled to mean 1
//	k   = argmax Σ_m ln NB(d_m; L_m, k)           see [LogMarginal]
//	θ_m = (d_m + k) / (L_m + k)
//
// where E are the steps at risk, X_a = Σ θ_m β_h E_m(a, h), D and d_m failures, c
// is o.AgePseudo, or by marginal likelihood as k, as are f, by which the logarithm of
// the hazard falls from one age bin to the next on average, and b, the shape of a gamma
// law of the hours. A cell that was never seen thus falls back to its margins, an
// age bin to its neighbours.
// With groups θ_m is the mean over the law of the group's frailty as well.
//
// Where no machine ever failed there is nothing to fit: the hazard is even, half a failure
// by all steps at risk, and machines and hours are taken to be alike.
//
// Records of one name are one machine; they come in any order, and neither it
// nor the number of cores changes the result. Time: iterations × cells.
// Memory: that of the records. Without a step at risk it wraps [ErrNoData].
func Fit(ctx context.Context, clock Clock, records []Record, o *Options) (*Model, error) {
	return fit(given.Context(ctx), clock, records, o, nil)
}

func fit(ctx context.Context, clock Clock, records []Record, o *Options, warm *Model) (*Model, error) {
	opt, err := o.resolve()
	if err != nil {
		return nil, err
	}
	if err := clock.Check(); err != nil {
		return nil, err
	}
	f, err := newFitting(clock, records, opt)
	if err != nil {
		return nil, err
	}
	if f.failures == 0 {
		return f.neverFailed(ctx)
	}
	if warm != nil {
		f.m.Shape, f.m.GroupShape, f.hourShape = warm.Shape, warm.GroupShape, warm.HourShape
		f.m.AgePseudo, f.m.AgeFall = warm.agePseudo(), warm.AgeFall
		copy(f.m.Hour, warm.Hour)
	}
	converged := false
	// The shapes move slowly and cost much: they are set ever more seldom, and
	// once more when nothing else moves.
	next := 0
	for round := 0; round < opt.Iterations && !converged; round++ {
		if err := f.expected(ctx); err != nil {
			return nil, err
		}
		moved := math.Inf(1)
		if round >= next {
			moved = f.shapes(ctx, round > 0 || warm != nil)
			next = 2*round + 4
		}
		// With groups one step is enough in most rounds, and without it they do not come to an end.
		f.scale(ctx, len(f.groups) > 0 && round >= 8 && round%16 > 0)
		f.frail(ctx)
		change, err := f.margins(ctx)
		if err != nil {
			return nil, err
		}
		if change < opt.Tolerance {
			next = 0
			converged = moved == 0
		}
		f.m.Iterations = round + 1
	}
	f.m.Converged = converged
	if err := f.expected(ctx); err != nil {
		return nil, err
	}
	f.frail(ctx)
	return f.m, ctx.Err()
}

// A fitting is the work of one fit.
type fitting struct {
	opt     Options
	m       *Model
	records []Record // by name
	groups  []groupOf
	alone   groupOf // the machines of no group
	// failures of all machines
	failures float64
	ageD     [Ages]float64
	hourD    [Hours]float64
	// Sums over machines by age, without α, and by hour, without β.
	ageX      [Ages]float64
	hourX     [Hours]float64
	hourShape float64
	before    []float64 // hazards after the round before
	slope     float64   // see scale
}

func newFitting(clock Clock, records []Record, opt Options) (*fitting, error) {
	merged, err := MergeRecords(records)
	if err != nil {
		return nil, err
	}
	f := &fitting{opt: opt, records: merged, hourShape: 10}
	f.m = &Model{
		Period:     clock.Period,
		HourShape:  f.hourShape,
		AgePseudo:  1,
		Age:        make([]float64, Ages),
		Hour:       make([]float64, Hours),
		Shape:      1,
		GroupShape: 10,
		Machines:   make([]Machine, len(merged)),
	}
	var half float64
	for i := range merged {
		r := &merged[i]
		m := &f.m.Machines[i]
		m.Name, m.Group, m.Frailty = r.Name, r.Group, 1
		for j, cell := range r.Failures.index {
			n := float64(r.Failures.count[j])
			f.ageD[cell/Hours] += n
			f.hourD[cell%Hours] += n
			m.Failures += n
		}
		f.failures += m.Failures
		half += float64(r.Exposure.Total())
	}
	if half == 0 {
		return nil, fmt.Errorf("Fit: no machine of %d was ever at risk: %w", len(merged), ErrNoData)
	}
	base := (f.failures + 0.5) / (half/2 + 1)
	for a := range f.m.Age {
		f.m.Age[a] = base
	}
	for h := range f.m.Hour {
		f.m.Hour[h] = 1
	}
	f.m.Base = base
	f.m.AgeFailures, f.m.HourFailures = f.ageD[:], f.hourD[:]
	f.groups = grouped(f.m.Machines)
	// The group of no name comes first.
	if len(f.groups) > 0 && f.groups[0].name == "" {
		f.alone, f.groups = f.groups[0], f.groups[1:]
	}
	f.align()
	return f, nil
}

// align puts the exposures of all machines one after the other in memory, in the order in which each
// round goes over them: where each has a place of its own, most of a round is waiting for memory.
func (f *fitting) align() {
	n := 0
	for i := range f.records {
		n += f.records[i].Exposure.Len()
	}
	index, count := make([]uint16, 0, n), make([]uint32, 0, n)
	for i := range f.records {
		c := &f.records[i].Exposure
		at := len(index)
		index, count = append(index, c.index...), append(count, c.count[:len(c.index)]...)
		*c = Cells{index[at:], count[at:]}
	}
}

// fitBlock is the number of machines that are summed up together. Sums go by
// blocks, so that they do not depend on the number of cores.
const fitBlock = 2048

// blocks sums over the machines, block by block.
func (f *fitting) blocks(ctx context.Context, of func(i int, into []float64), size int) ([]float64, error) {
	n := (len(f.records) + fitBlock - 1) / fitBlock
	parts := make([][]float64, n)
	err := parallel.All(ctx, n, func(b int) error {
		sum := make([]float64, size)
		for i := b * fitBlock; i < min((b+1)*fitBlock, len(f.records)); i++ {
			of(i, sum)
		}
		parts[b] = sum
		return nil
	})
	if err != nil {
		return nil, err
	}
	total := make([]float64, size)
	for _, p := range parts {
		for i, v := range p {
			total[i] += v
		}
	}
	return total, nil
}

// expected sets L_m of all machines.
func (f *fitting) expected(ctx context.Context) error {
	lambda := f.m.hazards()
	_, err := f.blocks(ctx, func(i int, _ []float64) {
		r := &f.records[i]
		l, count := 0.0, r.Exposure.count[:len(r.Exposure.index)]
		for j, cell := range r.Exposure.index {
			l += float64(count[j]) * lambda[cell]
		}
		f.m.Machines[i].Expected = l / 2
	}, 0)
	return err
}

// margins fits the factors of age and hour in turn, and returns the greatest
// relative change of one that rests on something since the round before.
func (f *fitting) margins(ctx context.Context) (float64, error) {
	m := f.m
	cells, err := f.blocks(ctx, func(i int, into []float64) {
		r := &f.records[i]
		half := m.Machines[i].Frailty / 2
		count := r.Exposure.count[:len(r.Exposure.index)]
		for j, cell := range r.Exposure.index {
			into[cell] += half * float64(count[j])
		}
	}, Ages*Hours)
	if err != nil {
		return 0, err
	}
	sum := make([]float64, Ages)
	for c, v := range cells {
		sum[c/Hours] += v * m.Hour[c%Hours]
	}
	copy(f.ageX[:], sum)
	f.ages(sum, m.AgePseudo, m.AgeFall, true)
	all := 0.0 // failures that the fit expects
	for a := range m.Age {
		all += m.Age[a] * sum[a]
	}
	sum = make([]float64, Hours)
	for c, v := range cells {
		sum[c%Hours] += v * m.Age[c/Hours]
	}
	copy(f.hourX[:], sum)
	weight, mean := 0.0, 0.0
	for h := range m.Hour {
		m.Hour[h] = (f.hourD[h] + f.hourShape) / (sum[h] + f.hourShape)
		weight, mean = weight+sum[h], mean+sum[h]*m.Hour[h]
	}
	for h := range m.Hour {
		m.Hour[h] *= weight / mean
	}
	// Shrunk hours would expect more or fewer.
	for a := range m.Age {
		m.Age[a] *= all / weight
	}
	change := 0.0
	for c, l := range m.hazards() {
		if f.ageX[c/Hours] > 0 && f.before != nil {
			change = math.Max(change, math.Abs(l/f.before[c]-1))
		}
	}
	if f.before == nil {
		change = math.Inf(1)
	}
	f.before = m.hazards()
	return change, nil
}

// shapes sets the shapes of the laws of machines, groups and hours, and what a
// neighbouring age is worth, and returns their greatest relative change; near says that they are about right.
func (f *fitting) shapes(ctx context.Context, near bool) (moved float64) {
	m := f.m
	before := [...]float64{m.Shape, m.GroupShape, f.hourShape, m.AgePseudo}
	from := before
	if !near {
		from = [4]float64{}
	}
	m.Shape, m.GroupShape = f.frailtyShapes(ctx, from[0], from[1])
	m.HourShape = f.hourShape
	var d, l []float64
	for h := range f.hourX {
		if f.hourX[h] > 0 {
			d, l = append(d, f.hourD[h]), append(l, f.hourX[h])
		}
	}
	if d != nil {
		m.HourShape = bestShape(from[2], func(b float64) float64 { return LogMarginal(d, l, b) })
	}
	if m.AgePseudo = f.opt.AgePseudo; m.AgePseudo == 0 {
		m.AgePseudo = bestShape(from[3], func(q float64) float64 { return f.ages(f.ageX[:], q, m.AgeFall, false) })
	}
	if fall := f.bestFall(); math.Abs(fall-m.AgeFall) > 10*shapeTolerance {
		m.AgeFall, moved = fall, math.Abs(fall-m.AgeFall)
	}
	for i, now := range []*float64{&m.Shape, &m.GroupShape, &m.HourShape, &m.AgePseudo} {
		if change := math.Abs(*now/before[i] - 1); change > 10*shapeTolerance {
			moved = math.Max(moved, change)
		} else {
			*now = before[i] // as well as it can be known: hold it, so that the rounds come to an end
		}
	}
	f.hourShape = m.HourShape
	return moved
}
