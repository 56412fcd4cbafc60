package scenario

import "github.com/capplan/capplan/units"

// Likeliest is the question without ranges of load and service time. Nothing is
// simulated and explained either, so that the answer is quick.
func (q *Question) Likeliest() *Question {
	one := *q
	one.Simulate, one.Explain = nil, false
	if q.Load != nil {
		load := *q.Load
		load.Erlangs, load.Rate = pointed(load.Erlangs), pointed(load.Rate)
		one.Load = &load
	}
	if q.Service != nil {
		service := *q.Service
		service.Time = pointed(service.Time)
		one.Service = &service
	}
	return &one
}

// pointed is the most likely value of a range, as one.
func pointed[T units.Quantity](r *units.Range[T]) *units.Range[T] {
	if r == nil {
		return nil
	}
	return new(units.Point(r.Nominal()))
}

// CheckRead looks for files that are named and were not read. A program that
// names a file has to give what it holds.
func (q *Question) CheckRead() error {
	for _, f := range q.files() {
		if !f.read {
			return wrong(f.field, "the content of the file in the question, or a reader of scenarios that finds the "+
				"files",
				"the file %q was not read", f.name)
		}
	}
	return nil
}

// DrawCount is the number of draws.
func (q *Question) DrawCount() int {
	if q.Samples == nil {
		return DefaultSamples
	}
	return int(*q.Samples)
}

// DefaultSamples is the number of draws where Question.Samples is nil. With so many
// the chance at the 95th percentile of the need has a standard error of a third of a
// percentage point, √(0.05·0.95/4000).
const DefaultSamples = 4000

// FirstSeed is that of the draws; 1 where none is given.
func (q *Question) FirstSeed() uint64 {
	if q.Seed == nil {
		return 1
	}
	return uint64(*q.Seed)
}
