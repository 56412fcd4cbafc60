package frailty

import "context"

// neverFailed is the model of a fleet in which nothing ever failed: one half of a failure by
// T steps at risk, the mean of Gamma(1/2, T), at all ages and hours.
//
// The likelihood is then greatest where the shapes are least: nearly all machines never
// fail, for no record says otherwise, and so it is of hours. A record without failures
// says nothing of how unlike they are, so they are held alike, ages too. What is not known
// is the hazard itself, with the relative variance of one failure (see
// [Model.Uncertainty]): the lower end of a band of 90 % is by 3.0/T, the exact limit
// −ln 0.05/T of no event in T.
func (f *fitting) neverFailed(ctx context.Context) (*Model, error) {
	m := f.m
	m.Shape, m.GroupShape, m.HourShape, m.AgePseudo = greatestShape, greatestShape, greatestShape, greatestShape
	m.Converged = true
	if err := f.expected(ctx); err != nil {
		return nil, err
	}
	f.frail(ctx)
	return m, nil
}

// seenFailures is the number of failures that a model rests on.
func (m *Model) seenFailures() (n float64) {
	for _, d := range m.AgeFailures {
		n += d
	}
	return n
}
