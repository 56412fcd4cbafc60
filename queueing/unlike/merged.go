package unlike

import (
	"math"
	"slices"
	"sort"
)

// mostStates is the greatest number of states that [Varying] averages over one by one. The number
// of states grows exponentially with the number of kinds, and time and memory with it. Above the
// bound, states are merged as each kind is added, down to about fewStates. mostBusy is the bound
// for busy servers, which are asked of few mixes and may take longer.
const (
	mostStates = 10_000
	mostBusy   = 20_000
	fewStates  = 2000
	// mostProduct bounds how many states the next kind may make of the merged ones.
	mostProduct = 200_000
)

// States that have nearly the same effect are merged into the points of Gauss rules, cell by cell.
// Within a cell the logarithm of a figure changes by about mergeWidth, a cell becomes mergePoints
// points, and at most mergeCells cells count. By the remainder of the rule, a Gauss rule of four
// points for e^x over a cell of width 1 has a relative error of at most e/8!·(2/4⁴)² = 4e-9. What
// is also lost are the moments of y beyond the third (TestMergedStates, TestLossMixMerged).
const (
	mergePoints = 4
	mergeWidth  = 1.0
	mergeCells  = 200
	mergeRows   = 12 // rows that a cell is divided into by y
	// mergeSplit decides when one point becomes two, to keep the spread of y (states with the same
	// x but different machines): if the square of its effect on the logarithm of a figure is
	// greater than this.
	mergeSplit = 1e-7
	// mergeRare is how much smaller the logarithm of a cell's weight must be than the greatest for
	// the cell to become a single point.
	mergeRare = 25
)

// A merger merges the states of a queue, each a number of machines up of every kind. A queue
// depends on its machines through integrals of
//
//	e^(−t) Π (1 + t·sⱼ/a)^nⱼ
//
// with nⱼ servers of speed sⱼ. Most of such an integral comes from the neighbourhood of one t, so
// that two states have nearly the same effect if they agree in x = Σ nⱼ ln(1 + t·sⱼ/a). The second
// coordinate y, the derivative of x by t, says how much the machines that make up this x differ.
type merger struct {
	kinds []Coming
	load  float64   // a
	rates bool      // jobs wait: what matters is whether the total speed exceeds the load
	x     []float64 // by kind, what one machine up adds to x, in servers of speed 1
	y     []float64 // by kind, what one machine up adds to y
	mean  []float64 // by kind, the mean of what it adds to x
	base  float64   // x of the servers that are always there
	alike bool      // all machines have the same speed
	scale float64   // effect of y on the logarithm of a figure
	wide  float64   // factor by which cells are wider than mergeWidth
	last  float64   // that of the kind before
	width float64   // width of a cell
	most  int       // points beyond which a product would be too large

	steps float64 // Work done so far
	// Scratch.
	x0, y0 []float64 // by state of a product without its last kind
	xs, ys []float64 // by state
	ends   []float64
	places [][]int32
	weight []float64
	counts []bool // by cell: it counts
}

// newMerger returns the merger of the queue; beside are the groups that are always there.
func (m Varying) newMerger(beside []Group) *merger {
	g := &merger{kinds: m.Coming, load: m.ArrivalRate * m.ServiceTime, rates: m.WhenFull != Lossy, wide: 1,
		most: math.MaxInt}
	speed := 0.0
	for _, b := range slices.Concat(beside, m.mean()) {
		speed += b.Servers * b.Speed
	}
	t := g.at(speed)
	servers := func(speed float64) float64 {
		if g.rates || !(g.load > 0) {
			return speed
		}
		return math.Log1p(t*speed/g.load) / math.Log1p(t/g.load)
	}
	for _, c := range m.Coming {
		g.x = append(g.x, servers(c.Speed)/c.PerJob)
		g.y = append(g.y, c.Speed/(g.load+c.Speed*t)/c.PerJob)
		g.mean = append(g.mean, g.x[len(g.x)-1]*c.Machines*c.Up)
	}
	g.alike = len(m.Coming) > 0
	for _, b := range beside {
		g.base += b.Servers * servers(b.Speed)
		g.alike = g.alike && (b.Servers == 0 || b.Speed == m.Coming[0].Speed)
	}
	for _, c := range m.Coming {
		g.alike = g.alike && c.Speed == m.Coming[0].Speed
	}
	g.scale = math.Sqrt(speed) + t/8
	return g
}

// at returns the approximate mean of t if servers of this total speed v are up: v − a far above the
// load a, a/(a − v) far below it.
func (g *merger) at(speed float64) float64 {
	over := speed - g.load
	return (over + math.Sqrt(over*over+4*g.load)) / 2
}

// cells sets the ends of the cells between two numbers of servers, beginning at the greater, and
// reports whether they are few enough. One more server changes the logarithm of the loss by about
// ln(1 + t/a). If jobs wait it also changes the logarithm of P(W > t), by t over the service time,
// taken to be 3/√a, and that of the mean wait by 1/(v − a).
func (g *merger) cells(low, high float64) bool {
	g.ends = g.ends[:0]
	for v := high; v > low; {
		if len(g.ends) > 50*mergeCells {
			return false
		}
		g.ends = append(g.ends, v)
		fall := math.Log1p(g.at(v) / g.load)
		if g.rates {
			fall += min(3/math.Sqrt(g.load), 1)
		}
		next := v - g.width/fall
		if over := v - g.load; g.rates && over > 0 {
			if next = max(next, v-over/2, g.load); over < 1e-3 {
				next = g.load
			}
		}
		if !(next < v) {
			break
		}
		v = next
	}
	slices.Reverse(g.ends)
	return true
}

// factors merges the states of the kinds so far and those of the next kind, so that their product
// has at most mostProduct states. Cells mostly have to be as wide as for the kind before.
func (g *merger) factors(all product, rows []state) (merged, next []state) {
	j := all.kinds()
	for g.wide = max(1, g.last/2); ; g.wide *= 2 {
		next = g.merged(listed(rows), j)
		if g.most = mostProduct / len(next); g.wide > 1e3 {
			g.most = math.MaxInt
		}
		if merged = g.merged(all, 0); len(merged) <= g.most {
			g.last, g.wide, g.most = g.wide, 1, math.MaxInt
			return merged, next
		}
	}
}

// merged replaces the states by points of Gauss rules. first is the first of the kinds that the
// states describe. It ends once there are more than g.most points, which are then of no use.
func (g *merger) merged(all product, first int) []state {
	if len(all.pairs) == 0 || !(g.load > 0) {
		return all.list()
	}
	g.steps += mergeSteps * float64(len(all.pairs))
	last := first + all.kinds()
	rest := g.base
	for j, x := range g.mean {
		if j < first || j >= last {
			rest += x
		}
	}
	g.x0, g.y0 = resized(g.x0, len(all.before)), resized(g.y0, len(all.before))
	for i, s := range all.before {
		g.x0[i], g.y0[i] = rest, 0
		for j, u := range s.up {
			g.x0[i] += u * g.x[first+j]
			g.y0[i] += u * g.y[first+j]
		}
	}
	g.xs, g.ys = resized(g.xs, len(all.pairs)), resized(g.ys, len(all.pairs))
	x, y := g.xs, g.ys
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range all.pairs {
		x[i], y[i] = g.x0[s.before], g.y0[s.before]
		for _, u := range all.last[s.last].up {
			x[i] += u * g.x[last-1]
			y[i] += u * g.y[last-1]
		}
		low, high = min(low, x[i]), max(high, x[i])
	}
	if g.width = mergeWidth * g.wide; g.rates { // a tail has a corner where the rate is the load
		g.width /= 2
	}
	for !g.cells(low, high) || g.fill(all.pairs, x) > mergeCells {
		g.width *= 2
	}
	c := mergeCell{merger: g, first: first, all: &all, x: x, y: y}
	var out []state
	for k, at := range g.places {
		if len(at) > 0 {
			points := 1
			if g.counts[k] {
				points = mergePoints
			}
			if out = c.rows(out, at, points); len(out) > g.most {
				break
			}
		}
	}
	return out
}

// fill sorts the states into cells and returns how many cells count. The loss of a cell is taken to
// be about e^width times that of the next.
func (g *merger) fill(all []pair, x []float64) (counting int) {
	n := len(g.ends) + 1
	for i := range g.places {
		g.places[i] = g.places[i][:0]
	}
	for len(g.places) < n {
		g.places = append(g.places, nil)
	}
	g.weight, g.counts = resized(g.weight, n), slices.Grow(g.counts[:0], n)[:n]
	for k := range g.weight {
		g.weight[k] = math.Inf(-1)
	}
	most := math.Inf(-1)
	for i, v := range x {
		k := sort.SearchFloat64s(g.ends, v)
		g.places[k] = append(g.places[k], int32(i))
		g.weight[k] = max(g.weight[k], all[i].chance-float64(k)*g.width)
		most = max(most, g.weight[k])
	}
	for k, w := range g.weight {
		if g.counts[k] = w > most-mergeRare; g.counts[k] {
			counting++
		}
	}
	return counting
}
