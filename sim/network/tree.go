package network

// A tree holds rates, and finds where a part of their sum lies in a time that grows with the
// logarithm of their number. Entry 1 is the sum of entries 2 and 3, and so on; sums are made anew
// from the rates, so that rounding does not gather.
type tree []float64

func newTree(n int) tree {
	size := 1
	for size < n {
		size *= 2
	}
	return make(tree, 2*size)
}

func (t tree) sum() float64 { return t[1] }

func (t tree) at(i int) float64 { return t[len(t)/2+i] }

func (t tree) set(i int, rate float64) {
	i += len(t) / 2
	for t[i] = rate; i > 1; {
		i /= 2
		t[i] = t[2*i] + t[2*i+1]
	}
}

// find returns the first rate with which those up to it come to more than u, and what of u is left for
// it. Where rounding leads to one that is 0, or beyond the last, it is the next before that is not.
func (t tree) find(u float64) (i int, left float64) {
	size := len(t) / 2
	for i = 1; i < size; {
		if i *= 2; u >= t[i] {
			u -= t[i]
			i++
		}
	}
	for i > size && t[i] == 0 {
		i--
	}
	return i - size, u
}
