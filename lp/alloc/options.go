package alloc

import (
	"cmp"
	"context"
	"math"
	"time"

	"github.com/capplan/capplan/lp"
)

// A Method is a way to choose levels and resources.
type Method string

const (
	LPRound      Method = "lp-round"       // rounded relaxation, improved by exchanges between pairs of resources
	LPRoundPaper Method = "lp-round-paper" // QoS-GRAF figures 5 and 6 as they stand
	MaxBig       Method = "max-big"        // section 5.1: by greatest revenue, to the largest room
	MaxBest      Method = "max-best"       // by greatest revenue, to the best fit
	UnitBig      Method = "unit-big"       // by revenue per unit of demand, to the largest room
	UnitBest     Method = "unit-best"      // by revenue per unit of demand, to the best fit
	Exact        Method = "exact"          // lp-round, then a general solver, begun from it, where that is not proven
)

// heuristics are the methods of section 5.1.
var heuristics = map[Method]heuristic{
	MaxBig: {}, MaxBest: {best: true}, UnitBig: {unit: true}, UnitBest: {unit: true, best: true},
}

// Options say how to look for an assignment. The zero value is a sensible
// choice.
type Options struct {
	Method Method // empty means LPRound
	// scales the search after rounding, ≥ 0; 0 means 1. At 1 it ends at a gap of 0.003 % above 500
	// jobs, 0.01 % above 20,000; above a million levels and resources, half of it where dependencies
	// are tied, it does the work that so many take, see [Plan.Hurried]
	Effort float64
	Seed   uint64 // of the search's random choices; the same seed, the same answer unless time ran out
	// for the search; 0 means none. Then the best answer so far is returned; a first one is always
	// made
	TimeLimit time.Duration
	Bounds    BoundOptions
	Solver    lp.Solver // for Exact, which needs one
	// Fallback answers where a published method (all but LPRound and Exact) does
	// not place all jobs: LPRound, or empty for none, by default: then the error
	// says how many it places. What it answered is named in the plan.
	Fallback Method
	turns    *turns // of Exact's problems
	mayWait  []bool // jobs of a problem that may be left without a place
	stint    *stint // what the search may take, of backups
	size     int    // levels and resources of the batch; 0: few
	parts    int    // searches of a batch that share the steps of one; 0: one
}

// published reports whether a method is one of the paper's, which may end
// without a place for every job.
func (m Method) published() bool {
	_, heuristic := heuristics[m]
	return heuristic || m == LPRoundPaper
}

func (o Options) method() (Method, error) {
	switch o.Method {
	case "":
		return LPRound, nil
	case LPRound, LPRoundPaper, MaxBig, MaxBest, UnitBig, UnitBest:
		return o.Method, nil
	case Exact:
		if o.Solver == nil {
			return "", &DomainError{"Allocate", "Solver", nil, "a solver for the method exact"}
		}
		return Exact, nil
	}
	return "", &DomainError{"Allocate", "Method",
		o.Method, "lp-round, lp-round-paper, max-big, max-best, unit-big, unit-best or exact"}
}

// check returns the options with their defaults.
func (o Options) check() (Options, error) {
	m, err := o.method()
	if err != nil {
		return o, err
	}
	o.Method = m
	if !(o.Effort >= 0) || math.IsInf(o.Effort, 1) {
		return o, &DomainError{"Allocate", "Effort", o.Effort, "finite effort >= 0"}
	}
	o.Effort = cmp.Or(o.Effort, 1)
	switch {
	case o.Fallback != "" && o.Fallback != LPRound:
		return o, &DomainError{"Allocate", "Fallback", o.Fallback, "lp-round, or none"}
	case o.Fallback != "" && !m.published():
		return o, &DomainError{"Allocate", "Fallback", o.Fallback, "one of the published methods with a fallback"}
	}
	if o.TimeLimit < 0 {
		return o, &DomainError{"Allocate", "TimeLimit", o.TimeLimit, "a time limit >= 0"}
	}
	return o, nil
}

// limited returns ctx with the time limit.
func (o Options) limited(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.TimeLimit > 0 {
		return context.WithTimeout(ctx, o.TimeLimit)
	}
	return context.WithCancel(ctx)
}

// mostSize is up to how many levels and resources a batch is searched without haste, at an effort of 1. Where
// dependencies are tied they count twice: their search is made anew for each of the shares and repacked.
var mostSize = 1_000_000 // a test sets another

// tiedSearches is how many searches of a dependency share the steps of one where dependencies are tied and there is no
// haste: for each share, and each time they are repacked. Those of jobs of some hundred levels take all they may.
const tiedSearches = 6

// hurried is how many times as long a search without haste would take, 1 where this is none.
func (o Options) hurried() float64 {
	if o.size <= mostSize {
		return 1
	}
	return math.Max(1, float64(o.size)/(o.Effort*float64(mostSize)))
}

// effort returns how long to search a problem. A kick costs about as many
// pairs as there are bins; large problems end at a gap too small to matter.
func (o Options) effort(p *problem, seed uint64) effort {
	bins, jobs := len(p.cap), p.jobs()
	e := effort{
		sweeps: max(1, int(math.Round(10*o.Effort))),
		kicks:  int(math.Round(3000 / float64(max(bins, 10)) * o.Effort)),
		nodes:  int(exactNodes * math.Min(o.Effort, 1000)),
		seed:   o.Seed*0x9e3779b97f4a7c15 + seed,

		mayWait: o.mayWait,
		stint:   o.stint,
		parts:   o.parts,
	}
	e.scales = len(scales)
	if o.size > mostSize {
		// The same work for all batches of more: some seconds.
		e.scales = max(1, int(float64(e.scales)/o.hurried()))
		e.sweeps = max(1, e.sweeps*mostSize/o.size)
	}
	switch {
	case jobs > 20_000:
		e.enough = 1e-4 / o.Effort
	case jobs > 500:
		e.enough = 3e-5 / o.Effort
	}
	return e
}
