package unlike

import "github.com/capplan/capplan/internal/numeric"

// Work counts what models do for their figures, in steps of about a nanosecond: numbers up
// times the nodes of an integral and so on. The same questions make the same steps on any
// machine, so that a search which ends after so many of them answers alike everywhere; time
// would not do. It is not safe for concurrent use.
type Work struct {
	Steps float64
}

// Steps of what is done most, as measured.
const (
	closedSteps   = 3000 // figures of servers of one speed
	integralSteps = 6000 // of unlike ones by themselves, a group
	nodeSteps     = 8    // a node of an integral that states share, with its exponential
	factorSteps   = 0.4  // of a node, for one factor
	decaySteps    = 1500 // integrals of those who give up, and of those served late, mostly from a table
	tellSteps     = 2500 // what the objectives ask of one state, where some give up
	stateSteps    = 2000 // figures of one state, its integrals aside
	rowSteps      = 20   // a node of numbers up that are made
	panelSteps    = 60   // a node and kind of a table that is made
	mergeSteps    = 30   // a state and kind that is merged
	listSteps     = 1000 // a state of numbers up by itself, in its place among the others
)

// add counts steps; of none nobody asks.
func (w *Work) add(steps float64) {
	if w != nil {
		w.Steps += steps
	}
}

// tableSteps are those of the integrals of one state of so many groups.
func tableSteps(t *numeric.PowerTable, groups int) float64 {
	return float64(t.Nodes()) * (nodeSteps + 2*factorSteps*float64(groups))
}

// madeSteps are those of making a table; none of none.
func madeSteps(t *numeric.PowerTable, groups int) float64 {
	if t == nil {
		return 0
	}
	return panelSteps * float64(t.Nodes()*groups)
}

// asked is how many products of vectors a state of so many servers of each kind takes.
func (m *MixTable) asked(counts []float64) float64 {
	products := 2.0
	for _, n := range counts {
		if n > 0 {
			products++
		}
	}
	return products
}

// tellSteps are those of one state beside its integrals.
func (m *MixTable) tellSteps() float64 {
	if m.model.WhenFull == Impatient {
		return tellSteps
	}
	return stateSteps / 20
}
