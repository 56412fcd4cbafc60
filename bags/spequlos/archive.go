package spequlos

import (
	"fmt"
	"math"
	"slices"
	"sort"
)

// Tolerance is how far a bag's time may lie from the predicted one for a success.
const Tolerance = 0.2

// archivedPoints is to how many shares of its tasks a past bag is kept.
const archivedPoints = 1000

// An Archive keeps past bags by the environment that they ran in: machines,
// middleware and kind of bag. The zero value is empty.
type Archive struct{ past map[string][]PastRun }

// A PastRun is how a bag went.
type PastRun struct {
	Total float64 // s, until all was done
	// Times are those at which 1/m, 2/m, ... of the tasks were done, m of them.
	Times []float64
}

// Past returns the run of a bag that is done, to at most a thousand points. Errors:
// ErrHistory where it is not done.
func (p *Progress) Past() (PastRun, error) {
	if !p.Done() || p.size == 0 {
		return PastRun{}, fmt.Errorf("spequlos: %d of %d tasks are done: %w", p.Completed(), p.size, ErrHistory)
	}
	m := min(archivedPoints, p.size)
	r := PastRun{Total: p.completed[p.size-1], Times: make([]float64, m)}
	for i := range m {
		k := ((i+1)*p.size + m - 1) / m
		r.Times[i] = p.completed[k-1]
	}
	return r, nil
}

// at returns t_c(share).
func (r PastRun) at(share float64) float64 {
	i := int(math.Ceil(share*float64(len(r.Times))-1e-9)) - 1
	return r.Times[min(max(i, 0), len(r.Times)-1)]
}

// Add keeps a past run of an environment.
func (a *Archive) Add(environment string, r PastRun) error {
	if len(r.Times) == 0 || !(r.Total > 0) || math.IsInf(r.Total, 1) || !slices.IsSorted(r.Times) {
		return &DomainError{"Archive.Add", "Total", r.Total, "a finite time > 0, and times that grow"}
	}
	if a.past == nil {
		a.past = map[string][]PastRun{}
	}
	a.past[environment] = append(a.past[environment], r)
	return nil
}

// Runs returns the past runs of an environment, in the order they were added.
func (a *Archive) Runs(environment string) []PastRun { return slices.Clone(a.past[environment]) }

// A Prediction says when a bag should be done.
type Prediction struct {
	Time  float64 // s since submission
	Alpha float64 // what the constant rate is corrected by
	// Success is the share of past runs whose time lay within 20 % of what would
	// have been predicted of them at this share; NaN without one.
	Success float64
	Runs    int
}

// Predict says when a bag will be done of which a share, above 0 and at most 1, was
// done at a time:
//
//	t = α t_c(r)/r
//
// where α is 1 without past runs, and else least Σ |α xᵢ − Tᵢ| over them, with xᵢ =
// t_c,i(r)/r: the median of Tᵢ/xᵢ with weights xᵢ. Source: SpeQuloS section 3.4.
func (a *Archive) Predict(environment string, share, at float64) (Prediction, error) {
	if !(share > 0 && share <= 1) || !(at >= 0) || math.IsInf(at, 1) {
		return Prediction{}, &DomainError{"Archive.Predict", "share", share, "a share of 0..1 above 0, and a time >= 0"}
	}
	p := Prediction{Alpha: 1, Success: math.NaN(), Runs: len(a.past[environment])}
	type pair struct{ ratio, weight, total float64 }
	var pairs []pair
	sum := 0.0
	for _, r := range a.past[environment] {
		if x := r.at(share) / share; x > 0 {
			pairs = append(pairs, pair{r.Total / x, x, r.Total})
			sum += x
		}
	}
	if len(pairs) > 0 {
		sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].ratio < pairs[j].ratio })
		below := 0.0
		for _, q := range pairs {
			if below += q.weight; below >= sum/2 {
				p.Alpha = q.ratio
				break
			}
		}
		good := 0
		for _, q := range pairs {
			if succeeds(p.Alpha*q.weight, q.total) {
				good++
			}
		}
		p.Success = float64(good) / float64(len(pairs))
	}
	p.Time = p.Alpha * at / share
	return p, nil
}

// succeeds reports whether a bag's time lies within the tolerance of a prediction.
func succeeds(predicted, total float64) bool {
	return math.Abs(total-predicted) <= Tolerance*predicted*(1+1e-12)
}
