package bags

import (
	"math"
	"sync"
)

// An expTable has e^(−y) in steps of y, from which a short series tells it between them to
// 3e-10: of all cells of all courses it is wanted.
type expTable [expMost*expSteps + 2]float64

const (
	expSteps = 16 // in one
	expMost  = 40 // of none of k tasks beside mostLeft
	// fewestTold is of how many tasks the chance that none is left is told by it: of fewer it
	// bends sharply near v = k.
	fewestTold = 2 * mostLeft
)

// exponentials makes the table where it is wanted first.
var exponentials = sync.OnceValue(func() *expTable {
	x := new(expTable)
	for i := range x {
		x[i] = math.Exp(-float64(i) / expSteps)
	}
	return x
})

// none puts in place of mean numbers of tasks left the chance that none of k, at least
// fewestTold, is: (1 − v/k)^k, to 1e-7, none beside more than mostLeft.
func (x *expTable) none(k float64, left []float64) {
	each := 1 / k
	if k >= fewestExact { // the next term is below 2e-10
		for i, v := range left {
			r := v * each
			left[i] = x.of(v * (1 + r*(1./2+r*(1./3+r*(1./4)))))
		}
		return
	}
	for i, v := range left {
		r := v * each
		left[i] = x.of(v * (1 + r*(1./2+r*(1./3+r*(1./4+r*(1./5+r*(1./6+r*(1./7))))))))
	}
}

// of is e^(−y), of more than mostLeft none.
func (x *expTable) of(y float64) float64 {
	if y > mostLeft {
		return 0
	}
	at := int(y*expSteps + 0.5)
	d := y - float64(at)*(1./expSteps)
	return x[at] * (1 - d*(1-d*(1./2-d*(1./6-d*(1./24)))))
}

// fewestExact is of how many tasks [expTable.none] is as near as its exponentials are.
const fewestExact = 400

// allNoneOf is [noneOf] of many mean numbers of tasks left, to 1e-9.
func allNoneOf(n float64, left []float64) {
	if n >= fewestExact {
		exponentials().none(n, left)
		return
	}
	for i, u := range left {
		left[i] = noneOf(n, u)
	}
}
