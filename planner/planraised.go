package planner

import (
	"math"

	"github.com/capplan/capplan/internal/cover"
	"github.com/capplan/capplan/planner/internal/mixes"
)

// raisedNeed is the worth of mixes that are worth the need after every loss, about:
// of machines worth the least or the most each. How many machines a loss takes
// depends on which there are. For needs of draws the need is raised by machines
// of one worth, and the mix is held against its own loss afterwards.
func (p *premises) raisedNeed(items []cover.Item, need float64, pick func(a, b float64) float64) float64 {
	one := math.Inf(1)
	for _, it := range items {
		if it.Most > 0 {
			if math.IsInf(one, 1) {
				one = it.Worth
			}
			one = pick(one, it.Worth)
		}
	}
	return mixes.Raised(p.Headroom(), need, one)
}
