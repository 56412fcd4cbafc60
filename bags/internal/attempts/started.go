package attempts

// A Started is a number of units whose results are given out in the same cells.
type Started struct {
	Units float64        // rising
	Cells [MostApart]int // growing
}

// Apart appends the units whose first result is given out in a cell, with the cells of their other results, where
// starts holds how many results are given out by cell, up to the last one. Results are given out one after the other as
// machines ask, those of a unit together. With S results before the cell and n in it, the first result of a unit is
// therefore uniform between S and S + n, and the others are the next ones. In a wave nearly all fall into the same
// cell; between two waves, when few machines ask and many of these soon leave, a unit waits for several of them, or for
// the next wave.
func Apart(all []Started, starts []float64, cell, last, copies int, together bool) []Started {
	n := starts[cell]
	here := Started{Units: n / float64(copies)}
	for j := range here.Cells {
		here.Cells[j] = cell
	}
	if together || copies > MostApart {
		return append(all, here)
	}
	rest := n
	for j := 1; j < copies && rest > 0; j++ { // this many results before those of the next cell
		part := min(1, rest)
		u := here
		u.Units = part / float64(copies)
		at, beyond := cell, 0.0 // results given out from the next cell up to cell at
		for k := j; k < copies; k++ {
			for beyond <= float64(k-j+1)-part/2 && at < last {
				at++
				beyond += starts[at]
			}
			u.Cells[k] = at
		}
		all = append(all, u)
		rest -= part
	}
	if here.Units = rest / float64(copies); rest > 0 {
		all = append(all, here)
	}
	return all
}
