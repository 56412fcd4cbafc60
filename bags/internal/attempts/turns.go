package attempts

// Turns say when idle machines ask next. They are followed if tasks arrive late: then some idle machines
// have not asked since the beginning, and do so within 1.5 gaps of it, while others have asked in vain and
// ask again half a gap to one and a half later. All were taken to ask as those that had not asked, and
// later at a constant rate: of 1,070 tasks on spot100, half of them 87 s late, the median was 18 % early
// (TestFinishOfBursts in package planner/bags).
type Turns struct {
	next []float64 // share of the idle machines that ask next after a number of cells, as far as is followed
	gap  []float64 // the same of those that have just asked in vain
}

// finestTurns is the least number of cells in a gap between two asks for which turns are followed.
const finestTurns = 4

// NewTurns returns the turns of machines that were idle before the first of a number of cells, or nil if
// these are too long.
func NewTurns(step, ask float64, cells int) *Turns {
	if step*finestTurns > ask {
		return nil
	}
	cells = int(min(1.5*ask/step+2, float64(cells)))
	q := &Turns{make([]float64, cells), make([]float64, cells)}
	over := func(cell float64) float64 { return min(1, max(0, cell*step/ask-0.5)) } // share of gaps that are over
	for d := range cells {
		at := float64(d)
		q.next[d] = StillQuiet(at*step, ask) - StillQuiet((at+1)*step, ask)
		q.gap[d] = over(at+0.5) - over(at-0.5)
	}
	return q
}

// Turn returns the share of the idle machines that ask in the present cell.
func (q *Turns) Turn() float64 { return q.next[0] }

// Pass goes on to the next cell: after one in which so many idle machines did not ask, and so many asked in
// vain.
func (q *Turns) Pass(quiet, vain float64) {
	all, later, last := quiet+vain, 1-q.next[0], len(q.next)-1
	if !(all > 0) {
		return
	}
	each := 0.0 // of those that did not ask, over the share that was to ask later; none but for rounding
	if later > 1e-12 {
		each = quiet / (all * later)
	}
	for d := range last {
		q.next[d] = min(1, each*q.next[d+1]+vain/all*q.gap[d+1])
	}
	q.next[last] = 0
}
