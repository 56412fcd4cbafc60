package bags

import "github.com/capplan/capplan/bags/internal/attempts"

// Help is followed in the cells of a law that reaches until the bag is done without help. For a deadline before
// 1/finerFrom of that time the law is made again, over finerSpan times the deadline.
const (
	finerFrom = 16
	finerSpan = 4
)

// until returns the law in steps fine enough for help to be followed to a time: in steps of a day no number of workers
// kept a deadline of 30 h that 195 keep (TestDeadlineFarBelowTheBag).
func (f *FinishLaw) until(t float64) *FinishLaw {
	f = f.within(t)
	if f.finer == nil || finerFrom*t > f.law.End() {
		return f
	}
	return f.finer(finerSpan * t)
}

// refine lets a law be made over a shorter time, by what fills its grid.
func (m *model) refine(f *FinishLaw, fill func(g *FinishLaw)) {
	f.finer = func(end float64) *FinishLaw {
		g := f.over(end)
		fill(g)
		g.tell()
		m.describe(g)
		return g
	}
}

// over returns what does not depend on the grid of a law, on a grid that ends at a time.
func (f *FinishLaw) over(end float64) *FinishLaw {
	g := *f
	g.early, g.branches, g.untold, g.finer, g.late, g.come = nil, nil, nil, nil, nil, nil
	g.law = attempts.Grid{Step: end / (gridCells - 1), F: make([]float64, gridCells)}
	return &g
}
