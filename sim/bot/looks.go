package bot

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// A look happens between the runs of a trial. The trial is accepted as in time if at most taken
// runs are late, and as late if at least left runs are; otherwise it goes on.
type look struct {
	runs, late  int
	taken, left int
}

// over reports what a look decides.
func (l look) over() (isLate, inTime bool) { return l.late >= l.left, l.late <= l.taken }

// lookAt returns the look at a trial that is judged by a drawing.
func (t *Trial) lookAt(chance float64, d Drawing) look {
	l := look{runs: t.Runs, late: t.Late, taken: -1, left: t.Runs + 1}
	if t.Runs == d.Least {
		l.taken = 0
	}
	// The trial is late from the number on that all runs of the drawing may not exceed.
	if most := math.Floor((1-chance)*float64(d.Most) + 1e-9); most < float64(t.Runs) {
		l.left = int(most) + 1
	}
	for late := range l.left {
		isLate, inTime := decided(late, t.Runs, chance)
		if inTime {
			l.taken = max(l.taken, late)
		}
		if isLate && (&Trial{Runs: t.Runs, Late: late}).InTime() < chance {
			l.left = late
			break
		}
	}
	return l
}

// decided is Wald's sequential test of the probability of being late: lateSurely times the allowed
// one, p₀, against lateAtMost times it, p₁. With l of n runs late,
//
//	Λ = l log(p₁/p₀) + (n − l) log((1 − p₁)/(1 − p₀))
//
// the help is late if Λ ≥ log 1/α and in time if Λ ≤ −log 1/α; either decision is wrong with
// probability at most α, which is 1 − [RefineConfidence]. Help that is late about as often as
// allowed is rejected as often as after all runs of a drawing, but with a third of them. Source:
// Wald, Sequential Tests of Statistical Hypotheses, Annals of Mathematical Statistics 16, 1945.
func decided(late, runs int, chance float64) (isLate, inTime bool) {
	p0, p1 := lateSurely*(1-chance), min(RefineConfidence, lateAtMost*(1-chance))
	l, n := float64(late), float64(runs)
	ratio := l*math.Log(p1/p0) + (n-l)*(math.Log1p(-p1)-math.Log1p(-p0))
	sure := -math.Log(1 - RefineConfidence)
	return ratio >= sure, ratio <= -sure
}

// Bounds returns the exact interval for the probability of being in time. That lies below the
// interval with probability at most 1 − [RefineConfidence], and above it likewise. If the number of
// runs was fixed beforehand the interval is the binomial one,
//
//	P(X <= late) = 0.05 at 1 − low,    P(X >= late) = 0.05 at 1 − high,    X binomial
//
// If looks may have ended the trial sooner it follows from their order: an outcome is no later than
// the trial if it was accepted at an earlier look, or at the same look with no more runs late.
// Without runs it is 0 to 1. Source: Clopper, Pearson, Biometrika 26, 1934; Armitage, Biometrika
// 45, 1958.
func (t *Trial) Bounds() (low, high float64) {
	if len(t.looks) < 2 {
		late, runs := t.Late, t.Runs
		if len(t.looks) == 1 { // runs after the look have no part
			late, runs = t.looks[0].late, t.looks[0].runs
		}
		return exactBounds(late, runs)
	}
	const steps = 40
	at := func(chance func(p float64) float64, grows bool) float64 {
		from, to := 0.0, 1.0 // probability of being late
		for range steps {
			if mid := (from + to) / 2; chance(mid) > 1-RefineConfidence == grows {
				to = mid
			} else {
				from = mid
			}
		}
		return 1 - (from+to)/2
	}
	low = at(func(p float64) float64 { no, _ := t.asLate(p); return no }, false)
	high = at(func(p float64) float64 { _, no := t.asLate(p); return no }, true)
	share := t.InTime() // after far more late runs than rejection takes it may lie outside
	return math.Min(low, share), math.Max(high, share)
}

// asLate returns the probabilities to be no later than the trial and no less late, in the order of
// Bounds, for help that is late with probability p.
func (t *Trial) asLate(p float64) (noMore, noLess float64) {
	last := t.looks[len(t.looks)-1]
	open, runs, taken, left := []float64{1}, 0, 0.0, 0.0
	var batch []float64
	for _, l := range t.looks {
		if n := l.runs - runs; len(batch) != n+1 {
			batch = make([]float64, n+1)
			for k := range batch {
				batch[k] = distuv.Binomial{N: float64(n), P: p}.Prob(float64(k))
			}
		}
		runs = l.runs
		next := make([]float64, len(open)+len(batch)-1)
		for i, share := range open {
			for k, chance := range batch {
				next[i+k] += share * chance
			}
		}
		if open = next; l == last {
			break
		}
		for late, share := range open {
			switch {
			case late <= l.taken:
				taken += share
				open[late] = 0
			case late >= l.left:
				left += share
			}
		}
		open = open[:min(len(open), l.left)]
	}
	fewer, as, more := 0.0, 0.0, 0.0
	for late, share := range open {
		switch {
		case late < last.late:
			fewer += share
		case late > last.late:
			more += share
		default:
			as = share
		}
	}
	noMore, noLess = taken+fewer+as, left+as+more
	switch isLate, inTime := last.over(); {
	case isLate: // other outcomes would go on
		noMore = 1 - left - more
	case inTime:
		noLess = 1 - taken - fewer
	}
	return noMore, noLess
}

// exactBounds returns the binomial interval.
func exactBounds(late, runs int) (low, high float64) {
	// at returns the probability of being in time for which at most late runs are late with
	// probability p.
	at := func(late int, p float64) float64 {
		from, to := 0.0, 1.0
		for range 50 {
			mid := (from + to) / 2
			if (distuv.Binomial{N: float64(runs), P: 1 - mid}).CDF(float64(late)) < p {
				from = mid
			} else {
				to = mid
			}
		}
		return from
	}
	low, high = 0, 1
	if late < 0 || late > runs {
		return low, high
	}
	if late < runs {
		low = at(late, 1-RefineConfidence)
	}
	if late > 0 {
		high = at(late-1, RefineConfidence)
	}
	return low, math.Max(low, high)
}
