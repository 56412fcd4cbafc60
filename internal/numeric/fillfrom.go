package numeric

// FillFrom sets p to weights with p(k)/p(k−1) = step(k), step falling, the
// greatest being 1.
func FillFrom(p []float64, step func(k int) float64) {
	lo, hi := 0, len(p)-1
	for lo < hi {
		if mid := (lo + hi + 1) / 2; step(mid) >= 1 {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	p[lo] = 1
	for k := lo + 1; k < len(p); k++ {
		p[k] = p[k-1] * step(k)
	}
	for k := lo; k > 0; k-- {
		p[k-1] = p[k] / step(k)
	}
}
