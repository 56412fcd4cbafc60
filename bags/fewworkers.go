package bags

import "math"

// fewWorkers is the number of workers up to which the law takes into account that they cannot make
// up for a course with more tasks left than others. A greater number of workers does these tasks
// soon after, and begins its first tasks all at once, which this correction would hide.
const fewWorkers = 8

// mostTold is the mean number of tasks left above which the chance that none is left counts as 0.
const mostTold = 60

// wholeLeft returns the mean number of tasks left that gives the right chance that none is, if m
// are left without workers and the workers have done c of them. The number left without workers is
// a random N, and workers who have done all tasks of one course do nothing for another:
//
//	P(N <= c),    N a Poisson number of mean m,
//
// interpolated linearly between whole numbers c. If many tasks are left, most of the variance of N
// comes from the luck that [helpedCourse.aloneFrom] describes; N is therefore counted in groups of
// fewLeft/(m + fewLeft − 1) tasks, which gives it a variance near fewLeft.
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

// grouped returns the size of these groups, in tasks.
func grouped(m float64) float64 { return min(1, fewLeft/(m+fewLeft-1)) }

// minusLog returns −log p, near 1 by its series, to 1e-12.
func minusLog(p float64) float64 {
	q := 1 - p
	if q > 0.01 {
		return -math.Log(p)
	}
	return q * (1 + q*(1./2+q*(1./3+q*(1./4+q*(1./5+q*(1./6))))))
}

// nobodies returns the chance that no task is left without workers, for the first cells of a
// course. They do not depend on the number of workers, so they are computed once.
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
