package bot

import (
	"context"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
)

// A Refinement asks for the cheapest help by which a bag is done in time, by
// simulation.
type Refinement struct {
	Case   *Case       // but for its strategy and credits
	Target bags.Target // that help is to reach
	// From is where to begin: help at growing starts, each with about as many workers
	// as it needs; see [bags.FinishLaw.Designs].
	From []*bags.Helped
	// Runs is on how many runs help is judged, at least [LeastRuns].
	Runs     int
	Seed     uint64
	Progress func(simulated int) // is told how many runs there were; may be nil
}

// RefineConfidence is that with which help is in time: the lower bound of the exact
// binomial interval of its runs is the chance that is wanted.
const RefineConfidence = 0.95

// LeastRuns is on how many runs, all of them in time, help is in time with a chance
// at [RefineConfidence]: ln 0.05/ln p. With 0 < p < 1.
func LeastRuns(chance float64) int {
	return int(math.Ceil(math.Log(1-RefineConfidence) / math.Log(chance)))
}

// mostLate is how many of the runs may be late: the greatest k with P(X <= k) <= 1 −
// confidence, X binomial with the chance to be late that is just too great. None
// where it is -1. Source: Clopper, Pearson, Biometrika 26, 1934.
func mostLate(runs int, chance float64) int {
	late := distuv.Binomial{N: float64(runs), P: 1 - chance}
	k := -1
	for k < runs && late.CDF(float64(k+1)) <= 1-RefineConfidence {
		k++
	}
	return k
}

// An End is why help was tried no further.
type End byte

const (
	InTime End = iota // on all runs, and no more of them were late than may be
	Late              // more were late than may be
	Dear              // clearly dearer than the cheapest that was in time
)

// A Trial is help as it went in simulated runs.
type Trial struct {
	bags.Help
	How   spequlos.How
	End   End
	Runs  int     // that were simulated
	Late  int     // of these
	Hours float64 // of cloud workers, mean of the runs

	hours  []float64
	ends   []float64 // +Inf of those that were given up
	lates  []int     // which were late
	effort float64   // of the runs, as of a Drawing
	looks  []look    // at a trial that is judged, until it was settled
}

// HoursHalf is half the width of the 95 % interval of the mean hours; 0 of one run.
func (t *Trial) HoursHalf() float64 {
	n := float64(t.Runs)
	if n < 2 {
		return 0
	}
	sum := 0.0
	for _, h := range t.hours {
		sum += (h - t.Hours) * (h - t.Hours)
	}
	return distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(sum/(n-1)/n)
}

// A Refined is the cheapest help that was found.
type Refined struct {
	Best      *Trial   // nil where none was in time
	Trials    []*Trial // of the last search
	Simulated int      // runs of all trials
	Runs      int      // of a trial that was in time
	MayBeLate int      // of these
	// Again is the best one on as many runs that had no part in choosing it; nil where
	// the search was stopped before.
	Again *Trial
	// Interrupted says that the context ended: there may be cheaper help.
	Interrupted bool
}

// Refine looks for the cheapest help that is in time by simulation. Every help is
// tried on the same runs (common random numbers), and dropped as soon as more of them
// are late than may be in all, or as it is dearer than the cheapest so far by three
// standard errors of the difference. For each start the least number of workers is
// found that is in time, by steps of a quarter and then by halves to 2 %; more
// workers, starts between those that were tried, and the other methods are tried
// around the cheapest.
//
// Among help that was in time by so many runs some was so by luck: the best is run
// again on other runs, and where fewer of these than wanted are in time it is taken for
// late, and the search goes on; where that was so four times, or none is left, all is
// searched anew with twice the runs, four times at most. Errors: those of Check; a
// *DomainError; that of ctx where nothing was found by its end.
func Refine(ctx context.Context, q *Refinement) (*Refined, error) {
	ctx = given.Context(ctx)
	r, err := newRefining(ctx, q)
	if err != nil {
		return nil, err
	}
	for range mostRounds {
		if err = r.searchConfirmed(); err != nil || r.out.Best != nil || !r.lucky {
			break
		}
		r.begin(2 * r.out.Runs)
	}
	if err != nil && (ctx.Err() == nil || r.out.Best == nil) {
		return nil, err
	}
	r.out.Interrupted = err != nil
	return &r.out, nil
}

func newRefining(ctx context.Context, q *Refinement) (*refining, error) {
	const fn = "Refine"
	if q == nil || q.Case == nil {
		return nil, &DomainError{fn, "Case", math.NaN(), "one"}
	}
	if !(q.Target.By > 0) || !(q.Target.Chance > 0 && q.Target.Chance < 1) {
		return nil, &DomainError{fn, "Target", q.Target.By, "a time > 0, and a chance between 0 and 1"}
	}
	if least := LeastRuns(q.Target.Chance); q.Runs < least {
		return nil, &DomainError{fn, "Runs", float64(q.Runs), "enough runs to tell the chance by"}
	}
	r := &refining{ctx: ctx, q: q, kase: *q.Case}
	r.kase.Strategy = nil
	r.kase.Credits = refineCredits
	if err := r.check(); err != nil {
		return nil, err
	}
	r.begin(q.Runs)
	return r, nil
}
