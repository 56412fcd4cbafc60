package bags

import (
	"github.com/capplan/capplan/bags/internal/attempts"
	"math"
)

// mostApart is the greatest number of results of a unit that are followed on the machines they go
// to; if there are more, all are taken to be given out with the first.
const mostApart = 6

// A started is a number of units whose results are given out in the same cells.
type started struct {
	units float64        // rising
	cells [mostApart]int // growing
}

// apart appends the units whose first result is given out in a cell, with the cells of their other
// results. Results are given out one after the other as machines ask, those of a unit together.
// With S results before the cell and n in it, the first result of a unit is therefore uniform
// between S and S + n, and the others are the next ones. In a wave nearly all fall into the same
// cell; between two waves, when few machines ask and many of these soon leave, a unit waits for
// several of them, or for the next wave.
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
	for j := 1; j < copies && rest > 0; j++ { // this many results before those of the next cell
		part := min(1, rest)
		u := here
		u.units = part / float64(copies)
		at, beyond := cell, 0.0 // results given out from the next cell up to cell at
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
	again := q.again(result, q.rules.Deadline+out.again)
	missing := make([][]float64, len(out.starts)) // chance that a result is, by its cell and by time in cells of left
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
			if q.rules.Results == 3 && q.rules.Quorum == 2 { // [model.back] for the defaults, unrolled
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

// missed sets out to the chance that neither a result nor one that replaces it is back. The result
// is given out later, in cells, than the beginning.
func missed(out, result, again []float64, later float64) {
	before := min(int(math.Ceil(later)), len(out))
	part := math.Ceil(later) - later // the part of a cell by which a moment lies beyond a value of the law
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

// again returns the chance that none of the results is back that replace an overdue one, each given
// out after another deadline and wait for a machine.
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

// back returns the chance that a quorum of results is back, if each is missing with its own
// probability.
func (m *model) back(missing []float64) float64 {
	if m.rules.Results > len(missing) {
		return m.alike(missing[0])
	}
	most := len(missing) - m.rules.Quorum
	var short [mostApart + 1]float64 // chance that this many of the results so far are missing
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

// twoOfThree returns the chance that at least two of three results are back, if each is missing
// with its own probability.
func twoOfThree(a, b, c float64) float64 {
	return (1-a)*(1-b) + (1-c)*(a*(1-b)+b*(1-a))
}

// alike returns that chance if all are missing with the same probability.
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
