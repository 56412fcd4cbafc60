package attempts

import (
	"slices"

	"gonum.org/v1/gonum/floats"
)

// A Later holds the probability masses of a time by cell, the last cell first, without the zeros
// at either end.
type Later struct {
	from     int // cell of the first mass that is kept
	reversed []float64
}

// NewLater keeps the masses of a time by cell.
func NewLater(masses []float64) Later {
	from, to := 1, len(masses)
	for to > from && masses[to-1] == 0 {
		to--
	}
	for from < to && masses[from] == 0 {
		from++
	}
	out := Later{from, slices.Clone(masses[from:to])}
	slices.Reverse(out.reversed)
	return out
}

// Sum returns how many that began in earlier cells end in a cell: Σ_k began[k] masses[cell − k].
func (x Later) Sum(began []float64, cell int) float64 {
	last := cell - x.from // the last cell in which one of them can have begun
	if last < 0 {
		return 0
	}
	first := max(0, last+1-len(x.reversed))
	return floats.Dot(began[first:last+1], x.reversed[len(x.reversed)-(last+1-first):])
}

// Scale multiplies the masses.
func (x Later) Scale(by float64) { floats.Scale(by, x.reversed) }
