package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
	"slices"
)

// A survival holds products of shares, by cell from the one in which workers begin: which share is
// left of the tasks that were on machines first, and of those given to a worker first. What comes
// later is counted divided by the product, so that a cell costs a sum instead of a multiplication
// of every number that is followed.
//
// If a worker has one result of a task, as many results must come back from machines as otherwise,
// but one fewer is given out. If each is missing with a small probability p, the task is missing
// with p^(s+1) without a worker, where s is the number of results that may be missing, and with p^s
// with one.
type survival struct {
	same, over []float64 // share left of what was on machines, and its inverse
	apart      []float64 // share left of what was given to a worker
	restarts   []restart // the cells at which same starts anew
}

// A restart is a cell in which the share left was below fewSame, and that share. The product starts
// anew from 1 there, as its inverse would overflow.
type restart struct {
	cell  int
	share float64
}

// cut allocates a number of cells, none of which is computed yet.
func (l *survival) cut(room *attempts.Room, cells int) {
	l.same, l.over, l.apart, l.restarts = room.Cut(cells), room.Cut(cells), room.Cut(cells), nil
}

// begin starts anew after a cell, with the share that is left by then.
func (l *survival) begin(cell int, share float64) {
	l.restarts = l.restarts[:0]
	l.grow(cell)
	l.same = l.same[:cell]
	l.same[cell-1] = share
}

// grow extends it to a number of cells.
func (l *survival) grow(cells int) {
	for _, s := range []*[]float64{&l.same, &l.over, &l.apart} {
		*s = slices.Grow(*s, max(0, cells-len(*s)))[:cells]
	}
}

// multiply computes the products from a cell on, from the shares that stay in each cell, which same
// holds before.
func (l *survival) multiply(cell, spare int) {
	share := 1.0
	if cell > 0 {
		share = l.same[cell-1]
	}
	same := l.same
	over, apart := l.over[:len(same)], l.apart[:len(same)]
	for i := cell; i < len(same); i++ {
		if share *= same[i]; share < fewSame {
			l.restarts = append(l.restarts, restart{i, share})
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

// apartOf returns which share of the tasks given to a worker stays if a share of the others does.
func apartOf(share float64, spare int) float64 {
	return math.Pow(share, float64(spare)/float64(spare+1))
}
