package mixes

// How many draws mixes are judged by: one costs half a millisecond, or where the
// figure has no table up to a second. By a table it is a share of the draws
// between both bounds.
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
