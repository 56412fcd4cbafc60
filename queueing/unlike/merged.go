package unlike

import (
	"math"
	"slices"
	"sort"
)

// mostStates bounds the numbers up that [Varying] averages over one by one: without a
// bound they grow with the power of the kinds, to any memory and time. Above it they are
// merged, so that one kind more makes about fewStates of them. mostBusy is for busy
// servers, which are asked of few mixes.
const (
	mostStates = 10_000
	mostBusy   = 20_000
	fewStates  = 2000
	// mostProduct bounds of how many those are chosen that one kind more makes.
	mostProduct = 200_000
)

// Numbers up that do nearly the same are merged into points of Gauss rules, cell by cell:
// of mergePoints each in cells within which the logarithm of a figure changes by about
// mergeWidth, and of at most mergeCells cells that count. A Gauss rule of e^x of four points
// over a cell of width 1 is off by e/8!·(2/4⁴)² = 4e-9 of it at most, by the remainder of the rule;
// what is lost besides are moments of y beyond the third (TestMergedStates, TestLossMixMerged).
const (
	mergePoints = 4
	mergeWidth  = 1.0
	mergeCells  = 200
	mergeRows   = 12 // of a cell, by y
	// mergeSplit is the square of the effect on a figure from which on numbers up that
	// differ in how unlike the machines are stay two.
	mergeSplit = 1e-7
	// mergeRare is the logarithm of how much less a cell may count than another to be one
	// point.
	mergeRare = 25
)

// A merger merges the numbers up of a queue. A queue sees of machines the integrals of
//
//	e^(−t) Π (1 + t·sⱼ/a)^nⱼ
//
// with nⱼ servers of speed sⱼ, of which most comes from about one t: states are near
// where x = Σ nⱼ ln(1 + t·sⱼ/a) is, of which the second coordinate, the derivative of
// x by t, tells how the machines that bring it differ.
type merger struct {
	kinds []Coming
	load  float64   // a
	rates bool      // jobs wait: what decides is whether the rate exceeds the load
	x     []float64 // by kind, of one machine up, in servers of speed 1
	y     []float64 // by kind, of one machine up
	mean  []float64 // by kind, of its x
	base  float64   // x of the servers beside
	alike bool      // all are of one speed
	scale float64   // effect of y on the logarithm of a figure
	wide  float64   // of a cell, over mergeWidth
	width float64   // of a cell

	steps float64 // made so far
	// Room.
	ends   []float64
	places [][]int32
	weight []float64
	counts []bool // by cell
}

// newMerger returns the merger of a queue beside the groups.
func (m Varying) newMerger(beside []Group) *merger {
	g := &merger{kinds: m.Coming, load: m.ArrivalRate * m.ServiceTime, rates: m.WhenFull != Lossy, wide: 1}
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

// at returns about the mean of t where servers of the speed are up: v − a far above the
// load, a/(a − v) far below.
func (g *merger) at(speed float64) float64 {
	over := speed - g.load
	return (over + math.Sqrt(over*over+4*g.load)) / 2
}

// cells sets the ends of cells between two numbers of servers, from the most on, and
// reports whether they are few enough. A server more changes the logarithm of loss by
// about ln(1 + t/a), where jobs wait that of a tail beside by their time over that of a
// service, say 3/√a, and that of a mean wait by 1/(v − a).
func (g *merger) cells(low, high float64) bool {
	g.ends = g.ends[:0]
	for v := high; v > low; {
		if len(g.ends) > 50*mergeCells {
			return false
		}
		g.ends = append(g.ends, v)
		fall := math.Log1p(g.at(v) / g.load)
		if g.rates {
			fall += math.Min(3/math.Sqrt(g.load), 1)
		}
		next := v - g.width/fall
		if over := v - g.load; g.rates && over > 0 {
			if next = math.Max(next, math.Max(v-over/2, g.load)); over < 1e-3 {
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

// factors merges states of the first kinds and those of the next kind, until they may be
// multiplied.
func (g *merger) factors(all, rows []state) (merged, next []state) {
	j := len(all[0].up)
	for g.wide = 1; ; g.wide *= 2 {
		merged, next = g.merged(all, 0), g.merged(rows, j)
		if len(merged)*len(next) <= mostProduct || g.wide > 1e3 {
			g.wide = 1
			return merged, next
		}
	}
}

// merged puts points of Gauss rules in the place of numbers up of the kinds from the
// first given one on.
func (g *merger) merged(all []state, first int) []state {
	if len(all) == 0 || !(g.load > 0) {
		return all
	}
	g.steps += mergeSteps * float64(len(all)*(1+len(all[0].up)))
	last := first + len(all[0].up)
	rest := g.base
	for j, x := range g.mean {
		if j < first || j >= last {
			rest += x
		}
	}
	x, y := make([]float64, len(all)), make([]float64, len(all))
	low, high := math.Inf(1), math.Inf(-1)
	for i, s := range all {
		x[i] = rest
		for j, u := range s.up {
			x[i] += u * g.x[first+j]
			y[i] += u * g.y[first+j]
		}
		low, high = math.Min(low, x[i]), math.Max(high, x[i])
	}
	if g.width = mergeWidth * g.wide; g.rates { // a tail has a corner where the rate is the load
		g.width /= 2
	}
	for !g.cells(low, high) || g.fill(all, x) > mergeCells {
		g.width *= 2
	}
	c := mergeCell{merger: g, first: first, all: all, x: x, y: y}
	var out []state
	for k, at := range g.places {
		if len(at) > 0 {
			points := 1
			if g.counts[k] {
				points = mergePoints
			}
			out = c.rows(out, at, points)
		}
	}
	return out
}

// fill puts states into their cells and returns how many of those count: the loss of a
// cell is about e^width of that of the next.
func (g *merger) fill(all []state, x []float64) (counting int) {
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
		g.weight[k] = math.Max(g.weight[k], all[i].chance-float64(k)*g.width)
		most = math.Max(most, g.weight[k])
	}
	for k, w := range g.weight {
		if g.counts[k] = w > most-mergeRare; g.counts[k] {
			counting++
		}
	}
	return counting
}
