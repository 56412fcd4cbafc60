package law

import (
	"fmt"
	"math"
)

// A surface is a function of two variables with its derivatives.
type surface func(p [2]float64) (value float64, gradient [2]float64, hessian [2][2]float64)

// climb maximises f from p by Newton's method. Where the Hessian is not
// negative definite it is shifted until it is, a step is no longer than 2 in
// either variable, and it is halved until it does not lead down; so every
// step gains, and near the maximum convergence is quadratic. (gonum's line
// searches give up where the gain is below the rounding of the value, that is
// before the last digits of the parameters are there.) weight is the number
// of events, the scale of the curvature.
func climb(fn string, f surface, p [2]float64, weight float64) ([2]float64, int, error) {
	v, g, h := f(p)
	for i := 1; i <= 500; i++ {
		step, gain := newtonStep(g, h)
		if m := math.Max(math.Abs(step[0]), math.Abs(step[1])); m > 2 {
			step[0] *= 2 / m
			step[1] *= 2 / m
		}
		// The decrement is twice the gain of the quadratic model.
		last := gain <= 1e-16*weight
		for try := 0; ; try++ {
			q := [2]float64{p[0] + step[0], p[1] + step[1]}
			vq, gq, hq := f(q)
			if vq >= v-1e-13*(math.Abs(v)+weight) && !math.IsNaN(vq) && (vq > v || last) {
				p, v, g, h = q, vq, gq, hq
				break
			}
			if last || try > 60 {
				last = true
				break
			}
			step[0] /= 2
			step[1] /= 2
		}
		if last {
			if gain > 1e-6*weight {
				break // stuck away from any maximum
			}
			return p, i, nil
		}
	}
	return p, 0, fmt.Errorf("law: %s: %w", fn, ErrNotConverged)
}

// newtonStep returns the step -H⁻¹ g, H shifted to be negative definite, and
// its decrement g·step.
func newtonStep(g [2]float64, h [2][2]float64) (step [2]float64, decrement float64) {
	a, b, c := -h[0][0], -h[0][1], -h[1][1]
	half := math.Hypot((a-c)/2, b)
	least, most := (a+c)/2-half, (a+c)/2+half
	if floor := 1e-10 * math.Max(math.Abs(least), math.Abs(most)); !(a*c-b*b > 0 && a > 0) {
		shift := floor - least
		if shift <= 0 {
			shift = floor
		}
		a += shift + math.Abs(least)
		c += shift + math.Abs(least)
	}
	det := a*c - b*b
	if !(det > 0) {
		return g, g[0]*g[0] + g[1]*g[1]
	}
	step = [2]float64{(c*g[0] - b*g[1]) / det, (a*g[1] - b*g[0]) / det}
	return step, g[0]*step[0] + g[1]*step[1]
}
