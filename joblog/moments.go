package joblog

// moments gathers count, mean and sum of squared deviations in one pass by
// Welford's recurrence, which loses no digits to cancellation.
type moments struct {
	n        int
	mean, m2 float64
}

func (m *moments) add(x float64) {
	m.n++
	d := x - m.mean
	m.mean += d / float64(m.n)
	m.m2 += d * (x - m.mean)
}

// scv is the sample variance (n - 1) over the squared mean; n >= 2, mean > 0.
func (m *moments) scv() float64 {
	return m.m2 / float64(m.n-1) / m.mean / m.mean
}
