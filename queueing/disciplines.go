package queueing

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/capplan/capplan/internal/numeric"
)

// A Discipline is an order of service in M/G/1.
type Discipline int

// The disciplines. All but FCFS and PS look at sizes; SRPT has the least mean
// response of all.
const (
	FCFS    Discipline = iota // in order of arrival
	Sharing                   // processor sharing; also last come first served, preemptive
	SJF                       // shortest job first, not interrupted
	PSJF                      // shortest job first by its whole size, preemptive-resume
	SRPT                      // shortest remaining time first, preemptive
	FB                        // least attained service first (foreground-background)
)

var disciplineNames = [...]string{"FCFS", "PS", "SJF", "preemptive SJF", "SRPT", "FB"}

func (d Discipline) String() string {
	if d < 0 || int(d) >= len(disciplineNames) {
		return "unknown discipline"
	}
	return disciplineNames[d]
}

// MeanResponseUnder returns the mean response time in s of M/G/1 under another
// discipline than order of arrival, for the same arrivals and law of service.
// With ρ(x) = λE[S; S ≤ x], m₂(x) = E[S²; S ≤ x] and ties in order of arrival,
//
//	SJF   E[S] + ∫ λE[S²]/2 /((1−ρ(x⁻))(1−ρ(x))) dF
//	PSJF  ∫ λm₂(x)/2 /((1−ρ(x⁻))(1−ρ(x))) + x/(1−ρ(x⁻)) dF
//	SRPT  ∫ λ(m₂(x) + x²P(S > x))/2 /((1−ρ(x⁻))(1−ρ(x))) dF + ∫ P(S > x)/(1−ρ(x)) dx
//	FB    as PSJF with min(S, x) for S ≤ x
//
// relative error about 1e-10 (1e-6 where the sizes differ by less than 1e-6 of
// their mean: for an SCV below 1e-12 that of 1e-12 is taken), also near ρ = 1, where
// the parts above x are what is added to 1−ρ. Errors: *DomainError, and *UnstableError for ρ ≥ 1.
// Source: Schrage, Miller, Oper. Res. 14, 1966; Kleinrock, Queueing systems
// II, 1976, chapter 4; Harchol-Balter, Performance modeling and design, 2013,
// chapters 31 to 33.
func (q MG1) MeanResponseUnder(d Discipline) (float64, error) {
	if d < 0 || int(d) >= len(disciplineNames) {
		return 0, &DomainError{"MG1.MeanResponseUnder", "discipline",
			float64(d), "one of the disciplines of this package"}
	}
	f, err := q.Figures()
	if err != nil {
		return 0, err
	}
	gap := numeric.NewGapSum(1).Minus(q.ArrivalRate, f.ServiceTime).Value()
	switch {
	case d == FCFS || q.ArrivalRate == 0:
		return f.MeanResponse, nil
	case d == Sharing:
		return f.ServiceTime / gap, nil
	}
	_, m2, _ := q.Service.Moments()
	s := sizes{spread(q.Service), q.ArrivalRate, gap, m2}
	var v float64
	if times, weights := q.Service.atoms(); times != nil {
		v = s.discrete(d, times, weights)
	} else {
		v = s.continuous(d, f.ServiceTime)
	}
	if d == SJF {
		v += f.ServiceTime
	}
	return v, nil
}

// sizes evaluates the integrands.
type sizes struct {
	law       Law
	rate, gap float64
	square    float64 // E[S²]
}

// delay returns the integrand over dF; here holds the atom at x, which below
// leaves out.
func (s sizes) delay(d Discipline, x, atom float64) float64 {
	above := s.law.above(x)
	free := s.gap + s.rate*above[1] // 1 − ρ(x)
	before := free + s.rate*x*atom  // 1 − ρ(x⁻)
	within := s.square - above[2]   // m₂(x)
	switch d {
	case SJF:
		return s.rate * s.square / 2 / (before * free)
	case PSJF:
		return s.rate*within/2/(before*free) + x/before
	case SRPT:
		return s.rate * (within + x*x*above[0]) / 2 / (before * free)
	}
	cut := s.gap + s.rate*(above[1]-x*above[0]) // 1 − λE[min(S, x)]
	return s.rate*(within+x*x*above[0])/2/(cut*cut) + x/cut
}

// discrete is the mean response of a law of single times, an atom after the other: equal
// times are one atom of their weights together.
func (s sizes) discrete(d Discipline, times, weights []float64) float64 {
	order := ascending(times)
	sum, last := 0.0, 0.0
	for i := 0; i < len(order); {
		x, atom := times[order[i]], 0.0
		for ; i < len(order) && times[order[i]] == x; i++ {
			atom += weights[order[i]]
		}
		sum += atom * s.delay(d, x, atom)
		if d == SRPT {
			below := s.law.above(last)
			sum += (x - last) * below[0] / (s.gap + s.rate*below[1])
		}
		last = x
	}
	return sum
}

// continuous integrates in the logarithm of x, in panels that are halved
// until two orders of Gauss's rule agree.
func (s sizes) continuous(d Discipline, mean float64) float64 {
	f := func(u float64) float64 {
		x := math.Exp(u)
		v := s.law.density(x) * s.delay(d, x, 0)
		if d == SRPT {
			above := s.law.above(x)
			v += above[0] / (s.gap + s.rate*above[1])
		}
		return x * v
	}
	// From where a size no longer counts to where nobody is that large.
	lo, hi := math.Log(mean)-2, math.Log(mean)+1
	for s.law.above(math.Exp(lo))[0] < 1-1e-16 || lo > math.Log(mean)-45 {
		if lo -= 2; lo < math.Log(mean)-600 {
			break
		}
	}
	for {
		a := s.law.above(math.Exp(hi))
		if a[2] < 1e-18*s.square*s.gap || hi > math.Log(mean)+300 {
			break
		}
		hi++
	}
	// Whatever is smaller than the first size counts as that size.
	first := math.Exp(lo)
	total := (1 - s.law.above(first)[0]) * s.delay(d, first, 0)
	edges := []float64{lo, hi}
	for x := math.Ceil(lo); x < hi; x++ {
		edges = append(edges, x)
	}
	// A law close to a constant fits between two points of any wide panel.
	if sigma := math.Sqrt(scvOf(s.law)); sigma < 0.3 {
		for _, k := range []float64{-40, -12, -8, -6, -4, -2, 0, 2, 4, 6, 8, 12, 40} {
			if x := math.Log(mean) + k*sigma; x > lo && x < hi {
				edges = append(edges, x)
			}
		}
	}
	slices.Sort(edges)
	for i, from := range edges[:len(edges)-1] {
		total += adaptive(f, from, edges[i+1], 1e-13*mean, 12)
	}
	return total
}

// spread widens a law of sizes that differ by less than about 1e-6 of the mean
// to that: below, only the order of the sizes counts, and rounding would lose
// it. It is not the law of equal sizes, which are served in order of arrival.
// Below an SCV of 1e-10 a gamma law is taken as the lognormal one of its mean
// and SCV: as functions of the rank of a size both differ by the order of the
// SCV, and the gamma function of 1/SCV keeps no digits.
func spread(law Law) Law {
	const least, alike = 1e-12, 1e-10
	switch l := law.(type) {
	case Gamma:
		if l.SCV < alike {
			return Lognormal{l.Mean, math.Max(l.SCV, least)}
		}
	case ErlangK:
		return spread(l.gamma())
	case Lognormal:
		return Lognormal{l.Mean, math.Max(l.SCV, least)}
	}
	return law
}

// scvOf returns the SCV without the cancellation of moments.
func scvOf(law Law) float64 {
	switch l := law.(type) {
	case Gamma:
		return l.SCV
	case ErlangK:
		return 1 / float64(l.Phases)
	case Lognormal:
		return l.SCV
	}
	m1, m2, _ := law.Moments()
	return m2/(m1*m1) - 1
}

func adaptive(f func(float64) float64, a, b, lost float64, depth int) float64 {
	coarse := quad.Fixed(f, a, b, 10, quad.Legendre{}, 0)
	fine := quad.Fixed(f, a, b, 20, quad.Legendre{}, 0)
	if depth == 0 || math.Abs(fine-coarse) <= 1e-11*math.Abs(fine)+lost {
		return fine
	}
	mid := (a + b) / 2
	return adaptive(f, a, mid, lost, depth-1) + adaptive(f, mid, b, lost, depth-1)
}
