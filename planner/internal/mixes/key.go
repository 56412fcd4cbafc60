package mixes

// Key returns a key that is different for different mixes.
func Key(counts []int64) string {
	b := make([]byte, 0, 8*len(counts))
	for _, n := range counts {
		for shift := 56; shift >= 0; shift -= 8 {
			b = append(b, byte(n>>shift))
		}
	}
	return string(b)
}
