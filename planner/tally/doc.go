// Package tally answers: what does a trace say of its machines together?
//
// An [UpDown] takes the up and down intervals of a trace as they come and gives
// the figures of the fleet ([Fleet]) and of each machine ([Machine]): mean times
// to failure and to repair, availability, and the lengths of intervals that
// laws of lifetimes are fitted to. Its memory is a few numbers a machine, and a
// number for each interval of the state whose lengths are kept.
//
// An interval that is cut off at the end of the watch counts with its time and
// not as a failure, so that MTTF = time up / failures seen is not biased by the
// watch; an interval that began before the watch counts likewise, and its
// length is not kept, since its age is not known.
package tally
