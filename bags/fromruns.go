package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"slices"
	"sort"
)

// runBranches is the number of branches that are followed for help. If the latest runs end far
// later than half of them, the law of the earlier half is kept in steps runFiner times finer.
const (
	runBranches = 120
	runFiner    = 8
)

// FromRuns returns the law of the finish from runs of a bag that were simulated or recorded. A
// run lists, in rising order, the times at which its tasks were done, +Inf for tasks that were
// not. The error of the law is that of the number of runs,
//
//	sd of P(T <= t) = √(P (1 − P)/runs)
//
// and that of cells, in which it is linear: their width is at most 1/62 of the median, so that a
// time of the earlier half may be that much too early (TestFromRunsInCells).
//
// It serves where [Finish] is wrong, such as on few machines or on machines that come and go
// together. Help is followed in groups of runs that end at about the same time. Errors: those of
// [Bag.Check], and a *DomainError for no runs, a run without tasks, and times that fall.
func FromRuns(b *Bag, runs [][]float64) (*FinishLaw, error) {
	return FromServed(b, 1, runs, nil)
}

// FromServed is FromRuns for a server that gives out several results of a task, like BOINC. given
// lists for each run, in rising order, the times at which tasks were first given out, +Inf for
// tasks that were not. From these, help that begins while results wait knows that several workers
// get the same task, and help from the beginning knows when the first task was given out. Errors
// as there, and a *DomainError for no results and, with several results of a task, for a number of
// times other than that of the tasks.
func FromServed(b *Bag, results int, runs, given [][]float64) (*FinishLaw, error) {
	const fn = "FromServed"
	if b == nil {
		return nil, &DomainError{fn, "bag", math.NaN(), "one"}
	}
	if err := b.Check(); err != nil {
		return nil, err
	}
	switch {
	case len(runs) == 0:
		return nil, &DomainError{fn, "number of runs", 0, "at least one"}
	case results < 1:
		return nil, &DomainError{fn, "results", float64(results), "at least one"}
	case results > 1 && len(given) != len(runs):
		return nil, &DomainError{fn, "number of given", float64(len(given)), "as many as runs"}
	}
	tasks := 0.0 // mean of a run
	for i, r := range runs {
		if err := checkRun(fn, r); err != nil {
			return nil, err
		}
		if results > 1 {
			if err := checkRun(fn, given[i]); err != nil {
				return nil, err
			}
			if len(given[i]) != len(r) {
				return nil, &DomainError{fn, "number of times given", float64(len(given[i])), "as many as tasks"}
			}
		}
		tasks += float64(len(r)) / float64(len(runs))
	}
	sorted := slices.Clone(runs)
	sort.SliceStable(sorted, func(i, j int) bool {
		a, b := sorted[i], sorted[j]
		return a[len(a)-1] < b[len(b)-1]
	})
	var h *handing
	if results > 1 {
		h = servedHanding(results, runs, given)
	}
	var over func(end float64) *FinishLaw
	over = func(end float64) *FinishLaw {
		l := fromRuns(sorted, end)
		l.handing, l.finer = h, over
		l.work, l.unlike, l.tasks, l.late = b.TotalWork()/b.MeanSize(), b.Unlike(), tasks, b.late(l.law)
		l.come = l.comes(b)
		if h != nil && l.late != nil {
			l.first = firstGiven(l.law, given)
		}
		l.Half = shareDone(sorted, 0.5)
		l.Ideal = shareDone(sorted, 0.9) / 0.9
		return l
	}
	f := over(endOf(sorted, 1))
	for end := f.law.End(); end > runFiner*endOf(sorted, 0.5) && len(f.early) < 6; {
		end /= runFiner / 2
		f.early = slices.Insert(f.early, 0, over(end))
	}
	return f, nil
}

// checkRun returns an error if the times of a run are invalid.
func checkRun(fn string, times []float64) error {
	if len(times) == 0 {
		return &DomainError{fn, "number of tasks of a run", 0, "at least one"}
	}
	before := 0.0
	for _, t := range times {
		if !(t >= before) {
			return &DomainError{fn, "time in a run", t, "times that grow from 0 on"}
		}
		before = t
	}
	return nil
}

// servedHanding averages over the runs which share of the tasks has not been given out at each
// share not done. It sets shifts however few results there are for each machine: designs from drawn
// laws are judged on runs of their own.
func servedHanding(results int, runs, given [][]float64) *handing {
	h := &handing{results, max(0, results-defaultQuorum), true, make([]float64, handingSteps+1)}
	for i, r := range runs {
		done, out, n := 0, 0, float64(len(r))
		for j := handingSteps; j >= 0; j-- {
			for n-float64(done) > float64(j)/handingSteps*n {
				done++
			}
			for done > 0 && out < len(r) && given[i][out] <= r[done-1] {
				out++
			}
			h.ungiven[j] += float64(len(r)-max(out, done)) / n / float64(len(runs))
		}
	}
	tasks := float64(len(runs[0]))
	for j, v := range h.ungiven {
		if v*tasks < fewUngiven {
			h.ungiven[j] = 0
		}
	}
	return h
}

// firstGiven returns the law of the time at which the first task is given out, in the cells of g.
func firstGiven(g attempts.Grid, given [][]float64) *attempts.Grid {
	out := &attempts.Grid{Step: g.Step, F: make([]float64, len(g.F))}
	for _, times := range given {
		if k := math.Ceil(times[0] / g.Step); k < float64(len(out.F)) {
			out.F[int(k)] += 1 / float64(len(given))
		}
	}
	for i := 1; i < len(out.F); i++ {
		out.F[i] += out.F[i-1]
	}
	return out
}

// endOf returns the time by which a share of the runs, sorted by their ends, has ended; runs that
// never end do not count.
func endOf(sorted [][]float64, share float64) float64 {
	last := 0.0
	most := int(math.Ceil(share * float64(len(sorted))))
	for k, r := range sorted {
		if end := r[len(r)-1]; k < most && !math.IsInf(end, 1) {
			last = end
		}
	}
	return last
}

// shareDone returns the time at which a share of the bag is done in half of the runs.
func shareDone(runs [][]float64, share float64) float64 {
	var times []float64
	for _, r := range runs {
		times = append(times, r[max(0, int(math.Ceil(share*float64(len(r))-1e-9))-1)])
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// fromRuns makes the law of runs, sorted by their ends, on a grid that reaches to end.
func fromRuns(sorted [][]float64, end float64) *FinishLaw {
	step := max(end, 1e-3) / float64(gridCells-2)
	f := &FinishLaw{law: attempts.Grid{Step: step, F: make([]float64, gridCells)}}
	groups := min(runBranches, len(sorted))
	for g := range groups {
		part := sorted[g*len(sorted)/groups : (g+1)*len(sorted)/groups]
		b := branch{share: float64(len(part)) / float64(len(sorted)), undone: make([]float64, gridCells)}
		each := 1 / float64(len(part))
		for _, r := range part {
			k := 0
			for i := range b.undone {
				for k < len(r) && r[k] <= float64(i)*step {
					k++
				}
				if k == len(r) {
					break
				}
				b.undone[i] += each * float64(len(r)-k)
			}
		}
		f.branches = append(f.branches, b)
	}
	k := 0
	for i := range f.law.F {
		for k < len(sorted) && sorted[k][len(sorted[k])-1] <= float64(i)*step {
			k++
		}
		f.law.F[i] = float64(k) / float64(len(sorted))
	}
	return f
}
