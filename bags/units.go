package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
)

// mostApart is up to how many results of a unit each is followed on the machine that it is
// given to; of more all are given out at the moment of the first.
const mostApart = 6

// A started is units of which each result is given out in a cell of its own.
type started struct {
	units float64
	cells [mostApart]int // growing
}

// apart adds to all, of the units whose first result is given out in a cell, when the others
// are. Results are given out one after the other as machines ask, those of a unit together,
// so that with S of them before the cell and n in it, the first of a unit is evenly
// one from S to S + n, and the others are those that follow. In a wave nearly all fall into
// the same cell; between two waves, when few machines ask and many of these soon leave, a
// unit waits for several of them, or for the next wave.
func (out *handedOut) apart(all []started, cell, copies int, together bool) []started {
	n := out.starts[cell]
	here := started{units: n / float64(copies)}
	for j := range here.cells {
		here.cells[j] = cell
	}
	if together || copies > mostApart {
		return append(all, here)
	}
	rest := n
	for j := 1; j < copies && rest > 0; j++ { // that many results before those of the next cell
		part := min(1, rest)
		u := here
		u.units = part / float64(copies)
		at, beyond := cell, 0.0 // results from the next cell up to that one
		for k := j; k < copies; k++ {
			for beyond <= float64(k-j+1)-part/2 && at < out.lastCell {
				at++
				beyond += out.starts[at]
			}
			u.cells[k] = at
		}
		all = append(all, u)
		rest -= part
	}
	if here.units = rest / float64(copies); rest > 0 {
		all = append(all, here)
	}
	return all
}

// undone is the mean number of units that are not done. The results of a unit are
// given out one after the other, to machines of which some have just come and others
// have stayed for long: in a wave in which most of them finish to many of the old, and
// between the waves to those that soon leave again. Tasks that arrive one by one are taken
// to have all their results given out at once.
//
// Two bags of unlike numbers of units go alike until the smaller is given out: what is
// done of the cells before is taken from those of the other, where it is given.
func (q *quorum) undone(paces []pace, out *handedOut, followed float64, other *doneByCell) attempts.Grid {
	like := paces[0].laws[0].Kept
	left := attempts.Grid{Step: like.Step, F: make([]float64, len(like.F))}
	copies, late := q.rules.Results, q.lastArrival() > 0
	kept := attempts.Rooms.Get().(*attempts.Room)
	defer kept.Leave()
	all, result := ofAll(paces, kept), attempts.Grid{Step: left.Step, F: kept.Zeros(len(left.F))}
	mixed(result.F, all, out.later)
	again := q.again(result, q.rules.Deadline+out.again)
	missing := make([][]float64, len(out.starts)) // of a result by the cell in which it is given out, at times of left
	chances := make([]float64, min(copies, mostApart))
	units := make([]started, 0, copies)
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
		units = out.apart(units[:0], k, copies, late)
		for _, u := range units {
			for _, cell := range u.cells {
				if missing[cell] == nil {
					later := float64(cell) * out.step / left.Step
					f := result.F[:min(len(left.F), len(left.F)+1-int(later))]
					mixed(f, all, out.mixes[cell])
					missing[cell] = kept.Cut(len(left.F))[:len(left.F)]
					missed(missing[cell], f, again.F, later)
				}
			}
			first := int((float64(k)*out.step + q.soonest) / left.Step)
			if q.rules.Results == 3 && q.rules.Quorum == 2 { // as [model.back], the default in short
				a, b, c := missing[u.cells[0]], missing[u.cells[1]], missing[u.cells[2]]
				for i := first; i < len(done); i++ {
					done[i] += u.units * twoOfThree(a[i], b[i], c[i])
				}
				continue
			}
			for i := first; i < len(done); i++ {
				for j := range chances {
					chances[j] = missing[u.cells[j]][i]
				}
				done[i] += u.units * q.back(chances)
			}
		}
	}
	for i, v := range done {
		left.F[i] = max(0, followed-v)
	}
	return left
}

// A doneByCell is, of a bag, how many units of those of the cells before one are done by
// time; filling while it is followed.
type doneByCell struct {
	out     *handedOut
	before  [][]float64
	room    *attempts.Room // for these
	filling bool
}

// alike is up to which cell the units of another bag are given out as those of this one,
// with all their results.
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

// missed fills in the chance that neither a result nor one in place of it is there, so many
// cells later.
func missed(out, result, again []float64, later float64) {
	before := min(int(math.Ceil(later)), len(out))
	part := math.Ceil(later) - later // of a cell, that a moment lies beyond a value
	for i := range out[:before] {
		out[i] = 1
	}
	if out = out[before:]; part == 0 {
		result, again = result[:len(out)], again[:len(out)]
		for i, there := range result {
			out[i] = max(0, 1-there) * again[i]
		}
		return
	}
	for i := range out {
		there, none := result[i], again[i]
		out[i] = max(0, 1-(there+part*(result[i+1]-there))) * (none + part*(again[i+1]-none))
	}
}

// again is the chance that none of the results is there that were given out in place
// of one that is overdue, each after the deadline and the wait for a machine.
func (m *model) again(result attempts.Grid, after float64) attempts.Grid {
	g := attempts.Grid{Step: result.Step, F: make([]float64, len(result.F))}
	for i := range g.F {
		t := float64(i) * g.Step
		g.F[i] = 1
		for k := 1; t-float64(k)*after > 0 && k < 50; k++ {
			g.F[i] *= 1 - result.At(t-float64(k)*after)
		}
	}
	return g
}

// back is the chance that a quorum of results is back, each missing with a chance of its own.
func (m *model) back(missing []float64) float64 {
	if m.rules.Results > len(missing) {
		return m.alike(missing[0])
	}
	most := len(missing) - m.rules.Quorum
	var short [mostApart + 1]float64 // chance that so many of those up to here are missing
	short[0] = 1
	for _, p := range missing {
		for k := most; k > 0; k-- {
			short[k] += p * (short[k-1] - short[k])
		}
		short[0] *= 1 - p
	}
	sum := 0.0
	for _, v := range short[:most+1] {
		sum += v
	}
	return min(1, sum)
}

// twoOfThree is the chance that two or more of three results are back, each missing with a
// chance of its own.
func twoOfThree(a, b, c float64) float64 {
	return (1-a)*(1-b) + (1-c)*(a*(1-b)+b*(1-a))
}

// alike is that chance where all are missing with the same.
func (m *model) alike(missing float64) float64 {
	n, q := m.rules.Results, m.rules.Quorum
	if missing == 0 {
		return 1
	}
	sum, term := 0.0, math.Pow(1-missing, float64(q))*math.Pow(missing, float64(n-q))
	for k := q; k <= n; k++ {
		sum += binomial(n, k) * term
		term *= (1 - missing) / missing
	}
	return sum
}

func binomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return math.Round(math.Exp(a - b - c))
}
