package smp

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
)

// MTTF returns the mean number of steps until a failure state is entered from
// the given start,
//
//	MTTF = Σ_{k≥0} R(k) = E[sojourn] + Σ_j p_ij MTTF_j,
//
// over all time, from the linear equations. Times the step it is in seconds.
// A start in a failure state has 0. Where failure is not certain — a state
// with a tail, or a set of up states without exit, can be reached — the mean
// is infinite and an *InfiniteError says why; [Curve.MeanSteps] is then the
// mean cut at a horizon. Source: iShare eq. 5.
func (k *Kernel) MTTF(start Start) (float64, error) {
	return k.meanPassage("Kernel.MTTF", start)
}

// MTTR returns the mean number of steps until an up state is entered from a
// start in a failure state: the MTTF of the complement.
func (k *Kernel) MTTR(start Start) (float64, error) {
	return k.Complement().meanPassage("Kernel.MTTR", start)
}

// MTTRs returns the MTTR of each failure state just entered: 0 for an up state, +Inf where the way to
// an up state is not certain.
func (k *Kernel) MTTRs() ([]float64, error) {
	if err := k.made("Kernel.MTTRs"); err != nil {
		return nil, err
	}
	p := k.Exit()
	back := transposed(p)
	down := func(i int) bool { return k.space.Failure[i] }
	all := func(int) bool { return true }
	var up, stuck, from []int
	for i, f := range k.space.Failure {
		if !f {
			up = append(up, i)
		}
	}
	for i, returns := range reach(back, up, all) {
		if down(i) && (!returns || k.tail[i] > 0) {
			stuck = append(stuck, i)
		}
	}
	out := make([]float64, len(p))
	for i, lost := range reach(back, stuck, down) {
		switch {
		case !down(i):
		case lost:
			out[i] = math.Inf(1)
		default:
			from = append(from, i)
		}
	}
	m, err := k.Complement().meanTimes("Kernel.MTTRs", from)
	if err != nil {
		return nil, err
	}
	for _, i := range from {
		out[i] = m[i]
	}
	return out, nil
}

func (k *Kernel) meanPassage(fn string, start Start) (float64, error) {
	if err := k.space.check(fn, "start.State", start.State); err != nil {
		return 0, err
	}
	if start.Elapsed < 0 {
		return 0, &DomainError{fn, "start.Elapsed", float64(start.Elapsed), "elapsed >= 0 steps"}
	}
	if k.space.Failure[start.State] {
		return 0, nil
	}
	// The start's own row, conditioned on its age.
	row, tail, ok := k.agedRow(start.State, start.Elapsed)
	if !ok {
		return 0, fault.New("smp", fn,
			fmt.Sprintf("%s for more than %d steps is an impossible start", k.space.Names[start.State], start.Elapsed),
			ErrImpossible)
	}
	if tail > 0 {
		return 0, &InfiniteError{fn, k.space.Names[start.State], neverLeft(tail)}
	}
	var first numeric.Sum
	next := make([]float64, len(k.rows))
	var from []int
	for _, a := range row {
		first.Add(a.prob * float64(a.lag))
		if next[a.to] == 0 && !k.space.Failure[a.to] {
			from = append(from, int(a.to))
		}
		next[a.to] += a.prob
	}
	m, err := k.meanTimes(fn, from)
	if err != nil {
		return 0, err
	}
	for _, j := range from {
		first.Add(next[j] * m[j])
	}
	return first.Value(), nil
}

// meanTimes returns the mean time to failure of every state that can be
// reached from the given up states without failing.
func (k *Kernel) meanTimes(fn string, from []int) ([]float64, error) {
	means := make([]float64, len(k.rows))
	for i := range means {
		if k.tail[i] == 0 {
			means[i] = k.meanSojourn(i)
		}
	}
	return passageTimes(fn, k.space, k.Exit(), k.tail, means, from)
}

// passageTimes solves for mean times to failure given the law of the next
// state, the tails and the mean sojourns.
func passageTimes(fn string, space Space, p [][]float64, tail, means []float64, from []int) ([]float64, error) {
	up := func(i int) bool { return !space.Failure[i] }
	seen := reach(p, from, up)
	var set []int
	number := numbers(len(p), nil)
	for i, s := range seen {
		if s && up(i) {
			number[i] = len(set)
			set = append(set, i)
		}
	}
	fails := reach(transposed(p), space.Down(), func(int) bool { return true })
	for _, i := range set {
		if tail[i] > 0 {
			return nil, &InfiniteError{fn, space.Names[i], neverLeft(tail[i])}
		}
		if !fails[i] {
			return nil, &InfiniteError{fn, space.Names[i], "leads to no failure state"}
		}
	}
	q := make([][]float64, len(set))
	exit := make([]float64, len(set))
	c := make([]float64, len(set))
	for a, i := range set {
		q[a] = make([]float64, len(set))
		c[a] = means[i]
		for j, v := range p[i] {
			switch {
			case v == 0:
			case space.Failure[j]:
				exit[a] += v
			default:
				q[a][number[j]] = v
			}
		}
	}
	meanVisits(q, exit, c)
	out := make([]float64, len(p))
	for a, i := range set {
		out[i] = c[a]
	}
	return out, nil
}
