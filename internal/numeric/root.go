package numeric

import "math"

// Bracket narrows [yes, no], on which a monotone function f falls from f ≥ 0
// at yes through 0 to f < 0 at no (yes may lie on either side of no), until
// the two ends differ by no more than 2e-16 of themselves or f(yes) = 0. Both
// ends keep their sign, so that whoever asks for the greatest x with f(x) ≥ 0
// may use yes as it stands.
//
// fyes and fno are f at the ends; infinite values are allowed. Chandrupatla's
// method: inverse quadratic steps guarded by bisection; at most 200 calls.
func Bracket(f func(float64) float64, yes, fyes, no, fno float64) (yesOut, noOut float64) {
	t := 0.5
	if isFinite(fyes) && isFinite(fno) {
		t = fyes / (fyes - fno)
	}
	// a is the newest end, b the other, c the end before.
	a, fa, b, fb := yes, fyes, no, fno
	for range 200 {
		if fa == 0 {
			break
		}
		width := math.Abs(b - a)
		tol := 2e-16 * math.Max(math.Abs(a), math.Abs(b))
		if width <= tol || width == 0 {
			break
		}
		if least := tol / width * 0.5; t < least {
			t = least
		} else if t > 1-least {
			t = 1 - least
		}
		x := a + t*(b-a)
		if x == a || x == b {
			x = a + 0.5*(b-a)
			if x == a || x == b {
				break
			}
		}
		fx := f(x)
		c, fc := a, fa
		if (fx >= 0) != (fa >= 0) {
			c, fc, b, fb = b, fb, a, fa
		}
		a, fa = x, fx
		t = 0.5
		if isFinite(fa) && isFinite(fb) && isFinite(fc) {
			xi := (a - b) / (c - b)
			phi := (fa - fb) / (fc - fb)
			if phi*phi < xi && (1-phi)*(1-phi) < 1-xi {
				t = fa/(fb-fa)*fc/(fb-fc) + (c-a)/(b-a)*fa/(fc-fa)*fb/(fc-fb)
			}
		}
	}
	if fa >= 0 {
		return a, b
	}
	return b, a
}

func isFinite(x float64) bool { return !math.IsInf(x, 0) && !math.IsNaN(x) }

// LeastInteger returns the least whole n ≥ floor with meets(n), given that
// meets is false up to some point and true from there on, and a guess near
// that point. It has called meets(n) = true and, unless n = floor,
// meets(n−1) = false; beyond 2⁵³, where floats are more than 1 apart, the float
// below n is false instead. ok is false when no n ≤ limit meets.
func LeastInteger(meets func(n float64) bool, floor, guess, limit float64) (n float64, ok bool) {
	n = math.Min(math.Max(math.Ceil(guess), floor), limit)
	step := 1.0
	if meets(n) {
		// n meets; walk down, doubling, to one that does not.
		for n > floor {
			low := math.Max(n-step, floor)
			if !meets(low) {
				return least(meets, low, n), true
			}
			n = low
			step *= 2
		}
		return n, true
	}
	for n < limit {
		high := math.Min(n+step, limit)
		if meets(high) {
			return least(meets, n, high), true
		}
		n = high
		step *= 2
	}
	return 0, false
}

// least bisects: no does not meet, yes does.
func least(meets func(float64) bool, no, yes float64) float64 {
	for yes-no > 1 {
		mid := no + math.Floor((yes-no)/2)
		if !(no < mid && mid < yes) {
			break // neighbours
		}
		if meets(mid) {
			yes = mid
		} else {
			no = mid
		}
	}
	return yes
}
