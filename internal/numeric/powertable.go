package numeric

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
)

// A PowerTable evaluates [Powers] for many counts of the same scales at once:
// the nodes and their logarithms are shared.
type PowerTable struct {
	scale []float64
	t     []float64
	log   [][]float64 // ln(w/largest w) − t, then by factor ln(1 + t/aⱼ)
	rest  [][]float64 // by factor 1/(aⱼ + t)
	exp   []float64   // room for one evaluation: the integrand at the nodes
	late  []float64   // and that times t
	first []float64   // and its logarithm at the first node of each panel
	row   PowerRow    // the last
}

var legendre16 = sync.OnceValues(func() (x, w []float64) {
	x, w = make([]float64, panelNodes), make([]float64, panelNodes)
	quad.Legendre{}.FixedLocations(x, w, 0, 1)
	return x, w
})

// NewPowerTable returns a table for all counts between those of least and of
// most, which have the same scales and at least one count above 0 in most. The
// panels are at most 6 deviations of the narrowest peak wide, and as those of
// [PowerIntegrals] keep away from the branch points. Near 0 they are no wider than
// the way from there: counts between the two may fall as fast as e^(−42) on that way.
func NewPowerTable(least, most []Power) *PowerTable {
	p := &PowerTable{scale: make([]float64, len(most))}
	from, _ := powerReach(least)
	_, to := powerReach(most)
	branch := math.Inf(1)
	for j, f := range most {
		if p.scale[j] = f.Scale; f.Count > 0 {
			branch = math.Min(branch, f.Scale)
		}
	}
	bounds := []float64{from}
	for from < to {
		bend := 0.0
		for _, f := range most {
			bend += f.Count / (f.Scale + from) / (f.Scale + from)
		}
		width := min(3*(branch+from), 6/math.Sqrt(bend), max(from, 12))
		from = math.Min(from+width, to)
		bounds = append(bounds, from)
	}
	p.fill(bounds)
	p.exp, p.late = make([]float64, len(p.t)), make([]float64, len(p.t))
	return p
}

// around returns which nodes may count: of the panels, each told by its first node, those
// not far below the greatest, and one on either side. Panels are so narrow, and the
// integrand is so concave, that no other comes near it (TestPowerTableOfWholeGroups).
func (p *PowerTable) around(counts []float64) (begin, end int) {
	first, top := p.first[:0], math.Inf(-1)
	for k := 0; k < len(p.t); k += panelNodes {
		e := p.log[0][k]
		for j, n := range counts {
			e += n * p.log[1+j][k]
		}
		first, top = append(first, e), math.Max(top, e)
	}
	p.first = first
	low, high := len(first), 0
	for i, e := range first {
		if e >= top-2*tableDrop {
			low, high = min(low, i), i+1
		}
	}
	return max(low-1, 0) * panelNodes, min(high+1, len(first)) * panelNodes
}

// panelNodes are the nodes of a panel.
const panelNodes = 16

// fill sets the nodes of the panels between the bounds. All rows have one piece of memory.
func (p *PowerTable) fill(bounds []float64) {
	nodes := panelNodes * (len(bounds) - 1)
	room := make([]float64, nodes*(2+2*len(p.scale)))
	row := func() []float64 {
		r := room[:nodes:nodes]
		room = room[nodes:]
		return r
	}
	p.t, p.log = row(), [][]float64{row()}
	for range p.scale {
		p.log, p.rest = append(p.log, row()), append(p.rest, row())
	}
	x, wt := legendre16()
	for k := range nodes {
		from, width, i := bounds[k/panelNodes], bounds[k/panelNodes+1]-bounds[k/panelNodes], k%panelNodes
		t := from + width*x[i]
		p.t[k] = t
		p.log[0][k] = math.Log(wt[i]*width) - t
		for j, scale := range p.scale {
			p.log[1+j][k] = math.Log1p(t / scale)
			p.rest[j][k] = 1 / (scale + t)
		}
	}
}

// powerReach returns where the integrand of U has fallen by exp(-42) on either
// side of its peak.
func powerReach(factors []Power) (from, to float64) {
	w := powerWork{factors: factors, branch: math.Inf(1)}
	for _, f := range factors {
		if f.Count > 0 {
			w.start += f.Count / f.Scale
			w.branch = math.Min(w.branch, f.Scale)
		}
	}
	if w.start == 0 {
		return 0, decayDrop
	}
	w.peak()
	right := w.reach(+1, math.Inf(1))
	if w.at > 0 {
		from = math.Max(w.at-w.reach(-1, w.at), 0)
	}
	return from, w.at + right
}

// Nodes is the number of nodes.
func (p *PowerTable) Nodes() int { return len(p.t) }

// tableDrop is where the integrand of one evaluation ends: exp(−36) ≈ 2e-16.
const tableDrop = 36.0

// At evaluates the integrals for counts within the table's range; left is room
// for [Powers.Left]. It is not safe for concurrent use.
func (p *PowerTable) At(counts, left []float64) Powers {
	top, start := math.Inf(-1), 0.0
	for j, n := range counts {
		start += n / p.scale[j]
		left[j] = 0
	}
	if start == 0 {
		for j := range left {
			left[j] = 1
		}
		return Powers{LogExcess: top, LogDelay: top, Left: left}
	}
	begin, end := p.around(counts)
	copy(p.exp[begin:end], p.log[0][begin:end])
	for j, n := range counts {
		if n != 0 {
			floats.AddScaled(p.exp[begin:end], n, p.log[1+j][begin:end])
		}
	}
	top = floats.Max(p.exp[begin:end])
	low, high := end, begin // the nodes that count
	for k := begin; k < end; k++ {
		e := p.exp[k]
		p.exp[k], p.late[k] = 0, 0
		if e >= top-tableDrop {
			p.exp[k] = math.Exp(e - top)
			p.late[k] = p.exp[k] * p.t[k]
			low, high = min(low, k), k+1
		}
	}
	low -= low % 2 // sums of vectors hang on where in memory they begin
	p.row = PowerRow{low, top, p.exp[low:high]}
	exp, late := p.exp[low:high], p.late[low:high]
	sum, excess, delay := floats.Sum(exp), 0.0, 0.0
	for j, n := range counts {
		rest := p.rest[j][low:high]
		left[j] = floats.Dot(exp, rest)
		excess += n * left[j]
		delay += n / p.scale[j] * floats.Dot(late, rest)
	}
	return p.powers(top, sum, excess, delay, start, left)
}

// A PowerRow is the integrand of one evaluation at the nodes that count.
type PowerRow struct {
	low int
	top float64
	exp []float64
}

// Row returns the integrand of the last counts.
func (p *PowerTable) Row() PowerRow {
	row := p.row
	row.exp = slices.Clone(row.exp)
	return row
}

// Factor returns Π (1 + t/aⱼ)^(−lessⱼ) at the nodes.
func (p *PowerTable) Factor(less []float64) []float64 {
	out := make([]float64, len(p.t))
	for j, n := range less {
		floats.AddScaled(out, -n, p.log[1+j])
	}
	for k, e := range out {
		out[k] = math.Exp(e)
	}
	return out
}

// Fewer is At for counts that are a few less than those of a row, by their factor: it takes no exponentials.
func (p *PowerTable) Fewer(row PowerRow, factor, counts, left []float64) Powers {
	high := row.low + len(row.exp)
	exp, start := floats.MulTo(p.exp[row.low:high], row.exp, factor[row.low:high]), 0.0
	sum, excess, delay := floats.Sum(exp), 0.0, 0.0
	for j, n := range counts {
		left[j] = floats.Dot(exp, p.rest[j][row.low:high])
		excess += n * left[j]
		delay += n / p.scale[j] * math.Max(sum-p.scale[j]*left[j], 0)
		start += n / p.scale[j]
	}
	return p.powers(row.top, sum, excess, delay, start, left)
}

// powers are the integrals in units of e^top; left are those of 1/(aⱼ + t).
func (p *PowerTable) powers(top, sum, excess, delay, start float64, left []float64) Powers {
	out := Powers{
		Log:       top + math.Log(sum),
		LogExcess: top + math.Log(excess),
		LogDelay:  top + math.Log(delay) - math.Log(start),
		Left:      left,
	}
	if out.Log < 1 {
		out.Log = math.Log1p(math.Exp(out.LogExcess))
	}
	for j := range left {
		left[j] *= p.scale[j] / sum
	}
	return out
}
