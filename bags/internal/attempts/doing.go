package attempts

import "math"

// Doing returns the times weighted by how many of so many results machines do, of which so many are there. A machine
// that first asks at a and takes w for each result has begun 1 + ⌊(T − a)/w⌋ of them by T, where T is the time at which
// all results are given out.
func (w Times) Doing(there, results, ask float64) Times {
	begun := func(w, by float64) float64 {
		const moments = 8
		sum := 0.0
		for k := range moments {
			if a := Asked((float64(k)+0.5)/moments, ask); by >= a {
				sum += 1 + math.Floor((by-a)/w)
			}
		}
		return sum / moments
	}
	all := func(by float64) float64 {
		sum := 0.0
		for _, n := range w {
			sum += there * n.Share * begun(n.Speed, by)
		}
		return sum
	}
	low, high := 0.0, ask
	for all(high) < results {
		low, high = high, 2*high
	}
	for range 40 {
		if mid := (low + high) / 2; all(mid) < results {
			low = mid
		} else {
			high = mid
		}
	}
	return w.Weighted(func(time float64) float64 { return begun(time, high) })
}

// Weighted returns the times with shares weighted by a function of them.
func (w Times) Weighted(weight func(time float64) float64) Times {
	out, sum := make(Times, len(w)), 0.0
	for i, n := range w {
		out[i] = Node{Share: n.Share * weight(n.Speed), Speed: n.Speed}
		sum += out[i].Share
	}
	for i := range out {
		if sum > 0 {
			out[i].Share /= sum
		} else {
			out[i].Share = w[i].Share
		}
	}
	return out
}

// There returns for how long a machine that has just come is there within t, about: with a share A of its time in the
// long run, and mean stays and absences a and b,
//
//	A t + (1 − A) τ (1 − exp(−t/τ)),    1/τ = 1/a + 1/b
//
// which is exact for exponential laws.
func (c Course) There(t float64) float64 {
	if c.Down == nil {
		return t
	}
	up, down := c.Up.Mean(), c.Down.Mean()
	stays, settling := up/(up+down), up*down/(up+down)
	return stays*t - (1-stays)*settling*math.Expm1(-t/settling)
}
