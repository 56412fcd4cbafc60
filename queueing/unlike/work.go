package unlike

import "github.com/capplan/capplan/internal/numeric"

// Work counts the work that models do for their figures, in steps of about a nanosecond: states
// times nodes of an integral, and so on. The same question takes the same steps on every machine. A
// search that ends after a number of steps therefore gives the same answer everywhere, which it
// would not if it ended after a time. Work is not safe for concurrent use.
type Work struct {
	Steps float64
}

// Measured costs of the most frequent operations, in steps.
const (
	closedSteps   = 3000 // figures of servers of one speed, by closed forms
	integralSteps = 6000 // for each group: integrals of one state without a table
	nodeSteps     = 8    // for each node of an integral that states share: its exponential
	factorSteps   = 0.4  // for each node and factor
	decaySteps    = 1500 // integrals for impatient jobs, served or late, mostly from a table
	tellSteps     = 2500 // figures of one state that the objectives need, if jobs may give up
	stateSteps    = 2000 // all figures of one state, without its integrals
	responseSteps = 25   // for each group of a state: the law of its response, and its tail at one time
	rowSteps      = 20   // for each node of a row of numbers up, once
	panelSteps    = 60   // for each node and kind of a table, once
	mergeSteps    = 250  // for each state that is merged
	listSteps     = 1000 // for each state: listing and sorting it
)

// add counts steps, if anybody counts them.
func (w *Work) add(steps float64) {
	if w != nil {
		w.Steps += steps
	}
}

// tableSteps returns the steps for the integrals of one state with the given number of groups, most of
// whose nodes do not count.
func tableSteps(t *numeric.PowerTable, groups int) float64 {
	return float64(t.Nodes()) * (nodeSteps + 0.75*factorSteps*float64(groups))
}

// madeSteps returns the steps for making a table; 0 for nil.
func madeSteps(t *numeric.PowerTable, groups int) float64 {
	if t == nil {
		return 0
	}
	return panelSteps * float64(t.Nodes()*groups)
}

// asked returns how many products of vectors a state with these servers of each kind takes.
func (m *MixTable) asked(counts []float64) float64 {
	products := 2.0
	for _, n := range counts {
		if n > 0 {
			products++
		}
	}
	return products
}

// tellSteps returns the steps for one state without its integrals.
func (m *MixTable) tellSteps() float64 {
	if m.model.WhenFull == Impatient {
		return tellSteps
	}
	return stateSteps / 20
}
