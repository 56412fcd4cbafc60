// Package ask holds what the questions and answers of all planner packages
// share: how a question is refused, and how the mathematics of an answer is
// shown.
//
//	*InputError       the question is not well put: which field, and what form is wanted
//	*InfeasibleError  it is well put and has no answer: which constraint binds, and by how much
//	*Explanation      the formulas behind an answer, with their numbers and sources
//
// A program that embeds a planner package tells the two errors apart by
// errors.As; every *InfeasibleError is [ErrInfeasible].
//
// The rest is for the packages that answer: [Inputf], [Missing] and [Positive]
// refuse a question, [FromReliability] says an error of a model in the words of
// a question, [Figure] makes a figure that a model does not have a null of
// JSON, and [Digits], [Percent] and [Clock] print numbers.
//
// The package asks nothing itself, and knows no files or flags.
package ask
