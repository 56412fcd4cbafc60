package law

import "math"

// Survivals fills in P(X > k step), k = 1, 2, ..., with step > 0: [Survival] at times that are as
// far apart, for less. Without a law all are NaN.
func Survivals(l Law, step float64, out []float64) {
	knots, ok := l.(LogLinear)
	if !ok || !knots.stands() {
		for k := range out {
			out[k] = Survival(l, float64(k+1)*step)
		}
		return
	}
	next := 0 // the first knot after a time
	var least, share, end float64
	for k := range out {
		t := float64(k+1) * step
		if next < len(knots.T) && knots.T[next] <= t {
			for next < len(knots.T) && knots.T[next] <= t {
				next++
			}
			if next < len(knots.T) {
				least, end = 1-knots.P[next], knots.T[next]
				share = (knots.P[next] - knots.P[next-1]) / knots.span(next-1)
			}
		}
		switch next {
		case 0:
			out[k] = 1
		case len(knots.T):
			out[k] = 0
		default:
			out[k] = least + share*math.Log(end/t)
		}
	}
}
