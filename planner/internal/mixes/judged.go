package mixes

import "math"

// How many draws mixes are judged by. By a table it is a share of the draws
// between both bounds; where the figure has none, each draw asks the model anew.
const (
	judgedByTable = 1000
	judgedMost    = 4000
	judgedShare   = 0.125
	judgedByModel = 60
)

// JudgedDraws is the number of draws by which mixes are judged.
func (x *Model) JudgedDraws(n int) int {
	if x.loss != nil || x.proven != nil || x.Fleet.Load.Offered() < mostTable && x.tabled() != nil {
		return min(n, max(judgedByTable, min(int(judgedShare*float64(n)), judgedMost)))
	}
	return min(n, judgedByModel)
}

// Forget gives back the room that mixes seen so far take.
func (x *Model) Forget() {
	clear(x.known)
	clear(x.kept)
	clear(x.working)
	x.steps = staircase{}
	if x.table != nil {
		x.table.Forget()
	}
	if x.loss != nil {
		x.loss.Forget()
	}
}

// How many draws mixes are held against at least, where there are as many: the few, or where those
// would take far more than they are given the fewest.
const (
	FewDraws    = 20
	FewestDraws = 5
)

// LongDraw is after how many steps of one draw the servers that further mixes lack in it are estimated.
const LongDraw = 0.2e9

// DrawsBy is how many of n draws are held by the end of a stage: the fewest, the few and all.
func DrawsBy(stage, n int) int {
	if stage < 2 {
		return min(n, [...]int{FewestDraws, FewDraws}[stage])
	}
	return n
}

// frontierMixes is about how many mixes are held against each draw.
const frontierMixes = 60

// Draws is how many of n draws mixes are chosen for and held against, by what it took to choose
// for the first of them, whose models are given, and takes to hold a mix against them; and what
// it takes to hold one against all.
func (a *Allowance) Draws(first []*Model, counts []int64, n int) (most int, holding float64) {
	chosen, held := 0.0, 0.0
	for _, x := range first {
		if x != nil {
			if before := x.Steps(); x.tried == 0 {
				x.Meets(counts)
				x.tried = x.Steps() - before
			}
			chosen, held = chosen+x.Steps()-x.tried, held+x.tried
			x.Forget()
		}
	}
	afford := a.Given / math.Max(chosen, frontierMixes*held) * float64(len(first))
	switch {
	case len(first) < FewDraws && afford >= FewestDraws:
		most = n // the few tell
	default:
		most = max(len(first), int(math.Min(float64(n), afford)))
	}
	return most, held / float64(len(first)) * float64(most)
}

// Short is the servers that a mix is short of; with rough set by its height over the plane. A mix that
// misses the objectives is short of something, though the search for how much may end at 0.
func (x *Model) Short(counts []int64, need float64, rough bool) float64 {
	switch {
	case x.Meets(counts):
		return 0
	case rough:
		return need * math.Max(1-x.above(x.floats(x.leastLeft(counts))), 1e-9)
	}
	return math.Max(x.Missing(counts, need), 1e-9*need)
}
