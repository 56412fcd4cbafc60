package lasting

import (
	"math"
	"testing"
)

func slab(cells int) []float64 { return make([]float64, 0, cells) }

// What is left after some cells is what stays in each of them, multiplied, whether it is computed
// at once or in two parts, and also where products start anew.
func TestSharesAreProducts(t *testing.T) {
	const cells = 60
	stays := func(i int) float64 { return []float64{0.9, 0.5, 1e-30}[i%3] }
	for _, spare := range []int{0, 1, 2} {
		var l Shares
		l.Cut(slab, cells)
		for _, to := range []int{17, cells} {
			from := len(l.Same)
			l.Grow(to)
			for i := from; i < to; i++ {
				l.Same[i] = stays(i)
			}
			l.Multiply(from, spare)
		}
		if len(l.Restarts) == 0 {
			t.Fatal("no product started anew")
		}
		all, start := 0.0, 0.0 // logarithms: of the product, and of what it was when it started anew
		for i, next := 0, -1; i < cells; i++ {
			all += math.Log(stays(i))
			if i >= next {
				var same, apart float64
				if same, apart, next = l.Next(i, cells, spare); same < 1 {
					start += math.Log(same)
					if want := float64(spare) / float64(spare+1) * math.Log(same); math.Abs(math.Log(apart)-want) > 1e-9 {
						t.Errorf("spare %d, cell %d: %v apart of %v", spare, i, apart, same)
					}
				}
			}
			if got := start + math.Log(l.Same[i]); math.Abs(got-all) > 1e-9 {
				t.Errorf("spare %d, cell %d: left e^%v, multiplied e^%v", spare, i, got, all)
			}
			if got := l.Same[i] * l.Over[i]; math.Abs(got-1) > 1e-12 {
				t.Errorf("cell %d: inverse times share is %v", i, got)
			}
		}
	}
}

// Between cells the share kept is that of the two lines through the numbers left.
func TestKeptBetweenCells(t *testing.T) {
	left := []float64{100, 80, 40, 0, 0}
	for at, want := range map[float64]float64{0: 0.8, 1: 0.8, 2: 0.5, 1.5: 60. / 90, 3: 0, 9: 0} {
		if got := Kept(left, at); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", at, got, want)
		}
	}
	if got := Kept(left[:1], 1); got != 0 {
		t.Errorf("of one cell: %v", got)
	}
}
