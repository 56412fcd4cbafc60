package attempts

// An Idle is the machines that hold no task, and when they leave. Those there at the beginning
// Leave after what is left of their stays, which is long if stays vary much; those that come later
// Leave after whole stays. As many machines leave per second as come, but most of those that leave
// have just come, and while tasks wait they are given one at once.
type Idle struct {
	Machines    float64
	leaves      []float64 // how many of the machines now idle leave in each cell
	found, come []float64 // laws of the rest of a stay and of a whole stay, by cell
}

// Resting returns machines, so many, that are there at the beginning.
func (c Course) Resting(machines, step float64, cells int) *Idle {
	out := &Idle{Machines: machines, leaves: make([]float64, cells)}
	if c.Down == nil {
		return out
	}
	out.found, out.come = make([]float64, cells), make([]float64, cells)
	left, stay := c.Residual(0), c.Stay(0)
	for k := range cells {
		to := float64(k+1) * step
		later, stays := c.Residual(to), c.Stay(to)
		out.found[k], out.come[k] = left-later, stay-stays
		out.leaves[k] = machines * out.found[k]
		left, stay = later, stays
	}
	return out
}

// Thin keeps a share of the machines, of those that leave from a cell on.
func (x *Idle) Thin(i int, keep float64) {
	if keep == 1 {
		return
	}
	x.Machines *= keep
	for k := i; k < len(x.leaves); k++ {
		x.leaves[k] *= keep
	}
}

// Join adds machines that came in this cell, and machines that came earlier.
func (x *Idle) Join(i int, come, found float64) {
	x.Machines += come + found
	if x.found == nil || come+found <= 0 {
		return
	}
	for k := i; k < len(x.leaves); k++ {
		x.leaves[k] += come*x.come[k-i] + found*x.found[k-i]
	}
}

// Leave removes the machines that leave in a cell and returns their number.
func (x *Idle) Leave(i int) float64 {
	left := x.leaves[i]
	x.Machines = max(0, x.Machines-left)
	return left
}
