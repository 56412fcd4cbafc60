package bags

import "slices"

// A noneTable is the chance that none of k tasks is left where v are on average, for v up to
// mostLeft: cubics that have its values and slopes at steps of v, to 3e-7, since hours sum it
// over all cells of all courses.
type noneTable struct {
	k      float64
	cubics [noneSteps][4]float64
}

const (
	noneSteps = 256
	// fewestTold is of how many tasks there is a table: of fewer the chance bends sharply
	// near v = k.
	fewestTold = 2 * mostLeft
)

func (x *noneTable) fill(k float64) {
	const h = float64(mostLeft) / noneSteps
	x.k = k
	value := 1.0
	for i := range x.cubics {
		from, to := float64(i)*h, float64(i+1)*h
		next := noneOf(k, to)
		// d/dv (1 − v/k)^k = −(1 − v/k)^(k − 1)
		slope, end := -h*value/(1-from/k), -h*next/(1-to/k)
		x.cubics[i] = [4]float64{value, slope, 3*(next-value) - 2*slope - end, 2*(value-next) + slope + end}
		value = next
	}
}

// at is the chance at a mean number of tasks left, below mostLeft.
func (x *noneTable) at(v float64) float64 {
	at := v * (float64(noneSteps) / mostLeft)
	i := min(int(at), noneSteps-1)
	c, t := &x.cubics[i], at-float64(i)
	return c[0] + t*(c[1]+t*(c[2]+t*c[3]))
}

// table is that of so many tasks, nil for few.
func (w *helping) table(k float64) *noneTable {
	if k < fewestTold {
		return nil
	}
	if i := slices.IndexFunc(w.tables, func(x *noneTable) bool { return x.k == k }); i >= 0 {
		return w.tables[i]
	}
	x := new(noneTable)
	x.fill(k)
	w.tables = append(w.tables, x)
	return x
}
