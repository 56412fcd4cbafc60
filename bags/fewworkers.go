package bags

import "math"

// fewWorkers is up to how many workers what they cannot do in courses with more tasks left than
// others is told. More do these soon after, and begin their first tasks all at once, which it
// would hide.
const fewWorkers = 8

// mostTold is a mean number of tasks left from which on the chance that none is is none.
const mostTold = 60

// wholeLeft is the mean number of tasks left that stands for the chance that none is, where m are
// left without workers on average, and these have done c of them by now. What is left without is
// a random number N, and workers who have done all of one course do nothing for another:
//
//	P(N <= c),    N a Poisson number of mean m,
//
// between whole numbers c as evenly as time goes on. Of more tasks luck has made most of what N
// differs by, see [helpedCourse.aloneFrom], and N is counted in parts of fewLeft/(m + fewLeft − 1)
// of a task, so that its variance is near fewLeft.
func wholeLeft(m, c float64) float64 {
	group := min(1, fewLeft/(m+fewLeft-1))
	mean, most := m/group, c/group
	left := max(0, m-c)
	if mean > mostTold {
		return left
	}
	term := math.Exp(-mean)
	sum, whole := term, math.Floor(most)
	for k := 1.0; k <= whole; k++ {
		term *= mean / k
		sum += term
	}
	sum += (most - whole) * term * mean / (whole + 1)
	if sum >= 1-nothing {
		return left
	}
	return max(left, -math.Log(sum))
}
