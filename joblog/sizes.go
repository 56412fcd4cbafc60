package joblog

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/law"
)

// A SizeFit is the law of job sizes: the share of jobs on one processor, and a
// two-stage law of the wider ones.
type SizeFit struct {
	POne float64 `json:"p_one"` // share of jobs on one processor
	// PPow2 is the share of jobs on 2, 4, 8, ... processors. A generator's own
	// P_pow2 is lower, for its other draws hit powers of two as well.
	PPow2 float64 `json:"p_pow2"`
	// Parallel is the law of the jobs on more than one processor; nil where
	// fewer than two widths occur among them. Its goodness is of these jobs.
	Parallel *TwoStageFit `json:"parallel"`
	// LawMean is POne + (1 − POne)·Parallel.MeanSize(), with the sample mean in
	// place of the latter where Parallel is nil.
	LawMean float64 `json:"mean_processors"`

	Warnings []string `json:"warnings,omitempty"`
}

// FitSizes returns the law of sizes s ≥ 1 (else a *DomainError); it needs two
// of them (ErrTooFew). Jobs on one processor are set apart, as in the models of
// Lublin and InterGrid, where a job is serial with probability P_one and its
// size is drawn otherwise.
func FitSizes(sizes []int) (*SizeFit, error) {
	bins, err := countSizes(sizes)
	if err != nil {
		return nil, err
	}
	n := float64(len(sizes))
	f := &SizeFit{}
	if bins[0].size == 1 {
		f.POne = bins[0].n / n
		bins = bins[1:]
	}
	sum := 0.0
	for _, b := range bins {
		sum += b.n * float64(b.size)
		if b.size&(b.size-1) == 0 {
			f.PPow2 += b.n / n
		}
	}
	switch len(bins) {
	case 0:
		f.LawMean = 1
		f.Warnings = append(f.Warnings, "all jobs run on one processor: no law of larger sizes")
	case 1:
		f.LawMean = f.POne + sum/n
		f.Warnings = append(f.Warnings,
			fmt.Sprintf("all parallel jobs run on %d processors: no law of sizes", bins[0].size))
	default:
		f.Parallel = fitTwoStage(bins)
		f.LawMean = f.POne + (1-f.POne)*f.Parallel.LawMean
	}
	return f, nil
}

// A TwoStageFit is a fitted two-stage log-uniform law.
type TwoStageFit struct {
	law.TwoStage
	QSE     float64 `json:"q_se"` // standard error √(q(1−q)/n) with m held; l, m, h have no regular one
	LawMean float64 `json:"mean_processors"`
	Goodness
}

// A sizeBin is one observed size with its interval of r and its jobs.
type sizeBin struct {
	size   int
	lo, hi float64
	n      float64
}

func countSizes(sizes []int) ([]sizeBin, error) {
	const fn = "FitSizes"
	if len(sizes) < 2 {
		return nil, fault.New("joblog", fn, fmt.Sprintf("sizes = %d, want at least 2", len(sizes)), ErrTooFew)
	}
	count := make(map[int]int)
	for i, s := range sizes {
		if s < 1 || s > maxProcessors {
			return nil, source.Outside(fn, fmt.Sprintf("sizes[%d]", i), s, "1..1e9 processors")
		}
		count[s]++
	}
	bins := make([]sizeBin, 0, len(count))
	for _, s := range slices.Sorted(maps.Keys(count)) {
		v := float64(s)
		bins = append(bins, sizeBin{s, math.Log2(v - 0.5), math.Log2(v + 0.5), float64(count[s])})
	}
	return bins, nil
}

// stage is the best fit of one stage with its inner end given: the outer end
// (l or h), the log-likelihood of its jobs given the stage, and their number.
type stage struct{ end, logL, n float64 }

// lowerStage fits [l, m] to bins, all of which lie at or below m.
func lowerStage(bins []sizeBin, n, logWidths, m float64) stage {
	first := bins[0]
	l := first.lo
	if n > first.n {
		l = max(l, (n*first.hi-first.n*m)/(n-first.n))
	}
	logL := first.n*math.Log(first.hi-l) + logWidths - first.n*math.Log(first.hi-first.lo) - n*math.Log(m-l)
	return stage{l, logL, n}
}

// upperStage fits [m, h] to bins, all of which lie at or above m.
func upperStage(bins []sizeBin, n, logWidths, m float64) stage {
	last := bins[len(bins)-1]
	h := last.hi
	if n > last.n {
		h = min(h, (n*last.lo-last.n*m)/(n-last.n))
	}
	logL := last.n*math.Log(h-last.lo) + logWidths - last.n*math.Log(last.hi-last.lo) - n*math.Log(h-m)
	return stage{h, logL, n}
}

// fitTwoStage returns the maximum likelihood fit of a two-stage log-uniform law
// to whole sizes s ≥ 1, of which two at least are unlike:
//
//	log L = Σ ln P(size = sᵢ),    P(size = s) = F(log2(s+½)) − F(log2(s−½))
//
// The sizes are taken as intervals of r, for with densities the likelihood is
// unbounded. The maximum is found exactly, in time linear in the number of
// distinct sizes. Within a gap between observed bins log L is convex in m, so m
// lies at a bin's edge or inside an observed bin.
//
// m at an edge: q is the share n₁/n of jobs below. With e₁ the upper edge of
// the smallest size's bin and n_min its jobs, l solves n_min(m−l) = n₁(e₁−l),
// but no lower than the bin; h likewise.
//
// m inside bin (a, b) with n_b jobs: that bin's probability is free between the
// densities d₁ of [l, a] and d₂ of [b, h] times its width. Where n_b/n lies
// between them, the three masses are the shares, l and h are as above with a
// and b for m, and m = (n_b/n + d₁a − d₂b)/(d₁ − d₂), q = d₁(m−l). Otherwise
// the best such m is an edge.
//
// With m at the smallest bin's upper edge, l is not determined and the bin's lower
// edge is given; h likewise. Source: the likelihood of Lublin's law, derived here.
func fitTwoStage(bins []sizeBin) *TwoStageFit {
	// Sums over bins[:k] of jobs and of jobs times log width.
	jobs, widths := make([]float64, len(bins)+1), make([]float64, len(bins)+1)
	for k, b := range bins {
		jobs[k+1] = jobs[k] + b.n
		widths[k+1] = widths[k] + b.n*math.Log(b.hi-b.lo)
	}
	k := len(bins)
	n := jobs[k]
	lower := func(i int, m float64) stage { return lowerStage(bins[:i], jobs[i], widths[i], m) }
	upper := func(i int, m float64) stage { return upperStage(bins[i:], n-jobs[i], widths[k]-widths[i], m) }
	share := func(c float64) float64 { return c * math.Log(c/n) }

	best, bestL := law.TwoStage{}, math.Inf(-1)
	keep := func(t law.TwoStage, logL float64) {
		if logL > bestL {
			best, bestL = t, logL
		}
	}
	for i := 1; i < k; i++ { // bins[:i] below m, bins[i:] above
		for _, m := range [2]float64{bins[i-1].hi, bins[i].lo} {
			a, b := lower(i, m), upper(i, m)
			keep(law.TwoStage{L: a.end, M: m, H: b.end, Q: a.n / n}, share(a.n)+a.logL+share(b.n)+b.logL)
		}
	}
	for i := 1; i < k-1; i++ { // m inside bins[i]
		c := bins[i]
		a, b := lower(i, c.lo), upper(i+1, c.hi)
		d1, d2 := a.n/n/(c.lo-a.end), b.n/n/(b.end-c.hi)
		if d := c.n / n / (c.hi - c.lo); (d-d1)*(d-d2) >= 0 {
			continue
		}
		// m as a fraction of the bin, from p = d1(m−a) + d2(b−m).
		m := c.lo + (c.n/n-d2*(c.hi-c.lo))/(d1-d2)
		if m > c.lo && m < c.hi {
			keep(law.TwoStage{L: a.end, M: m, H: b.end, Q: d1 * (m - a.end)},
				share(a.n)+a.logL+share(c.n)+share(b.n)+b.logL)
		}
	}
	f := &TwoStageFit{TwoStage: best, QSE: math.Sqrt(best.Q * (1 - best.Q) / n), LawMean: best.MeanSize()}
	f.Goodness = goodness(int(n), 4, bestL, sizeDistance(bins, jobs, best))
	return f
}

// sizeDistance is the largest difference of the two distribution functions at
// a whole size; it is reached at an observed size or just below one.
func sizeDistance(bins []sizeBin, jobs []float64, t law.TwoStage) float64 {
	n, d := jobs[len(bins)], 0.0
	for i, b := range bins {
		d = max(d, math.Abs(jobs[i]/n-t.CDF(b.lo)), math.Abs(jobs[i+1]/n-t.CDF(b.hi)))
	}
	return d
}
