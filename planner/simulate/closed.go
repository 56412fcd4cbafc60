package simulate

// Given drops the figures that a closed form does not have.
func Given(closed map[string]*float64) map[string]*float64 {
	for name, v := range closed {
		if v == nil {
			delete(closed, name)
		}
	}
	return closed
}
