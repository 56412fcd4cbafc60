package sweeps

import "slices"

const (
	mostHeatPlaces = 500  // along one axis: finer than the picture is
	mostLineParts  = 1000 // of a line, of four points at most
)

// ThinPlaces keeps places at even steps where there are more than can be seen. places are
// increasing, and the first is always kept.
func ThinPlaces(places []float64) []float64 {
	step := (len(places) + mostHeatPlaces - 1) / mostHeatPlaces
	if step <= 1 {
		return places
	}
	var kept []float64
	for i := 0; i < len(places); i += step {
		kept = append(kept, places[i])
	}
	return kept
}

// ThinLine keeps the first, last, lowest and highest point of each part of a
// line of many: what it looks like stays. x is increasing. A line of up to 4,000 points stays as it
// is.
func ThinLine(x, y []float64) (thinX, thinY []float64) {
	if len(x) <= 4*mostLineParts {
		return x, y
	}
	for part := range mostLineParts {
		from, to := part*len(x)/mostLineParts, (part+1)*len(x)/mostLineParts
		low, high := from, from
		for i := from; i < to; i++ {
			if y[i] < y[low] {
				low = i
			}
			if y[i] > y[high] {
				high = i
			}
		}
		kept := []int{from, low, high, to - 1}
		slices.Sort(kept)
		for _, i := range slices.Compact(kept) {
			thinX, thinY = append(thinX, x[i]), append(thinY, y[i])
		}
	}
	return thinX, thinY
}
