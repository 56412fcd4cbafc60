package attempts

// Ends returns the probabilities that a result that starts in one cell ends in a later one. What
// Ends within a cell ends half at its beginning and half at its end, but at least one cell after
// its start.
func Ends(g Grid) []float64 {
	out := Differences(g.F)
	out[1] += out[1] + 2*out[0]
	out[0] = 0
	for k := 1; k+1 < len(out); k++ {
		out[k] = (out[k] + out[k+1]) / 2
	}
	return out
}

// Differences returns the masses by cell of a distribution function.
func Differences(f []float64) []float64 {
	out := make([]float64, len(f))
	for k, v := range f {
		out[k] = v
		if k > 0 {
			out[k] -= f[k-1]
		}
	}
	return out
}
