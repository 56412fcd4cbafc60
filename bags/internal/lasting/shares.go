package lasting

import (
	"math"
	"slices"
	"sort"
)

// Few is the share of the tasks given out below which a product starts anew from 1, as its inverse
// would overflow.
const Few = 1e-100

// Shares holds products of shares, by cell from the one in which workers begin: which share is
// left of the tasks that were on machines first, and of those given to a worker first. What comes
// later is counted divided by the product, so that a cell costs a sum instead of a multiplication
// of every number that is followed.
//
// If a worker has one result of a task, as many results must come back from machines as otherwise,
// but one fewer is given out. If each is missing with a small probability p, the task is missing
// with p^(s+1) without a worker, where s is the number of results that may be missing, and with p^s
// with one.
type Shares struct {
	Same, Over []float64 // share left of what was on machines, and its inverse
	Apart      []float64 // share left of what was given to a worker
	Restarts   []Restart // the cells at which Same starts anew, rising
}

// A Restart is a cell in which the share left was below [Few], and that share.
type Restart struct {
	Cell  int
	Share float64
}

// Cut allocates a number of cells, none of which is computed yet, by a function that has room for
// them.
func (l *Shares) Cut(room func(cells int) []float64, cells int) {
	l.Same, l.Over, l.Apart, l.Restarts = room(cells), room(cells), room(cells), nil
}

// Begin starts anew after a cell, with the share that is left by then.
func (l *Shares) Begin(cell int, share float64) {
	l.Restarts = l.Restarts[:0]
	l.Grow(cell)
	l.Same = l.Same[:cell]
	l.Same[cell-1] = share
}

// Grow extends it to a number of cells.
func (l *Shares) Grow(cells int) {
	for _, s := range []*[]float64{&l.Same, &l.Over, &l.Apart} {
		*s = slices.Grow(*s, max(0, cells-len(*s)))[:cells]
	}
}

// Multiply computes the products from a cell on, from the shares that stay in each cell, which Same
// holds before, for a number of results that may be missing.
func (l *Shares) Multiply(cell, spare int) {
	share := 1.0
	if cell > 0 {
		share = l.Same[cell-1]
	}
	same := l.Same
	over, apart := l.Over[:len(same)], l.Apart[:len(same)]
	for i := cell; i < len(same); i++ {
		if share *= same[i]; share < Few {
			l.Restarts = append(l.Restarts, Restart{i, share})
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

// Next returns the share by which what was given out at cell starts anew there, and of what was
// given to a worker, 1 where it does not, and the next cell at which it does, at most to.
func (l *Shares) Next(cell, to, spare int) (same, apart float64, next int) {
	at := sort.Search(len(l.Restarts), func(k int) bool { return l.Restarts[k].Cell >= cell })
	same, apart = 1, 1
	if at < len(l.Restarts) && l.Restarts[at].Cell == cell {
		same = l.Restarts[at].Share
		apart = apartOf(same, spare)
		at++
	}
	if at < len(l.Restarts) {
		to = min(to, l.Restarts[at].Cell)
	}
	return same, apart, to
}

// Kept returns the share of the tasks left, by cell, that is still left after one more cell, at a
// place between cells; beyond the last cell it stays constant.
func Kept(left []float64, at float64) float64 {
	last := len(left) - 1
	if last < 1 {
		return 0
	}
	at = max(1, min(at, float64(last)))
	k := int(at)
	part := at - float64(k)
	now, before := left[k], left[k-1]
	if part > 0 {
		now, before = now+part*(left[k+1]-now), before+part*(now-before)
	}
	if before <= 0 {
		return 0
	}
	return now / before
}
