package noneleft

import (
	"math"
	"sync"
)

// An expTable holds e^(−y) in steps of y, between which a short series has an error of 3e-10. A
// table is worthwhile because the value is needed for all cells of all courses.
type expTable [expMost*expSteps + 2]float64

const (
	expSteps = 16 // steps for each unit of y
	expMost  = 40 // greatest y, a little above the exponent at Most tasks left
	// FewestByTable is the number of tasks from which on the table is used: with fewer, the exponent
	// bends sharply near v = k.
	FewestByTable = 2 * Most
)

// exponentials returns the table, which its first call makes.
var exponentials = sync.OnceValue(func() *expTable {
	x := new(expTable)
	for i := range x {
		x[i] = math.Exp(-float64(i) / expSteps)
	}
	return x
})

// ByTable replaces mean numbers v of tasks left by (1 − v/k)^k, the chance that none of k is, to 1e-7.
// k must be at least FewestByTable; above Most the chance is 0.
func ByTable(k float64, left []float64) {
	x, each := exponentials(), 1/k
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

// of returns e^(−y), and 0 above Most.
func (x *expTable) of(y float64) float64 {
	if y > Most {
		return 0
	}
	at := int(y*expSteps + 0.5)
	d := y - float64(at)*(1./expSteps)
	return x[at] * (1 - d*(1-d*(1./2-d*(1./6-d*(1./24)))))
}

// fewestExact is the number of tasks from which on the error of [ByTable] is that of its
// exponentials.
const fewestExact = 400

// Chances is [Chance] for many mean numbers of tasks left, to 1e-9.
func Chances(n float64, left []float64) {
	if n >= fewestExact {
		ByTable(n, left)
		return
	}
	for i, u := range left {
		left[i] = Chance(n, u)
	}
}
