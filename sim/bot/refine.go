package bot

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/given"
)

// A Refinement looks by simulation for the cheapest help with which a bag is done in time.
type Refinement struct {
	Case   *Case       // its strategy and credits are ignored
	Target bags.Target // that help is to reach
	// From is where to begin: help at rising starts, each with about as many workers as it needs;
	// see [bags.FinishLaw.Designs].
	From []*bags.Helped
	// Runs is the number of runs on which help is judged, at least [LeastRuns].
	Runs     int
	Seed     uint64
	Effort   float64             // after which it tries no further, counted as for a [Drawing]; 0: no limit
	Progress func(simulated int) // called with the number of runs so far; may be nil
}

// RefineConfidence is the confidence with which help is in time: the wanted chance is the lower
// bound of the exact binomial interval.
const RefineConfidence = 0.95

// LeastRuns returns the number of runs that, all in time, show a chance at [RefineConfidence]: ln
// 0.05/ln p, for 0 < p < 1.
func LeastRuns(chance float64) int {
	return int(math.Ceil(math.Log(1-RefineConfidence) / math.Log(chance)))
}

// mostLate returns how many of the runs may be late: the greatest k with P(X <= k) <= 1 −
// confidence, where X is binomial with the probability of being late that is just too great. It is
// -1 if not even 0 is few enough. Source: Clopper, Pearson, Biometrika 26, 1934.
func mostLate(runs int, chance float64) int {
	late := distuv.Binomial{N: float64(runs), P: 1 - chance}
	k := -1
	for k < runs && late.CDF(float64(k+1)) <= 1-RefineConfidence {
		k++
	}
	return k
}

// An End says why help was tried no further.
type End byte

const (
	InTime End = iota // it was in time: all runs were made, with no more late than allowed
	Late              // more runs were late than allowed
	Dear              // it was clearly dearer than the cheapest in time
)

// A Trial is help with the results of simulated runs.
type Trial struct {
	bags.Help
	How   spequlos.How
	End   End
	Runs  int     // number simulated
	Late  int     // of these
	Hours float64 // of cloud workers, mean over the runs

	hours  []float64
	ends   []float64 // +Inf for runs given up
	lates  []int     // which runs were late
	effort float64   // of the runs, counted as for a Drawing
	looks  []look    // at a trial that is judged, until it was decided
}

// HoursHalf returns half the width of the 95 % interval of the mean hours; 0 for one run.
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

// A Refined is the cheapest help found.
type Refined struct {
	Best      *Trial   // nil: none was in time
	Trials    []*Trial // of the last search
	Simulated int      // of all trials
	Runs      int      // of a trial in time
	MayBeLate int      // of these
	// Again is the best help on as many runs that had no part in choosing it; nil if the search was
	// stopped before.
	Again *Trial
	// Interrupted says that the context ended, or that the effort was spent: there may be cheaper help.
	Interrupted bool
}

// Refine looks by simulation for the cheapest help that is in time. All help is tried on the same
// runs (common random numbers), and dropped as soon as more of them are late than allowed, or when
// it is dearer than the cheapest so far by three standard errors of the difference. For each start
// it finds the least number of workers in time, by steps of a quarter and then by bisection to 2 %.
// Around the cheapest it tries more workers, starts between those tried, and the other methods.
// Some help is in time by luck. The best is therefore run again on other runs; if too few of these
// are in time it counts as late and the search goes on. If that happens four times, or nothing is
// left, the search starts anew with twice the runs, at most four times. Errors: those of Check; a
// *DomainError; that of ctx if nothing had been found. Where the effort is spent Best is what had been found.
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
	if err != nil && !errors.Is(err, errTooLong) && (ctx.Err() == nil || r.out.Best == nil) {
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
