package station

import "errors"

// Goals are limits on the figures of a log, 0 for none: whoever searches for a station that keeps them
// need not see the end of one that cannot.
type Goals struct {
	MeanWait, MeanResponse float64
	WaitProbability        float64
	Blocking               float64
	Late                   float64 // share of those who wait longer than MaxWait
}

// ErrMissed says that a run would miss one of its Goals.
var ErrMissed = errors.New("station: a goal is missed")

// missed reports whether what was counted so far is too much for a goal, whatever comes. What would
// be rounded away decides nothing.
func (g *Goals) missed(c *counts, jobs int) bool {
	n := float64(jobs) * (1 + 1e-9)
	over := func(sum, limit float64) bool { return limit > 0 && sum > limit*n }
	return over(c.wait, g.MeanWait) || over(c.response, g.MeanResponse) || over(c.waited, g.WaitProbability) ||
		over(c.lost, g.Blocking) || over(c.judged-c.onTime, g.Late)
}
