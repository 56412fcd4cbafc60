package mixes

import "slices"

// mostSteps bounds what a staircase keeps of each kind, so that a look at it stays
// far below what a mix takes by its figures.
const mostSteps = 4000

// A staircase remembers of numbers of machines whether they are enough for what more
// of any type never harms: what is no less than some that are enough is enough, and
// what is no more than some that are not is not. Only the steps are kept, the least
// that are enough and the most that are not.
type staircase struct{ enough, short [][]int64 }

// ask returns whether numbers are enough, by decide where the steps do not tell.
func (s *staircase) ask(counts []int64, decide func() bool) bool {
	if found(s.enough, func(step []int64) bool { return covers(counts, step) }) {
		return true
	}
	if found(s.short, func(step []int64) bool { return covers(step, counts) }) {
		return false
	}
	counts = slices.Clone(counts)
	if decide() {
		s.enough = stepped(s.enough, counts, func(step []int64) bool { return covers(step, counts) })
		return true
	}
	s.short = stepped(s.short, counts, func(step []int64) bool { return covers(counts, step) })
	return false
}

// found looks for a step, and moves it forward: the next question is often beside it.
func found(steps [][]int64, tells func(step []int64) bool) bool {
	for i, step := range steps {
		if tells(step) {
			steps[i/2], steps[i] = step, steps[i/2]
			return true
		}
	}
	return false
}

// stepped adds a step and drops those that it makes needless.
func stepped(steps [][]int64, counts []int64, needless func(step []int64) bool) [][]int64 {
	steps = slices.DeleteFunc(steps, needless)
	if len(steps) < mostSteps {
		steps = append(steps, counts)
	}
	return steps
}

// covers reports whether there are at least as many of every type.
func covers(counts, least []int64) bool {
	for i, n := range least {
		if counts[i] < n {
			return false
		}
	}
	return true
}
