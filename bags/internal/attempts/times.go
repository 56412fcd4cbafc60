package attempts

import "math"

// SinceSign returns how long ago, on average, a machine that leaves during a task gave its last
// sign of life. Signs come from the start of the task on, so with w the time of the task and k
// the gap between two signs it is the mean of x mod k for x uniform between 0 and w.
func (w Times) SinceSign(k float64) float64 {
	sum := 0.0
	for _, n := range w {
		rest := math.Mod(n.Speed, k)
		sum += n.Share * ((n.Speed-rest)*k + rest*rest) / (2 * n.Speed)
	}
	return sum
}

// Slowest returns the time of a task on machines slower than all but a few.
func (w Times) Slowest() float64 {
	most := 0.0
	for _, n := range w {
		if n.Share > 1e-3 {
			most = max(most, n.Speed)
		}
	}
	return most
}

// Fastest returns the time of a task on the fastest machines.
func (w Times) Fastest() float64 {
	least := math.Inf(1)
	for _, n := range w {
		least = min(least, n.Speed)
	}
	return least
}
