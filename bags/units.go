package bags

import (
	"math"

	"github.com/capplan/capplan/bags/internal/attempts"
)

// undone returns the mean number of units that are not done. The results of a unit are given out
// one after the other, to machines of which some have just come and others have stayed for long: in
// a wave, in which most machines finish, to many old ones, and between waves to machines that soon
// leave again. If tasks arrive one by one, all results of a unit are taken to be given out at once.
//
// Two bags with different numbers of units agree until all of the smaller are given out. If other
// is given, what is done of the units of those cells is taken from it.
func (q *quorum) undone(paces []pace, out *handedOut, followed float64, other *doneByCell) attempts.Grid {
	like := paces[0].laws[0].Kept
	left := attempts.Grid{Step: like.Step, F: make([]float64, len(like.F))}
	copies, late := q.rules.Results, q.lastArrival() > 0
	kept := attempts.Rooms.Get().(*attempts.Room)
	defer kept.Leave()
	all, result := ofAll(paces, kept), attempts.Grid{Step: left.Step, F: kept.Zeros(len(left.F))}
	mixed(result.F, all, out.later)
	again := attempts.Again(result, q.rules.Deadline+out.again)
	missing := make([][]float64, len(out.starts)) // chance that a result is, by its cell and by time in cells of left
	chances := make([]float64, min(copies, attempts.MostApart))
	units, of := make([]attempts.Started, 0, copies), attempts.Quorum{Results: copies, Wanted: q.rules.Quorum}
	done, from := make([]float64, len(left.F)), 0
	if other != nil {
		from = other.alike(out, float64(copies))
		copy(done, other.before[from])
	}
	for k := from; k < len(out.starts); k++ {
		if other != nil && other.filling {
			other.before[k] = append(other.room.Cut(len(done)), done...)
		}
		if out.starts[k] == 0 {
			continue
		}
		units = attempts.Apart(units[:0], out.starts, k, out.lastCell, copies, late)
		for _, u := range units {
			for _, cell := range u.Cells {
				if missing[cell] == nil {
					later := float64(cell) * out.step / left.Step
					f := result.F[:min(len(left.F), len(left.F)+1-int(later))]
					mixed(f, all, out.mixes[cell])
					missing[cell] = kept.Cut(len(left.F))[:len(left.F)]
					attempts.Missed(missing[cell], f, again.F, later)
				}
			}
			first := int((float64(k)*out.step + q.soonest) / left.Step)
			if q.rules.Results == 3 && q.rules.Quorum == 2 { // [attempts.Quorum.Back] for the defaults, unrolled
				a, b, c := missing[u.Cells[0]], missing[u.Cells[1]], missing[u.Cells[2]]
				for i := first; i < len(done); i++ {
					done[i] += u.Units * attempts.TwoOfThree(a[i], b[i], c[i])
				}
				continue
			}
			for i := first; i < len(done); i++ {
				for j := range chances {
					chances[j] = missing[u.Cells[j]][i]
				}
				done[i] += u.Units * of.Back(chances)
			}
		}
	}
	for i, v := range done {
		left.F[i] = max(0, followed-v)
	}
	return left
}

// A doneByCell says, for one bag, how many of the units given out before a cell are done by each
// time; it is filling while that bag is followed.
type doneByCell struct {
	out     *handedOut
	before  [][]float64
	room    *attempts.Room // memory of these
	filling bool
}

// alike returns the cell up to which the units of another bag, with all their results, are given
// out as those of this one.
func (d *doneByCell) alike(out *handedOut, copies float64) int {
	if d.filling || out.step != d.out.step {
		return 0
	}
	k := 0
	for k < len(out.starts) && math.Abs(out.starts[k]-d.out.starts[k]) <= 1e-9*out.starts[k] {
		k++
	}
	for ahead := 0.0; k > 0 && ahead < copies; k-- {
		ahead += out.starts[k-1]
	}
	return k
}
