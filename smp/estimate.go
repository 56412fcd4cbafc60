package smp

import (
	"fmt"
	"sort"

	"github.com/capplan/capplan/internal/fault"
)

// A Fit is a kernel estimated from windows, with the size of its sample.
type Fit struct {
	Kernel      *Kernel
	Windows     int           // sequences used
	States      []StateSample // one per state
	Transitions [][]int       // [i][j] observed transitions
	Warnings    []Warning
}

// A StateSample says how much is known about one state.
type StateSample struct {
	Visits    int // sojourns seen, cut and undated ones included
	Exits     int // sojourns that ended in a transition
	Cut       int // right-censored by the end of a window
	Truncated int // entered before the window, age known
	Undated   int // entry not known; not used
	Longest   int // greatest observed age in steps
}

// A Warning points at a number that rests on little, and says what to do.
type Warning struct {
	State  int // −1 where it concerns the whole fit
	Reason string
}

// fewVisits is the number of visits below which a state carries a warning.
const fewVisits = 5

// EstimateCounts estimates the kernel as the iShare paper does (6.2):
//
//	Q_i(j) = N_ij / N_i,   H_ij(l) = N_ij(l) / N_ij,   q_ij(l) = N_ij(l) / N_i
//
// where N counts transitions seen inside the windows; a first sojourn counts
// from the window's start, a sojourn that the window's end cuts is dropped. It
// is biased towards short sojourns and towards failure; [EstimateCensored] is
// not. A state never left has a tail of 1.
func EstimateCounts(space Space, windows []Sequence) (*Fit, error) {
	return estimate("EstimateCounts", space, windows, nil, byCounts)
}

// EstimateCensored estimates the kernel by the competing-risks product limit
// with delayed entry:
//
//	n_i(l) = sojourns in i known to be at risk of ending at age l
//	S_i(l) = Π_{m≤l} (1 − d_i(m)/n_i(m)),   q_ij(l) = S_i(l−1) d_ij(l)/n_i(l)
//
// where d_ij(l) of them went to j at age l. A sojourn cut after c steps is at
// risk at ages below c; one that entered e steps before the window is at risk
// at ages above e. What S_i leaves after the last observed exit stays as the
// tail of the row: the state is then not known ever to be left, within what
// was seen. Nothing is renormalised.
//
// A state never seen has a tail of 1 and a warning. Sequences with a state
// out of range return a *DomainError; no windows at all wraps [ErrNoData].
// Source: Kalbfleisch, Prentice, 2002, 8.2; Tsai, Jewell, Wang, 1987 for
// delayed entry.
func EstimateCensored(space Space, windows []Sequence) (*Fit, error) {
	return estimate("EstimateCensored", space, windows, nil, byLimit)
}

// An exposure is what the sojourns of one state tell about one age.
type exposure struct {
	age  int
	to   int // state, or Cut for a change of the risk set only
	exit float64
	risk float64 // change of the risk set that takes effect at this age
}

// An estimator is a way to make a kernel from windows.
type estimator int

const (
	byCounts  estimator = iota // [EstimateCounts]
	byLimit                    // [EstimateCensored]
	toFailure                  // [EstimateToFailure]
)

func chosen(counts, censored bool) estimator {
	switch {
	case counts:
		return byCounts
	case censored:
		return byLimit
	}
	return toFailure
}

// estimate does all three; weights, when given, repeat windows a whole number of
// times.
func estimate(fn string, space Space, windows []Sequence, weights []float64, by estimator) (*Fit, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	if len(windows) == 0 {
		return nil, fault.New("smp", fn, "no windows", ErrNoData)
	}
	n := len(space.Names)
	f := &Fit{Windows: len(windows), States: make([]StateSample, n), Transitions: make([][]int, n)}
	for i := range f.Transitions {
		f.Transitions[i] = make([]int, n)
	}
	records, after := make([][]exposure, n), make([]*afterFailure, n)
	for w, s := range windows {
		if err := s.check(fn, space); err != nil {
			return nil, err
		}
		weight := 1.0
		if weights != nil {
			weight = weights[w]
			if weight == 0 {
				continue
			}
		}
		failed := false
		for _, v := range s {
			f.count(v)
			if failed = failed || space.Failure[v.State]; failed && by == toFailure && !space.Failure[v.State] {
				after[v.State] = after[v.State].add(v, weight)
				continue
			}
			records[v.State] = expose(records[v.State], v, weight, by != byCounts)
		}
	}
	for i, a := range after {
		records[i] = a.join(records[i])
	}
	var atoms []Atom
	tail := make([]float64, n)
	risks := make([][]risk, n)
	for i := range records {
		risks[i] = productLimit(records[i])
		alive := 1.0
		for _, r := range risks[i] {
			if alive == 0 {
				f.Warnings = append(f.Warnings, Warning{i, fmt.Sprintf(
					"every sojourn in %s that was at risk at some age before %d ended there, though older ones went on: the law from entry rests on few; use more days",
					space.Names[i], r.age,
				)})
				break
			}
			if r.prob > 0 {
				atoms = append(atoms, Atom{i, int(r.to), int(r.age), alive * r.prob})
			}
			alive *= r.stay
		}
		tail[i] = alive
	}
	k, err := NewKernelTails(space, atoms, tail)
	if err != nil {
		return nil, err
	}
	k.risks = risks
	f.Kernel = k
	f.warn(space)
	return f, nil
}

func (f *Fit) count(v Sojourn) {
	s := &f.States[v.State]
	s.Visits++
	s.Longest = max(s.Longest, v.Elapsed+v.Steps)
	switch {
	case v.Undated:
		s.Undated++
		return
	case v.Next == Cut:
		s.Cut++
	default:
		s.Exits++
		f.Transitions[v.State][v.Next]++
	}
	if v.Elapsed > 0 {
		s.Truncated++
	}
}

// expose adds the record of one sojourn.
func expose(r []exposure, v Sojourn, weight float64, censored bool) []exposure {
	entry, end := v.Elapsed, v.Elapsed+v.Steps
	if !censored {
		// The paper's counts: age from the window's start, cut ones dropped.
		entry, end = 0, v.Steps
		if v.Next == Cut {
			return r
		}
	} else if v.Undated {
		return r
	}
	// At risk at ages entry+1 … end (an exit) or end−1 (a cut).
	if v.Next == Cut {
		if end-1 > entry {
			r = append(r, exposure{age: entry + 1, to: Cut, risk: weight}, exposure{age: end, to: Cut, risk: -weight})
		}
		return r
	}
	return append(r, exposure{age: entry + 1, to: Cut, risk: weight},
		exposure{age: end, to: v.Next, exit: weight},
		exposure{age: end + 1, to: Cut, risk: -weight})
}

// productLimit returns d_ij(l)/n_i(l) of one state, age by age.
func productLimit(r []exposure) []risk {
	sort.Slice(r, func(i, j int) bool {
		if r[i].age != r[j].age {
			return r[i].age < r[j].age
		}
		return r[i].to < r[j].to // changes of the risk set first: Cut is −1
	})
	var out []risk
	atRisk := 0.0
	for m := 0; m < len(r); {
		age, exits := r[m].age, 0.0
		first := m
		for ; m < len(r) && r[m].age == age; m++ {
			atRisk += r[m].risk
			exits += r[m].exit
		}
		if exits == 0 {
			continue
		}
		for e := first; e < m; {
			to, d := r[e].to, 0.0
			for ; e < m && r[e].to == to; e++ {
				d += r[e].exit
			}
			if d > 0 {
				out = append(out, risk{int32(age), int32(to), d / atRisk, 1})
			}
		}
		out[len(out)-1].stay = (atRisk - exits) / atRisk
	}
	return out
}

func (f *Fit) warn(space Space) {
	exits := 0
	for i, s := range f.States {
		exits += s.Exits
		name := space.Names[i]
		switch {
		case s.Visits == 0:
			f.Warnings = append(f.Warnings,
				Warning{i, name + " was never seen: it is taken as never left; use more days or a longer window"})
		case s.Exits == 0:
			f.Warnings = append(f.Warnings, Warning{i, fmt.Sprintf(
				"%s was never left in %s, the longest %s: the answer holds no further than that", name,
				fault.Count(s.Visits, "visit"), fault.Count(s.Longest, "step"),
			)})
		case s.Visits < fewVisits:
			f.Warnings = append(f.Warnings,
				Warning{i, fmt.Sprintf("%s was visited %s: use more days", name, fault.Count(s.Visits, "time"))})
		}
	}
	if exits == 0 {
		f.Warnings = append(f.Warnings, Warning{-1, fmt.Sprintf(
			"no transition in %s: the reliability is 1 over the observed horizon, on that sample alone",
			fault.Count(f.Windows, "window"),
		)})
	}
}
