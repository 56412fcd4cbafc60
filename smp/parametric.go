package smp

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
)

// A ParametricFit is a semi-Markov process in which the length of a stay in i
// follows a law f_i of few parameters, and the next state does not depend on
// that length:
//
//	q_ij(l) = p_ij f_i(l)
//
// It goes beyond the longest sojourn seen, where the product limit has only
// an atom that is never left.
type ParametricFit struct {
	Rows     []ParametricRow // one per state
	Sample   *Fit            // the product-limit fit of the same windows
	Warnings []Warning
	space    Space
}

// A ParametricRow is the fit of one state.
type ParametricRow struct {
	Law        SojournLaw  // of least AIC; nil for a state never left
	Exit       []float64   // p_ij; all 0 for a state never left
	Candidates []FittedLaw // every law tried
}

// A FittedLaw is a law with its likelihood.
type FittedLaw struct {
	Law           SojournLaw
	LogLikelihood float64
	AIC           float64 // 2·parameters − 2·log-likelihood
}

// An agedCount is a group of equal observations of one state.
type agedCount struct {
	entry, end int
	exits      bool
}

// EstimateParametric fits the sojourn laws by maximum likelihood,
//
//	log L = Σ_exits log f(l) + Σ_cut log P(T > c−1) − Σ_late log P(T > e)
//
// with cut sojourns right-censored and late entries left-truncated as in
// [EstimateCensored], and takes the law of least AIC in each state; p_ij is
// the share of the observed exits. A state never left keeps a tail of 1.
func EstimateParametric(space Space, windows []Sequence) (*ParametricFit, error) {
	base, err := EstimateCensored(space, windows)
	if err != nil {
		return nil, err
	}
	n := len(space.Names)
	groups := make([]map[agedCount]float64, n)
	for i := range groups {
		groups[i] = map[agedCount]float64{}
	}
	for _, s := range windows {
		for _, v := range s {
			if v.Undated {
				continue
			}
			g := agedCount{v.Elapsed, v.Elapsed + v.Steps, v.Next != Cut}
			if !g.exits {
				g.end--
			}
			groups[v.State][g]++
		}
	}
	f := &ParametricFit{
		Sample:   base,
		space:    space.clone(),
		Rows:     make([]ParametricRow, n),
		Warnings: append([]Warning(nil), base.Warnings...),
	}
	for i := range f.Rows {
		row := ParametricRow{Exit: make([]float64, n)}
		if exits := base.States[i].Exits; exits > 0 {
			for j, c := range base.Transitions[i] {
				row.Exit[j] = float64(c) / float64(exits)
			}
			row.Candidates = fitLaws(groups[i])
			row.Law = row.Candidates[0].Law
			for _, c := range row.Candidates[1:] {
				if c.AIC < bestAIC(row) {
					row.Law = c.Law
				}
			}
		}
		f.Rows[i] = row
	}
	return f, nil
}

func bestAIC(r ParametricRow) float64 {
	for _, c := range r.Candidates {
		if c.Law == r.Law {
			return c.AIC
		}
	}
	return math.Inf(1)
}

// fitLaws returns the geometric law first, then the others that have a
// maximum.
func fitLaws(groups map[agedCount]float64) []FittedLaw {
	var exits, steps float64
	for g, w := range groups {
		steps += w * float64(g.end-g.entry)
		if g.exits {
			exits += w
		}
	}
	p := exits / steps
	out := []FittedLaw{fittedLaw(Geometric{p}, groups)}
	if p >= 1 {
		return out // every stay lasts one step
	}
	laws := []struct {
		make  func(x []float64) SojournLaw
		start []float64
	}{
		{func(x []float64) SojournLaw { return DiscreteWeibull{math.Exp(x[0]), math.Exp(x[1])} },
			[]float64{math.Log(-math.Log1p(-p)), 0}},
		{func(x []float64) SojournLaw { return NegativeBinomial{math.Exp(x[0]), 1 / (1 + math.Exp(-x[1]))} },
			[]float64{0, math.Log(p / (1 - p))}},
	}
	for _, l := range laws {
		problem := optimize.Problem{Func: func(x []float64) float64 {
			// A box far outside any data keeps the simplex finite.
			if math.Abs(x[0]) > 40 || math.Abs(x[1]) > 40 {
				return math.Inf(1)
			}
			v := -logLikelihood(l.make(x), groups)
			if math.IsNaN(v) {
				return math.Inf(1)
			}
			return v
		}}
		settings := &optimize.Settings{Converger: &optimize.FunctionConverge{Absolute: 1e-11, Iterations: 60},
			MajorIterations: 1500}
		r, err := optimize.Minimize(problem, l.start, settings, &optimize.NelderMead{SimplexSize: 0.3})
		if err != nil || r == nil || !finite(r.F) {
			continue
		}
		out = append(out, fittedLaw(l.make(r.X), groups))
	}
	return out
}

func fittedLaw(l SojournLaw, groups map[agedCount]float64) FittedLaw {
	ll := logLikelihood(l, groups)
	return FittedLaw{l, ll, 2*float64(len(l.Parameters())) - 2*ll}
}

func logLikelihood(l SojournLaw, groups map[agedCount]float64) float64 {
	var s numeric.Sum
	for g, w := range groups {
		if g.exits {
			s.Add(w * l.logMass(g.end))
		} else if g.end > 0 {
			s.Add(w * l.logSurvival(g.end))
		}
		if g.entry > 0 {
			s.Add(-w * l.logSurvival(g.entry))
		}
	}
	return s.Value()
}

// What is asked of fitted laws is bounded, for they have no last lag.
const (
	maxAtoms   = 20_000_000
	maxElapsed = 2_000_000
)

// check refuses a fit whose rows are not those of its space, as where no
// function of this package returned it.
func (f *ParametricFit) check(fn string) error {
	if len(f.Rows) == 0 || len(f.Rows) != len(f.space.Names) {
		return &DomainError{fn, "len(Rows)", float64(len(f.Rows)), "a fit that EstimateParametric returned"}
	}
	for _, r := range f.Rows {
		if len(r.Exit) != len(f.Rows) {
			return &DomainError{fn, "len(Exit)", float64(len(r.Exit)), fmt.Sprintf("%d chances", len(f.Rows))}
		}
	}
	return nil
}

// Kernel returns the kernel with atoms up to lag n and the chance of a longer
// stay as its tail: exact for horizons up to n. For a start with an elapsed
// sojourn u ask for n + u. More than 2e7 atoms are a *DomainError of n.
func (f *ParametricFit) Kernel(n int) (*Kernel, error) {
	const fn = "ParametricFit.Kernel"
	if err := f.check(fn); err != nil {
		return nil, err
	}
	if most := maxAtoms / (len(f.Rows) * len(f.Rows)); n < 1 || n > most {
		return nil, &DomainError{fn, "n", float64(n), fmt.Sprintf("1..%d", most)}
	}
	var atoms []Atom
	tail := make([]float64, len(f.Rows))
	for i, r := range f.Rows {
		if r.Law == nil {
			tail[i] = 1
			continue
		}
		for l := 1; l <= n; l++ {
			m := r.Law.Mass(l)
			for j, p := range r.Exit {
				if p*m > 0 {
					atoms = append(atoms, Atom{i, j, l, p * m})
				}
			}
		}
		tail[i] = r.Law.Survival(n)
	}
	return NewKernelTails(f.space, atoms, tail)
}

// MTTF returns the mean number of steps to failure over all time, as
// [Kernel.MTTF], with the means of the laws rather than a kernel cut at some
// lag.
func (f *ParametricFit) MTTF(start Start) (float64, error) {
	const fn = "ParametricFit.MTTF"
	if err := f.check(fn); err != nil {
		return 0, err
	}
	if err := f.space.check(fn, "start.State", start.State); err != nil {
		return 0, err
	}
	if start.Elapsed < 0 || start.Elapsed > maxElapsed {
		return 0, &DomainError{fn, "start.Elapsed", float64(start.Elapsed), fmt.Sprintf("0..%d steps", maxElapsed)}
	}
	if f.space.Failure[start.State] {
		return 0, nil
	}
	r := f.Rows[start.State]
	if r.Law == nil {
		return 0, &InfiniteError{fn, f.space.Names[start.State], "was never left"}
	}
	alive := r.Law.Survival(start.Elapsed)
	if alive == 0 {
		return 0, fault.New("smp", fn,
			fmt.Sprintf("%s for more than %d steps is an impossible start", f.space.Names[start.State], start.Elapsed),
			ErrImpossible)
	}
	var rest numeric.Sum // mean of what is left of the sojourn
	rest.Add(r.Law.Mean())
	for k := range start.Elapsed {
		rest.Add(-r.Law.Survival(k))
	}
	p := make([][]float64, len(f.Rows))
	tail := make([]float64, len(f.Rows))
	means := make([]float64, len(f.Rows))
	for i, row := range f.Rows {
		p[i] = row.Exit
		if row.Law == nil {
			tail[i] = 1
		} else {
			means[i] = row.Law.Mean()
		}
	}
	var from []int
	for j, v := range r.Exit {
		if v > 0 && !f.space.Failure[j] {
			from = append(from, j)
		}
	}
	m, err := passageTimes(fn, f.space, p, tail, means, from)
	if err != nil {
		return 0, err
	}
	total := rest.Value() / alive
	for _, j := range from {
		total += r.Exit[j] * m[j]
	}
	return total, nil
}
