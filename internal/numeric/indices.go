package numeric

// Indices returns 0, 1, ..., n−1, to be put into another order.
func Indices[N ~int | ~int32](n int) []N {
	all := make([]N, n)
	for i := range all {
		all[i] = N(i)
	}
	return all
}
