// Package compare answers what tells two plans apart: in what was asked, in what
// came out, and which of the former moved the latter.
//
//	Compared (question or answer) ×2 -> Answer   [Plans]
//
// Differences are listed by the JSON names of questions and answers. Each input
// that differs is then varied alone in the first plan, and the plan is made anew:
// a [Cause] is what that does to the leading figure of both. What the causes do
// together beyond their sum is said apart. Plans of which only the answers are
// known are compared by these alone.
package compare
