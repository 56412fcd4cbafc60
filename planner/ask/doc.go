// Package ask holds the types that the questions and answers of all planner
// packages share: errors that refuse a question, and explanations that show the
// mathematics of an answer.
//
//	*InputError       the question is not well put: which field, and which form it needs
//	*InfeasibleError  the question is well put but has no answer: which constraint binds, and by how much
//	*Explanation      the formulas behind an answer, with their numbers and sources
//
// A program that embeds a planner package distinguishes the two errors with
// errors.As; every *InfeasibleError is [ErrInfeasible].
//
// The other functions are for the packages that answer: [Inputf], [Missing] and
// [Positive] refuse a question, [FromReliability] turns an error of a model into
// one of a question, [Figure] turns a missing figure into a null in JSON, and
// [Digits], [Percent] and [Clock] print numbers.
//
// The package asks no question itself, and knows no files or flags.
package ask
