package mixes

import (
	"fmt"
	"iter"
	"math"

	"github.com/capplan/capplan/planner/ask"
)

// What the searches of a plan may take, in steps of about a nanosecond; see
// [Model.Steps]. They bound the work and not the time, so that a scenario has the
// same answer on every machine. How many servers are needed, and whether a mix meets the
// objectives, is computed whatever it takes.
const (
	mixSteps      = 1.5e9 // the mix itself
	besideSteps   = 0.8e9 // bindings, headroom and alternatives together
	movedSteps    = 1.2e9 // sensitivities
	frontierSteps = 0.8e9 // mixes among which the frontier is found
	drawnSteps    = 1.5e9 // mixes that would have been right for a draw
	heldSteps     = 3e9   // mixes held against the draws
	moreSteps     = 2e9   // how many machines a given fleet misses, by type
	fleetSteps    = 4e9   // it held against the draws
	LeastSteps    = 2e6   // one search
	planSteps     = 4e9   // all of a plan, or of a fleet that is given
	figuresSteps  = 2.5e9 // what the figures of a given fleet take beside that
)

// A Work is what is left to the searches of a plan.
type Work struct {
	Mix, Beside, Moved, Frontier, Drawn, Held, More, Fleet Allowance
}

// NewWork is that of a plan, or of one with a share of the steps.
func NewWork(share float64) *Work {
	of := func(steps float64) Allowance {
		return Allowance{Given: steps * share, Left: steps * share, whole: steps * share}
	}
	return &Work{of(mixSteps), of(besideSteps), of(movedSteps), of(frontierSteps), of(drawnSteps), of(heldSteps),
		of(moreSteps), of(fleetSteps)}
}

// Settle bounds what is left to draws and fleets, where none is taken yet, by what those before
// left of the steps of a plan, but leaves each a tenth of what it was given at first.
func (w *Work) Settle() {
	left := planSteps
	for _, a := range []*Allowance{&w.Mix, &w.Beside, &w.Moved, &w.More, &w.Drawn} {
		left -= a.Given - a.Left
	}
	for _, a := range []*Allowance{&w.Drawn, &w.Frontier, &w.Held, &w.Fleet} {
		if a.Left == a.Given {
			a.Given = math.Min(a.Given, math.Max(left, a.whole/10))
			a.Left = a.Given
		}
	}
}

// Taken is what was taken of all allowances.
func (w *Work) Taken() (steps float64) {
	for _, a := range []*Allowance{&w.Mix, &w.Beside, &w.Moved, &w.Frontier, &w.Drawn, &w.Held, &w.More, &w.Fleet} {
		steps += a.Given - a.Left
	}
	return steps
}

// Figures takes off what the figures and losses of a given fleet took beyond what they may.
func (w *Work) Figures(x *Model) { w.More.Left -= math.Max(x.Steps()-figuresSteps, 0) }

// An Allowance is the steps that several searches share.
type Allowance struct {
	Given, Left float64
	whole       float64 // given before it was settled
	Cut         int     // searches that would have gone on
	Unmade      int     // searches that were not begun
	Rough       bool    // something was estimated that would else have been searched for
}

// Overdrawn reports whether much more was taken than was given.
func (a *Allowance) Overdrawn(taken float64) bool { return a.Left-taken < -a.Given/2 }

// Takes takes off what a model does from here on until it is done.
func (a *Allowance) Takes(x *Model) (done func()) {
	before := x.Steps()
	return func() { a.Left -= x.Steps() - before }
}

// Of gives one search of a model, of the given number that are still to come, its share of what is
// left. It returns a function that takes off the steps the search made; for no model it does
// nothing.
func (a *Allowance) Of(x *Model, searches int) (done func()) {
	if x == nil {
		return func() {}
	}
	x.Allowed = math.Max(a.Left/math.Max(float64(searches), 1), LeastSteps)
	taken := a.Takes(x)
	return func() {
		taken()
		if x.Ended() {
			a.Cut++
		}
	}
}

// Afforded yields what searches are about, with its place, until much more was taken for them than was
// given.
func Afforded[T any](a *Allowance, all []T) iter.Seq2[int, T] {
	return func(search func(int, T) bool) {
		for i, one := range all {
			if a.Overdrawn(0) {
				a.Unmade += len(all) - i
				return
			}
			if !search(i, one) {
				return
			}
		}
	}
}

// EndedWords warns that the search of a mix ended before it was through.
func EndedWords(cost, bound float64) string {
	words := "the search for the mix reached its limit of work"
	if bound > 0 {
		return words + ask.Sprintf(": the mix meets the objectives and costs at most %.3g%% more than the cheapest",
			100*(cost/bound-1))
	}
	return words + ": the mix meets the objectives, and a cheaper one may exist"
}

// CutWords warns that searches beside that of a mix ended early or were not made; empty where none did.
func (a *Allowance) CutWords(what string) string {
	if a.Cut+a.Unmade == 0 {
		return ""
	}
	words := fmt.Sprintf("%d of the searches for %s reached their limit of work: cheaper mixes may exist",
		a.Cut, what)
	if a.Unmade > 0 {
		words += fmt.Sprintf("; %d more were left out", a.Unmade)
	}
	return words
}

// FewDrawsWords warns that something, such as "the fleet is judged on", took only the first of the draws.
func FewDrawsWords(judged string, draws int) string {
	return fmt.Sprintf("%s only the first %d draws, which use up the limit of work: a chance is known to about %.2g",
		judged, draws, 0.5/math.Sqrt(float64(draws)))
}

// RoughWords warns that servers missing were estimated; empty where none were.
func (a *Allowance) RoughWords() string {
	if !a.Rough {
		return ""
	}
	return "in part of the draws the servers that mixes lack are estimated from the speeds of machines: " +
		"computing them exceeds the limit of work"
}

// FewTypesWords warns that of some types it is not told how many more would do.
func FewTypesWords(told, types int) string {
	return fmt.Sprintf("the machines to add are computed for %d of %d types, which use up the limit of work",
		told, types)
}

// FewInputsWords warns that it is not told what some inputs do to the cost.
func FewInputsWords(told, inputs int) string {
	return fmt.Sprintf("sensitivities are computed for %d of %d inputs, which use up the limit of work", told, inputs)
}
