package bags

import "github.com/capplan/capplan/bags/internal/noneleft"

// roughly returns the end of a span and about the chance by then, or 1 if the law may be whole (TestRoughlyNotWhole).
// It follows the flow in cells of roughCells each. Where saves are followed in classes, so that a flow takes long, that
// tells spans over which the law need not be made: of the bag small on seti the first of three, a third of the time.
func (m *model) roughly(span float64) (end, chance float64) {
	const (
		roughCells = 4
		surely     = 0.9
	)
	step, cells := m.cells(span)
	end = step * float64(cells-1)
	_, of := m.follow(roughCells*step, cells/roughCells+2, 1)
	if chance = noneleft.Chance(m.n, of.Undone(end)); chance > surely {
		chance = 1
	}
	return end, chance
}
