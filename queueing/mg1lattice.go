package queueing

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/dsp/fourier"

	"github.com/capplan/capplan/internal/numeric"
)

// latticeWait is the law of the wait in M/G/1 with discrete service. With unit
// u, all times whole multiples of it, and T(j) = P(work left after a step of
// length u exceeds j units),
//
//	P(W > ku − y) = Σₙ e^(−λy)(λy)ⁿ/n! · Tₙ(k−1),  0 < y ≤ u,  k = 1, 2, …
//
// where Tₙ is T convolved n times with the law of a service. Every term is
// positive. For one atom it is Franx's formula. Source: Franx, A simple
// solution for the M/D/c waiting time distribution, Oper. Res. Letters 29,
// 2001, read for batches of unit services.
type latticeWait struct {
	unit, rate float64
	walk       numeric.WalkMax
	levels     [][]float64 // Tₙ(j), n ≥ 0
	// For times off the lattice: first-order correction.
	correct func(t float64) float64
}

const (
	latticeMost = 1 << 16 // units in the greatest time
	latticeFine = 1 << 13 // units when there is no common one
	levelsMost  = 64
)

func newLatticeWait(times, weights []float64, rate, rho, gap float64) (latticeWait, bool) {
	unit, exact := latticeUnit(times)
	greatest := slices.Max(times)
	if !exact && len(times) <= atomsMost {
		return latticeWait{}, false
	}
	if !exact {
		unit = greatest / latticeFine
	}
	batch := make([]float64, int(math.Ceil(greatest/unit+0.5))+1)
	for i, t := range times {
		at := t / unit
		if exact {
			batch[int(math.Round(at))] += weights[i]
			continue
		}
		// Keep the mean: share between the two neighbours.
		below := math.Floor(at)
		batch[int(below)] += weights[i] * (below + 1 - at)
		batch[int(below)+1] += weights[i] * (at - below)
	}
	for len(batch) > 2 && batch[len(batch)-1] == 0 {
		batch = batch[:len(batch)-1]
	}
	walk, ok := numeric.NewWalkMax(1, rate*unit, batch, gap)
	if !ok {
		return latticeWait{}, false
	}
	l := latticeWait{unit: unit, rate: rate, walk: walk}
	l.convolve(batch)
	if !exact {
		mean := 0.0
		for i, t := range times {
			mean += weights[i] * t
		}
		front := gap * rho / mean
		var places, shares []float64
		for j, p := range batch {
			if p > 0 {
				places, shares = append(places, float64(j)*unit), append(shares, p)
			}
		}
		l.correct = func(x float64) float64 {
			given, used := 0.0, 0.0
			for i, t := range times {
				given += weights[i] * math.Max(0, t-x)
			}
			for i, j := range places {
				used += shares[i] * math.Max(0, j-x)
			}
			return front * (given - used)
		}
	}
	return l, true
}

// latticeUnit returns the greatest unit of which all times are whole
// multiples to 1e-9, if there are at most 65536 units in the greatest.
func latticeUnit(times []float64) (unit float64, ok bool) {
	unit = times[0]
	greatest := slices.Max(times)
	for _, t := range times {
		a, b := math.Max(unit, t), math.Min(unit, t)
		for b > 1e-7*greatest {
			a, b = b, math.Abs(a-b*math.Round(a/b))
		}
		unit = a
		if greatest/unit > latticeMost {
			return 0, false
		}
	}
	// Take out the rounding of the last subtraction.
	unit = greatest / math.Round(greatest/unit)
	for _, t := range times {
		if math.Abs(t/unit-math.Round(t/unit)) > 1e-9*t/unit+1e-9 {
			return 0, false
		}
	}
	return unit, true
}

// convolve fills in the levels.
func (l *latticeWait) convolve(batch []float64) {
	mean := l.rate * l.unit
	levels, term := 1, 1.0
	for term = mean; levels < levelsMost && term > 1e-18; levels++ {
		term *= mean / float64(levels+1)
	}
	width := len(batch) - 1
	length := int(math.Ceil(60 / l.walk.Decay()))
	length = min(length, l.walk.Known()) + (levels+1)*width
	first := make([]float64, length)
	for j := range first {
		first[j] = l.walk.Tail(float64(j))
	}
	l.levels = [][]float64{first}
	step := convolution(batch, length)
	for range levels {
		l.levels = append(l.levels, step(l.levels[len(l.levels)-1]))
	}
}

// convolution returns f ↦ Σᵢ p(i) f(j−i), where f(j) = 1 for j < 0.
func convolution(p []float64, length int) func(f []float64) []float64 {
	atoms := 0
	for _, x := range p {
		if x > 0 {
			atoms++
		}
	}
	beyond := make([]float64, len(p)+1) // P(batch > j)
	for j := len(p) - 1; j >= 0; j-- {
		beyond[j] = beyond[j+1] + p[j]
	}
	over := func(j int) float64 {
		if j+1 < len(beyond) {
			return beyond[j+1]
		}
		return 0
	}
	if atoms <= 64 {
		return func(f []float64) []float64 {
			out := make([]float64, length)
			for j := range out {
				out[j] = over(j)
			}
			for i, x := range p {
				if x > 0 {
					for j := i; j < length; j++ {
						out[j] += x * f[j-i]
					}
				}
			}
			return out
		}
	}
	size := 1
	for size < length+len(p) {
		size *= 2
	}
	fft := fourier.NewFFT(size)
	padded := make([]float64, size)
	copy(padded, p)
	image := fft.Coefficients(nil, padded)
	return func(f []float64) []float64 {
		work := make([]float64, size)
		copy(work, f)
		c := fft.Coefficients(nil, work)
		for k := range c {
			c[k] *= image[k] / complex(float64(size), 0)
		}
		fft.Sequence(work, c)
		out := make([]float64, length)
		for j := range out {
			out[j] = over(j) + work[j]
		}
		return out
	}
}

func (l latticeWait) Tail(t float64) float64 {
	k := math.Floor(t/l.unit) + 1
	y := l.rate * (k*l.unit - t)
	at, scale := k-1, 1.0
	if last := float64(len(l.levels[0]) - 1); at > last {
		scale = math.Exp(-l.walk.Decay() * (at - last))
		at = last
	}
	sum, term := 0.0, math.Exp(-y)
	for n, level := range l.levels {
		sum += term * level[int(at)]
		term *= y / float64(n+1)
	}
	sum *= scale
	if l.correct != nil {
		sum += l.correct(t)
	}
	return sum
}

func (l latticeWait) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.unit) }

// latticeResponse is the law of wait and service together.
type latticeResponse struct {
	wait           WaitLaw
	times, weights []float64
}

func (l latticeResponse) Tail(t float64) float64 {
	sum := 0.0
	for i, s := range l.times {
		if s > t {
			sum += l.weights[i]
		} else {
			sum += l.weights[i] * l.wait.Tail(t-s)
		}
	}
	return sum
}

func (l latticeResponse) Quantile(p float64) float64 { return quantileOf(l.Tail, p, l.times[0]) }
