package mixes

import (
	"cmp"
	"slices"
)

// coreKinds are the numbers of types of which it is asked whether they are enough without the others:
// a few have so few states that the answer takes no time beside that of all.
var coreKinds = []int{2, 4, 8}

// manyTypes are those of a mix from which on that is asked. The mixes of a search have few, and would be asked
// for twice as many figures.
const manyTypes = 16

// coreShare is how many times the load a few types have to serve for that question to be asked.
const coreShare = 1.5

// ample reports whether a few types of what every loss leaves of a mix meet the objectives
// alone, so that the mix does. It is asked where more machines never harm. Of 64 types in groups that are many
// times enough it takes a five hundredth of the steps of asking after each loss, which took .9 s together
// (TestLossesOfAnAmpleFleet).
func (x *Model) ample(counts []int64) bool {
	types := 0
	for _, n := range counts {
		if n > 0 {
			types++
		}
	}
	if !x.Plain || x.alike || x.loss != nil || types < manyTypes {
		return false
	}
	least := slices.Clone(x.Room.ZonesLeft(counts))
	worth := make([]float64, len(counts))
	order := make([]int, len(counts))
	for i, k := range x.Kinds[:len(counts)] {
		least[i] = max(least[i]-x.Room.Spare, 0)
		worth[i], order[i] = float64(least[i])*k.Up*k.Speed/k.PerJob, i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Or(cmp.Compare(worth[j], worth[i]), i-j) })
	core, served, from := make([]float64, len(x.Kinds)), 0.0, 0
	for _, n := range coreKinds {
		for _, i := range order[from:n] {
			core[i], served = float64(least[i]), served+worth[i]
		}
		if from = n; served > coreShare*x.Fleet.Load.Offered() && x.slack(core, x.all) > ampleSlack {
			return true
		}
	}
	return false
}

// ampleSlack is far above the errors of figures.
const ampleSlack = 0.1
