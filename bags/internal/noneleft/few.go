package noneleft

import "math"

// Few is a mean number of tasks below which their number is treated as Poisson rather than as
// normal.
const Few = 4

// mostTold is the mean number of tasks left above which the chance that none is left counts as 0.
const mostTold = 60

// Whole returns the mean number of tasks left that gives the right chance that none is, if m
// are left without workers and the workers have done c of them. The number left without workers is
// a random N, and workers who have done all tasks of one course do nothing for another:
//
//	P(N <= c),    N a Poisson number of mean m,
//
// interpolated linearly between whole numbers c. If many tasks are left, most of the variance of N
// comes from the luck of how many are left; N is therefore counted in groups of
// Few/(m + Few − 1) tasks, which gives it a variance near Few.
//
// nobody is the chance that N is 0.
func Whole(m, c, nobody float64) float64 {
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
		if k > mean && term < 1e-17*sum { // in the long steps of a bag that is hardly ever done, c is without end
			break
		}
	}
	sum += (most - whole) * term * mean / (whole + 1)
	if sum >= 1-1e-7 { // they are left with no chance to speak of
		return left
	}
	return max(left, minusLog(sum))
}

// grouped returns the size of these groups, in tasks.
func grouped(m float64) float64 { return min(1, Few/(m+Few-1)) }

// minusLog returns −log p, near 1 by its series, to 1e-12.
func minusLog(p float64) float64 {
	q := 1 - p
	if q > 0.01 {
		return -math.Log(p)
	}
	return q * (1 + q*(1./2+q*(1./3+q*(1./4+q*(1./5+q*(1./6))))))
}

// OfFew returns the chance that none is left if m are left on average.
func OfFew(m float64) float64 {
	mean := m / grouped(m)
	if mean > mostTold {
		return 0
	}
	return math.Exp(-mean)
}
