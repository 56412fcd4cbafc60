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
	out := make(Times, len(w))
	sum := 0.0
	for i, n := range w {
		out[i] = Node{Share: n.Share * begun(n.Speed, high), Speed: n.Speed}
		sum += out[i].Share
	}
	for i := range out {
		out[i].Share /= sum
	}
	return out
}
