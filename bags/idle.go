package bags

// An idle is the machines that hold no task, and when they leave. Those there at the beginning
// leave after what is left of their stays, which is long if stays vary much; those that come later
// leave after whole stays. As many machines leave per second as come, but most of those that leave
// have just come, and while tasks wait they are given one at once.
type idle struct {
	machines    float64
	leaves      []float64 // how many of the machines now idle leave in each cell
	found, come []float64 // laws of the rest of a stay and of a whole stay, by cell
}

// resting returns the machines that are there at the beginning.
func (m *model) resting(step float64, cells int) *idle {
	out := &idle{machines: m.there, leaves: make([]float64, cells)}
	if m.course.Down == nil {
		return out
	}
	out.found, out.come = make([]float64, cells), make([]float64, cells)
	left, stay := m.course.Residual(0), m.course.Stay(0)
	for k := range cells {
		to := float64(k+1) * step
		later, stays := m.course.Residual(to), m.course.Stay(to)
		out.found[k], out.come[k] = left-later, stay-stays
		out.leaves[k] = m.there * out.found[k]
		left, stay = later, stays
	}
	return out
}

// thin keeps a share of the machines, of those that leave from a cell on.
func (x *idle) thin(i int, keep float64) {
	if keep == 1 {
		return
	}
	x.machines *= keep
	for k := i; k < len(x.leaves); k++ {
		x.leaves[k] *= keep
	}
}

// join adds machines that came in this cell, and machines that came earlier.
func (x *idle) join(i int, come, found float64) {
	x.machines += come + found
	if x.found == nil || come+found <= 0 {
		return
	}
	for k := i; k < len(x.leaves); k++ {
		x.leaves[k] += come*x.come[k-i] + found*x.found[k-i]
	}
}

// leave removes the machines that leave in a cell and returns their number.
func (x *idle) leave(i int) float64 {
	left := x.leaves[i]
	x.machines = max(0, x.machines-left)
	return left
}
