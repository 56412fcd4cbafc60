package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"slices"
)

// A lasting is by cell, from that on in which workers begin, the share that still is of what was on
// machines first, and of what was given to a worker first: products, over which what comes later is
// counted, so that a cell takes a sum in place of a product of each number that is followed.
//
// Of a task of which a worker has one result as many have to be back from machines as without, of
// one fewer: where each is missing with a small chance p the task is with p^(s+1), s the results
// that may be missing, and then with p^s.
type lasting struct {
	same, over []float64 // of what was on machines, and its inverse
	apart      []float64 // of what was given to a worker
	fell       []fell    // where same is told anew
}

// A fell is a cell in which less than fewSame was left, such a share, from which on it is told anew
// from 1: its inverse would be beyond all numbers.
type fell struct {
	cell  int
	share float64
}

// cut takes memory for so many cells, none of them computed yet.
func (l *lasting) cut(room *attempts.Room, cells int) {
	l.same, l.over, l.apart, l.fell = room.Cut(cells), room.Cut(cells), room.Cut(cells), nil
}

// begin starts anew after a cell, with the share that is left by then.
func (l *lasting) begin(cell int, share float64) {
	l.fell = l.fell[:0]
	l.grow(cell)
	l.same = l.same[:cell]
	l.same[cell-1] = share
}

// grow makes so many cells of it.
func (l *lasting) grow(cells int) {
	for _, s := range []*[]float64{&l.same, &l.over, &l.apart} {
		*s = slices.Grow(*s, max(0, cells-len(*s)))[:cells]
	}
}

// tell computes the products from same, the shares that stay in each cell, from a cell on.
func (l *lasting) tell(cell, spare int) {
	share := 1.0
	if cell > 0 {
		share = l.same[cell-1]
	}
	same := l.same
	over, apart := l.over[:len(same)], l.apart[:len(same)]
	for i := cell; i < len(same); i++ {
		if share *= same[i]; share < fewSame {
			l.fell = append(l.fell, fell{i, share})
			share = 1
		}
		same[i], over[i] = share, 1/share
		switch spare {
		case 0:
			apart[i] = 1
		case 1: // the default
			apart[i] = math.Sqrt(share)
		default:
			apart[i] = apartOf(share, spare)
		}
	}
}

// apartOf returns the share that stays of tasks that were given to a worker if a share same of the others does.
func apartOf(share float64, spare int) float64 {
	return math.Pow(share, float64(spare)/float64(spare+1))
}
