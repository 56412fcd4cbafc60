package mixes

import "gonum.org/v1/gonum/floats"

// busy returns by type the mean number of places that hold a job; nil where
// hardly a job comes, and beyond what the queue takes.
func (x *Model) busy(counts []int64) []float64 {
	key := Key(counts)
	if b, ok := x.working[key]; ok {
		return b
	}
	var out []float64
	if t := x.tabled(); t != nil {
		if b, err := t.Busy(x.floats(counts)); err == nil && floats.Sum(b) > 1e-200 {
			out = b[:len(counts)]
		}
	}
	if x.working == nil {
		x.working = map[string][]float64{}
	}
	x.working[key] = out
	return out
}

// leastBusy returns by type how many places of a machine hold a job at least in
// mixes of no more than the counts. Far beyond what is needed that is bounded only,
// see [Model.hardlyBusy].
func (x *Model) leastBusy(most []int64) []float64 {
	n := x.floats(most)
	if x.above(n) >= 2*wellAbove {
		return x.hardlyBusy(most)
	}
	out := make([]float64, len(most))
	if b := x.busy(most); b != nil {
		for i := range out {
			if most[i] > 0 {
				out[i] = b[i] / n[i]
			}
		}
	}
	return out
}

// hardlyBusy bounds leastBusy from below without the queue: with N servers a place
// is free t/(a + t) of the time, t having a mean of at most N + 1, so that by
// Jensen's inequality it is busy at least a/(a + 1 + N̄).
func (x *Model) hardlyBusy(most []int64) []float64 {
	out, n := make([]float64, len(most)), x.floats(most)
	servers, load := 0.0, x.queue.ArrivalRate*x.queue.ServiceTime
	for i, k := range x.Kinds {
		servers += n[i] * within(k) / k.PerJob // where one machine is there its group is
	}
	for i := range out {
		k := &x.Kinds[i]
		a := load / k.Speed
		out[i] = k.Up / k.PerJob * a / (a + 1 + servers + 1/k.PerJob)
	}
	return out
}
