package unlike

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/capplan/capplan/internal/numeric"
)

// A mergeCell replaces the states of one cell by the points of Gauss rules.
type mergeCell struct {
	*merger
	first int
	all   *product
	x, y  []float64 // of all states

	row             [mergeRows][]int32
	chance, z, p, q []float64 // of the states of the cell or row
	slope           []float64 // their y
	before          []int32   // their states without the last kind
	up              []float64 // their numbers up of the last kind
	w               []float64 // scratch: weights of these states
}

// rows appends the points that stand for the states with the given indices. It divides them into
// rows by y if y moves a figure by more than mergeWidth.
func (c *mergeCell) rows(out []state, at []int32, points int) []state {
	low, high := math.Inf(1), math.Inf(-1)
	for _, i := range at {
		low, high = min(low, c.y[i]), max(high, c.y[i])
	}
	n := int(math.Min(math.Ceil((high-low)*c.scale/mergeWidth/c.wide), mergeRows))
	if len(at) <= 2*points || n < 2 || points == 1 {
		return c.rule(out, at, points)
	}
	for k := range n {
		c.row[k] = c.row[k][:0]
	}
	for _, i := range at {
		k := min(int((c.y[i]-low)/(high-low)*float64(n)), n-1)
		c.row[k] = append(c.row[k], i)
	}
	for k := range n {
		if len(c.row[k]) > 0 {
			out = c.rule(out, c.row[k], points)
		}
	}
	return out
}

// rule appends the states with the given indices if they are few, else as many points as keep the
// means of all polynomials of x up to degree 2·mergePoints − 1. The numbers up of a point are the
// values of their regression on x, which also keeps the means of these numbers times polynomials.
// Two points instead of one represent the spread of y about its own regression.
func (c *mergeCell) rule(out []state, at []int32, points int) []state {
	if len(at) <= 2*points {
		for _, i := range at {
			out = append(out, state{c.all.up(i), c.all.pairs[i].chance})
		}
		return out
	}
	top := math.Inf(-1)
	for _, i := range at {
		top = max(top, c.all.pairs[i].chance)
	}
	n := len(at)
	c.chance, c.z = resized(c.chance, n), resized(c.z, n)
	c.p, c.q, c.w = resized(c.p, n), resized(c.q, n), resized(c.w, n)
	c.gather(at)
	total, mean := 0.0, 0.0
	for k, i := range at {
		c.chance[k] = math.Exp(c.all.pairs[i].chance - top)
		total += c.chance[k]
		mean += c.chance[k] * c.x[i]
	}
	mean /= total
	spread := 0.0
	for k, i := range at {
		c.chance[k] /= total
		c.z[k] = c.x[i] - mean
		spread += c.chance[k] * c.z[k] * c.z[k]
	}
	chance := top + math.Log(total)
	kinds := c.all.kinds()
	// Regressions on the first polynomials: of the numbers up and, last, of y.
	var of [regressed][]float64
	for k := range of {
		of[k] = make([]float64, kinds+1)
	}
	var diagonal, off []float64
	if spread = math.Sqrt(spread); spread > 1e-9*math.Abs(mean) {
		diagonal, off = c.recurrence(spread, points, func(degree int) {
			if degree < regressed {
				c.regress(of[degree])
			}
		})
	} else { // all states have the same x
		diagonal = []float64{0}
		for k := range c.p {
			c.p[k] = 1
		}
		c.regress(of[0])
	}
	nodes, weights := numeric.JacobiRule(diagonal, off)
	variance, skewness, along := c.spread(of[:min(regressed, len(diagonal))], diagonal, off)
	for i, node := range nodes {
		if weights[i] < 1e-15 {
			continue
		}
		up := make([]float64, kinds)
		for k, p := range firstPolynomials(node, diagonal, off) {
			for j := range up {
				up[j] += p * of[k][j]
			}
		}
		own := chance + math.Log(weights[i])
		if c.wild(up, of[0], weights[i]) {
			up = c.nearest(at, node, spread)
		}
		if !(variance*c.scale*c.scale > mergeSplit) {
			out = append(out, state{c.bounded(up), own})
			continue
		}
		// Choose two points with the variance and the skewness of y.
		root := math.Sqrt(skewness*skewness + 4)
		low, high := (skewness-root)/2*math.Sqrt(variance), (skewness+root)/2*math.Sqrt(variance)
		one, other := make([]float64, kinds), make([]float64, kinds)
		for j, u := range up {
			one[j], other[j] = u+low*along[j], u+high*along[j]
		}
		if c.wild(one, of[0], weights[i]) || c.wild(other, of[0], weights[i]) {
			out = append(out, state{c.bounded(up), own})
			continue
		}
		out = append(out, state{c.bounded(one), own + math.Log(high/(high-low))},
			state{c.bounded(other), own + math.Log(-low/(high-low))})
	}
	return out
}

// recurrence returns the Jacobi matrix of the law of z divided by the spread, by Stieltjes's
// procedure. It calls back with the degree of each orthonormal polynomial while c.p holds its
// values.
func (c *mergeCell) recurrence(spread float64, points int, back func(degree int)) (diagonal, off []float64) {
	for k := range c.p {
		c.z[k] /= spread
		c.p[k], c.q[k] = 1, 0
	}
	before := 0.0
	for degree := range points {
		back(degree)
		alpha := 0.0
		for k, w := range c.chance {
			alpha += w * c.z[k] * c.p[k] * c.p[k]
		}
		diagonal = append(diagonal, alpha)
		if degree == points-1 {
			break
		}
		norm := 0.0
		for k, w := range c.chance {
			next := (c.z[k]-alpha)*c.p[k] - before*c.q[k]
			c.q[k], c.p[k] = c.p[k], next
			norm += w * next * next
		}
		if norm = math.Sqrt(norm); norm < 1e-7 { // there are no more states than points
			break
		}
		for k := range c.p {
			c.p[k] /= norm
		}
		off, before = append(off, norm), norm
	}
	return diagonal, off
}

// regressed is the number of polynomials on which the numbers up and y are regressed.
const regressed = 3

// firstPolynomials returns the values at a point of the first orthonormal polynomials of a Jacobi
// matrix; 0 for degrees beyond its size.
func firstPolynomials(at float64, diagonal, off []float64) (p [regressed]float64) {
	p[0] = 1
	for k := range min(regressed-1, len(off)) {
		next := (at - diagonal[k]) * p[k]
		if k > 0 {
			next -= off[k-1] * p[k-1]
		}
		p[k+1] = next / off[k]
	}
	return p
}

// gather lays what is summed up over the states with the given indices side by side.
func (c *mergeCell) gather(at []int32) {
	n := len(at)
	c.slope, c.up, c.before = resized(c.slope, n), resized(c.up, n), slices.Grow(c.before[:0], n)[:n]
	for k, i := range at {
		s := c.all.pairs[i]
		c.slope[k], c.before[k], c.up[k] = c.y[i], s.before, 0
		if last := c.all.last[s.last].up; len(last) > 0 {
			c.up[k] = last[0]
		}
	}
}

// regress adds to of the means of the numbers up, and of y, times the polynomial in c.p.
func (c *mergeCell) regress(of []float64) {
	kinds := len(of) - 1
	for k, y := range c.slope {
		c.w[k] = c.chance[k] * c.p[k]
		of[kinds] += c.w[k] * y
	}
	c.addUp(of[:kinds])
}

// addUp adds to of the numbers up times the weights in c.w. States that follow each other and
// differ in the last kind alone are added up before they are multiplied.
func (c *mergeCell) addUp(of []float64) {
	few := len(c.all.before[0].up)
	for begin := 0; begin < len(c.before); {
		before, sum, last, end := c.before[begin], 0.0, 0.0, begin
		for ; end < len(c.before) && c.before[end] == before; end++ {
			sum += c.w[end]
			last += c.w[end] * c.up[end]
		}
		if few < len(of) {
			of[few] += last
		}
		floats.AddScaled(of[:few], sum, c.all.before[before].up)
		begin = end
	}
}

// spread returns the variance and the skewness of y about its regression, and for each kind the
// regression coefficient of its number up on that residual.
func (c *mergeCell) spread(of [][]float64, diagonal, off []float64) (variance, skewness float64, along []float64) {
	kinds := c.all.kinds()
	along = make([]float64, kinds)
	if kinds < 2 {
		return 0, 0, along
	}
	for k, y := range c.slope {
		p := firstPolynomials(c.z[k], diagonal, off)
		for d := range of {
			y -= p[d] * of[d][kinds]
		}
		w := c.chance[k] * y
		variance += w * y
		skewness += w * y * y
		c.w[k] = w
	}
	c.addUp(along)
	if variance > 0 {
		for j := range along {
			along[j] /= variance
		}
	}
	return variance, skewness / math.Pow(variance, 1.5), along
}

// bounded raises negative numbers up, which a regression may produce, to 0 and scales the others
// down so that their sum stays. It does so only if all machines have the same speed. With unlike
// ones a number may remain slightly below 0, and any number may exceed the machines that there are:
// only sums of them matter.
func (c *mergeCell) bounded(up []float64) []float64 {
	if !c.alike {
		return up
	}
	missing, rest := 0.0, 0.0
	for j, u := range up {
		if x := u * c.merger.x[c.first+j]; u < 0 {
			missing -= x
			up[j] = 0
		} else {
			rest += x
		}
	}
	if missing > 0 {
		floats.Scale(math.Max(1-missing/rest, 0), up)
	}
	return up
}

// wild reports whether numbers up lie further below 0 than 20 widths of an integrand over the whole
// fleet, or, at a point that hardly counts in its cell, than a twentieth of all machines that are up;
// or are fewer than no servers in all, as a few machines of many kinds can be within that.
// A state that is far from the others of its cell, with 1e-12 of their chance, can bend the
// regressions so that they miss it by millions of machines.
func (c *mergeCell) wild(up, mean []float64, weight float64) bool {
	below, all, servers := 0.0, 0.0, 0.0
	for j, u := range up {
		below -= min(u, 0)
		all += math.Abs(mean[j])
		servers += u / c.kinds[c.first+j].PerJob
	}
	return below > 20*math.Sqrt(all) || weight < 1e-8 && below > all/20 || servers < 0
}

// nearest returns the numbers up of the state whose x is nearest to that of a node, scaled so that
// its x is that of the node.
func (c *mergeCell) nearest(at []int32, node, spread float64) []float64 {
	k := 0
	for i, z := range c.z {
		if math.Abs(z-node) < math.Abs(c.z[k]-node) {
			k = i
		}
	}
	up, sum := c.all.up(at[k]), 0.0
	for j, u := range up {
		sum += u * c.merger.x[c.first+j]
	}
	if sum > 0 {
		floats.Scale(math.Max(1+(node-c.z[k])*spread/sum, 0), up)
	}
	return up
}

// resized returns a slice of n numbers, the given one if it is long enough.
func resized(room []float64, n int) []float64 {
	if cap(room) < n {
		return make([]float64, n)
	}
	return room[:n]
}
