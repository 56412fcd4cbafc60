package smp

import (
	"fmt"
	"github.com/capplan/capplan/internal/numeric"
)

// Survival returns S_i(u), the chance that a sojourn in the state is longer
// than u steps:
//
//	S_i(u) = tail + Σ_j Σ_{l>u} q_ij(l)
//
// added up from the far end, without subtraction from 1.
func (k *Kernel) Survival(state, u int) (float64, error) {
	if err := k.space.check("Kernel.Survival", "state", state); err != nil {
		return 0, err
	}
	if u < 0 {
		return 0, &DomainError{"Kernel.Survival", "u", float64(u), "u >= 0"}
	}
	return survivalAt(k.rows[state], k.tail[state], u), nil
}

func survivalAt(row []arc, tail float64, u int) float64 {
	var s numeric.Sum
	s.Add(tail)
	for m := len(row) - 1; m >= 0 && int(row[m].lag) > u; m-- {
		s.Add(row[m].prob)
	}
	return s.Value()
}

// survivals returns S(u+k) for k = 0..n.
func survivals(row []arc, tail float64, u, n int) []float64 {
	out := make([]float64, n+1)
	survivalsInto(out, row, tail, u)
	return out
}

// survivalsInto sets out to S(u+k), k = 0, 1, ….
func survivalsInto(out []float64, row []arc, tail float64, u int) {
	var s numeric.Sum
	s.Add(tail)
	m := len(row) - 1
	for k := len(out) - 1; k >= 0; k-- {
		for m >= 0 && int(row[m].lag) > u+k {
			s.Add(row[m].prob)
			m--
		}
		out[k] = s.Value()
	}
}

// MeanSojourn returns the mean sojourn of a state in steps, Σ l q_ij(l). A
// positive tail returns an *InfiniteError.
func (k *Kernel) MeanSojourn(state int) (float64, error) {
	const fn = "Kernel.MeanSojourn"
	if err := k.space.check(fn, "state", state); err != nil {
		return 0, err
	}
	if k.tail[state] > 0 {
		return 0, &InfiniteError{fn, k.space.Names[state], neverLeft(k.tail[state])}
	}
	return k.meanSojourn(state), nil
}

func (k *Kernel) meanSojourn(state int) float64 {
	var s numeric.Sum
	for _, a := range k.rows[state] {
		s.Add(float64(a.lag) * a.prob)
	}
	return s.Value()
}

func neverLeft(tail float64) string {
	return fmt.Sprintf("is never left with probability %.6g", tail)
}

// A risk is the chance that a sojourn that has reached an age ends there.
type risk struct {
	age  int32
	to   int32
	prob float64
	stay float64 // on the last risk of each age the chance to pass it, 1 on the others
}

// agedRow returns the row of a state conditioned on a sojourn longer than u,
// lags counted from u, and its tail; ok is false where that is impossible.
//
// An estimated kernel is conditioned on the risks at ages above u themselves.
// That is the same as dividing by S(u) where S(u) > 0, and still has an answer
// where the few sojourns seen from their entry all ended before u, but others,
// which were older when their window began, went on.
func (k *Kernel) agedRow(state, u int) (row []arc, tail float64, ok bool) {
	if u == 0 {
		return k.rows[state], k.tail[state], true
	}
	if k.risks != nil {
		alive, any := 1.0, false
		for _, r := range k.risks[state] {
			if int(r.age) <= u {
				continue
			}
			any = true
			if r.prob > 0 && alive > 0 {
				row = append(row, arc{r.to, r.age - int32(u), alive * r.prob})
			}
			alive *= r.stay
		}
		if any {
			return row, alive, true
		}
	}
	alive := survivalAt(k.rows[state], k.tail[state], u)
	if alive == 0 {
		return nil, 0, false
	}
	for _, a := range k.rows[state] {
		if int(a.lag) > u {
			row = append(row, arc{a.to, a.lag - int32(u), a.prob / alive})
		}
	}
	return row, k.tail[state] / alive, true
}
