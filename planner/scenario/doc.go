// Package scenario answers: what does a plan ask, in which words, and is it well put?
// A [Question] is what a scenario file holds and what a program fills in; [Reader]
// reads one with the files that it names. Package planner answers it.
//
//	file ──▶ document ──▶ Question ──▶ Check ──▶ files read into it ──▶ planner.Plan
//	         (lines)      (structs)    (rules)
//
// The parts stand in the order of the file: [Load] and [Service] say what comes in,
// [Objectives] what must hold, [MachineType] what can be had; the others each ask a
// question of their own. Any may be left out.
//
// Rules that need no model are checked here, once, for files, programs and flags
// alike: fields that need or exclude one another, words that are not known, prices
// in two currencies. What only a model can tell (that no fleet is enough) is the
// business of planner.
//
// An error names a field by its path, such as machines[1].mttr; where the question
// was read from a file, [Question.Placed] gives it line and column. A field that
// names a file has one beside it for what the file holds: a program gives that, and
// leaves the name empty, so that no model ever opens a file.
//
// Every quantity has its unit in its type; a range such as 60..72..90/min is an
// uncertain one, of which plan draws. nil is what the comment of the field says.
package scenario
