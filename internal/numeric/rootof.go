package numeric

// Root returns a zero of a function that falls from f ≥ 0 at yes to f < 0 at
// no, or where it jumps through 0; see [Bracket]. Where f is 0 on no float64
// the end on the side of no is returned.
func Root(f func(float64) float64, yes, fyes, no, fno float64) float64 {
	zero, found := 0.0, false
	y, n := Bracket(func(x float64) float64 {
		v := f(x)
		if v == 0 {
			zero, found = x, true
		}
		return v
	}, yes, fyes, no, fno)
	if found && y == zero {
		return y
	}
	return n
}
