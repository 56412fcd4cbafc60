package queueing

import (
	"github.com/capplan/capplan/queueing/internal/waits"
	"math"
)

// ResponseLate returns the share of arrivals whose response, wait and service
// together, takes longer than t seconds, for queues served in order of arrival
// whose law of service is known; ok is false for all others.
//
//	P(T > t) = P(S > t) + ∫₀ᵗ P(W > t − s) dP(S ≤ s)
//
// since a wait is independent of the service that follows it. Where some give up
// it counts, of all offered, those who are not served to the end within t:
//
//	P(T > t) = P(ab) + (1 − P(ab))·P(S > t) + ∫₀ᵗ P(served, W > t − s) dP(S ≤ s)
//
// and for Served the same without P(ab), over 1 − P(ab). The other service levels
// speak of waits alone: for them ok is false. All terms are positive, so that
// small shares keep their digits: 1e-11 of themselves in testdata/response.csv.
// For M/M/c it is [MMC.ResponseTail], for M/G/1 that of [DelayFigures].
func (f Figures) ResponseLate(of ServiceLevelOf, t float64) (share float64, ok bool) {
	patient, leaves := f.law.(PatientLaw)
	switch {
	case f.response == nil && f.service.law == nil,
		leaves && of != Offered && of != Served, of < Offered || of > Waits:
		return 0, false
	case !(t > 0):
		return 1, true
	case f.response != nil:
		return math.Min(1, f.response.Tail(t)), true
	}
	late := f.WaitTail
	served, gone := 1.0, 0.0
	if leaves {
		served, gone = 1-f.Abandonment, f.Abandonment
		late = patient.ServedLate
		if served <= 0 {
			return 1, true
		}
	}
	if v := densityOf(f.law); v != nil {
		share = f.service.after(v, late(t), t)
	} else {
		share = served*f.service.above(t) + f.service.beyond(f.law, late, f.MeanWait, t)
	}
	if of == Served {
		return math.Min(1, share/served), true
	}
	return math.Min(1, gone+share), true
}

// ResponsePercentile returns the least t in seconds within which a share p of
// arrivals, 0 ≤ p < 1, is served to the end; see [Figures.ResponseLate] for what
// the share is of, and for ok. It is +Inf where no time suffices.
func (f Figures) ResponsePercentile(of ServiceLevelOf, p float64) (t float64, ok bool) {
	if _, ok := f.ResponseLate(of, 0); !ok { // of no time told at once
		return 0, false
	}
	if p >= 1 || of == Offered && f.Abandonment > 0 && math.Log(f.Abandonment) >= math.Log1p(-p)+tie {
		return math.Inf(1), true
	}
	if !(p > 0) {
		return 0, true
	}
	tail := func(t float64) float64 {
		share, _ := f.ResponseLate(of, t)
		return share
	}
	start := f.MeanResponse
	if !(start > 0 && start < math.Inf(1)) {
		start = f.ServiceTime
	}
	return quantileOf(tail, p, start), true
}

// serviceIn is a law of service whose time is counted in units of its own.
type serviceIn struct {
	law  Law
	unit float64 // s; 0 is 1
}

func (s serviceIn) scale() float64 {
	if s.unit == 0 {
		return 1
	}
	return s.unit
}

// above is P(S > t).
func (s serviceIn) above(t float64) float64 { return s.law.above(t / s.scale())[0] }

// beyond is ∫₀ᵗ L(t − s) dP(S ≤ s), where L(u) is the share that waits longer
// than u under the given law of waits, late, of the given mean.
func (s serviceIn) beyond(wait WaitLaw, late func(float64) float64, mean, t float64) float64 {
	if wait == nil {
		return 0
	}
	if times, weights := s.law.atoms(); times != nil {
		sum := 0.0
		for i, x := range times {
			if x *= s.scale(); x <= t {
				sum += weights[i] * late(t-x)
			}
		}
		return sum
	}
	delays, known := decays(wait)
	services, phases := phasesOf(s.law)
	if known && phases {
		sum := 0.0
		for _, w := range delays {
			for _, b := range services {
				sum += w.weight * b.weight * waits.TwoDecays(w.rate, b.rate/s.scale(), t)
			}
		}
		return sum
	}
	m1, m2, _ := s.law.Moments()
	center, spread := m1*s.scale(), math.Sqrt(math.Max(0, m2-m1*m1))*s.scale()
	density := func(x float64) float64 { return s.law.density(x/s.scale()) / s.scale() }
	// Marks where the product of the two may change fast: both ends, the bulk of
	// the service, and the reach of the wait below t.
	marks := ends(t)
	for _, k := range []float64{-30, -10, -6, -3, -1, 0, 1, 3, 6, 10, 30, 100} {
		marks = append(marks, center+k*spread)
	}
	for _, k := range []float64{0.1, 0.3, 1, 3, 10, 30, 100} {
		marks = append(marks, t-k*mean, t-k*center)
	}
	return integrate(func(x float64) float64 { return late(t-x) * density(x) }, marks, t)
}

// ends are marks close to both ends of [0, t].
func ends(t float64) []float64 {
	marks := []float64{0, t}
	for k := 1.0; k <= 10; k++ {
		marks = append(marks, t*math.Pow(4, -k), t*(1-math.Pow(4, -k)))
	}
	return marks
}

// A densityLaw is the wait of those who are served, by its density: cheaper in a
// convolution than a tail that is an integral itself.
type densityLaw interface {
	ServedAtOnce() float64           // P(served, W = 0)
	ServedDensity(t float64) float64 // of P(served, W ≤ t), t > 0
	ServedPeak() (at, width float64) // s, where the density is greatest, and how far around
}

// densityOf is the law of waits by its density; nil where it has none.
func densityOf(l WaitLaw) densityLaw {
	if u, ok := l.(patientLawInUnits); ok {
		if d, ok := u.patient.(densityLaw); ok {
			return densityInUnits{d, u.unit}
		}
		return nil
	}
	d, _ := l.(densityLaw)
	return d
}

type densityInUnits struct {
	densityLaw
	unit float64 // s
}

func (d densityInUnits) ServedDensity(t float64) float64 {
	return d.densityLaw.ServedDensity(t/d.unit) / d.unit
}

func (d densityInUnits) ServedPeak() (at, width float64) {
	at, width = d.densityLaw.ServedPeak()
	return at * d.unit, width * d.unit
}

// after is the share served, but longer than t after arriving; late is that of
// waits longer than t:
//
//	P(served, W + S > t) = P(served, W > t) + P(served, W = 0)·P(S > t) + ∫₀ᵗ v(x)·P(S > t − x) dx
func (s serviceIn) after(v densityLaw, late, t float64) float64 {
	marks := ends(t)
	at, width := v.ServedPeak()
	for _, k := range []float64{-30, -10, -3, -1, 0, 1, 3, 10, 30} {
		marks = append(marks, at+k*width)
	}
	delayed := integrate(func(x float64) float64 { return v.ServedDensity(x) * s.above(t-x) }, marks, t)
	return late + v.ServedAtOnce()*s.above(t) + delayed
}

// A decay is a part weight·e^(−rate·t) of a tail, rate in 1/s.
type decay struct{ weight, rate float64 }

// decays returns the parts of a wait whose tail is a sum of exponentials.
func decays(l WaitLaw) (parts []decay, ok bool) {
	switch l := l.(type) {
	case waits.Exponential:
		return []decay{{l.Wait, l.Rate}}, true
	case twoExponentials:
		return []decay{{l.lead, l.slow}, {l.rest, l.fast}}, true
	case lawOfUnits:
		parts, ok = decays(l.WaitLaw)
		for i := range parts {
			parts[i].rate /= l.unit
		}
		return parts, ok
	case stretchedLaw: // between whole numbers of servers
		parts, ok = decays(l.WaitLaw)
		for i := range parts {
			parts[i].weight *= l.share
			parts[i].rate *= l.pace
		}
		return parts, ok
	}
	return nil, false
}

// phasesOf returns the parts of a law that is a mixture of exponentials.
func phasesOf(l Law) (parts []decay, ok bool) {
	switch l := l.(type) {
	case Exponential:
		return []decay{{1, 1 / l.Mean}}, true
	case Hyperexponential:
		for i, p := range l.Shares {
			parts = append(parts, decay{p, 1 / l.Means[i]})
		}
		return parts, true
	}
	return nil, false
}
