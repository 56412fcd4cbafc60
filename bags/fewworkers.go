package bags

import "math"

// fewWorkers is up to how many workers it is computed what they cannot do in courses with more tasks
// left than others. More workers do these soon after, and begin their first tasks all at once, which
// that would hide.
const fewWorkers = 8

// mostTold is the mean number of tasks left from which on the chance that none is left counts as 0.
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
//
// nobody is the chance that N is 0.
func wholeLeft(m, c, nobody float64) float64 {
	group := grouped(m)
	mean, most := m/group, c/group
	left := max(0, m-c)
	if mean > mostTold {
		return left
	}
	term := nobody
	sum, whole := term, math.Floor(most)
	for k := 1.0; k <= whole; k++ {
		term *= mean / k
		sum += term
	}
	sum += (most - whole) * term * mean / (whole + 1)
	if sum >= 1-nothing {
		return left
	}
	return max(left, minusLog(sum))
}

// grouped is the part of a task in which N is counted.
func grouped(m float64) float64 { return min(1, fewLeft/(m+fewLeft-1)) }

// minusLog is −log p, near 1 by its series: to 1e-12.
func minusLog(p float64) float64 {
	q := 1 - p
	if q > 0.01 {
		return -math.Log(p)
	}
	return q * (1 + q*(1./2+q*(1./3+q*(1./4+q*(1./5+q*(1./6))))))
}

// nobodies returns, by cell of a course up to one, the chances that no task is left without workers:
// they do not depend on the number of workers, so they are computed once.
func (w *helping) nobodies(c *helpedCourse, cells int) []float64 {
	if c.nobody == nil {
		c.nobody = w.room.Cut(len(c.undone))
	}
	for i := len(c.nobody); i < cells; i++ {
		c.nobody = append(c.nobody, noneLeftOf(c.alone[i]))
	}
	return c.nobody[:cells]
}

// noneLeftOf returns the chance that none is left if m are left on average.
func noneLeftOf(m float64) float64 {
	mean := m / grouped(m)
	if mean > mostTold {
		return 0
	}
	return math.Exp(-mean)
}
