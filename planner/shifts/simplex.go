package shifts

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// A relaxation is the linear program
//
//	min c·x,   −A x + s = −b,   x_j ≤ cap,   x, s ≥ 0
//
// solved by the dual simplex method from the basis of the slacks s, which is dual
// feasible since costs are above 0. A shift covers runs of slots, so that the sum
// of a row over them is a difference of two prefix sums. The prices of the slots
// are the reduced costs of their slacks. Lowering b keeps the basis dual
// feasible, and a few steps mend it.
type relaxation struct {
	shifts []shift
	slots  int
	caps   []capped
	cost   []float64 // of shifts, moved apart by a hair against ties

	inverse [][]float64 // of the basis
	low     []int       // from which place to before which a row of it is not all 0
	high    []int
	spans   [][2]int32 // of all shifts, one after the other
	ends    []int32    // where those of each shift end
	value   []float64  // of basic variables
	basis   []int      // variable of each row: a shift, or len(shifts) + row
	at      []int      // row of each variable, −1: not basic
	reduced []float64  // reduced cost of each variable
	weight  []float64  // steepest edge
	prefix  []float64
	alpha   []float64
	steps   int
}

// A capped shift is worked by at most a given number of people.
type capped struct {
	shift int
	most  float64
}

// newRelaxation begins with the basis of the slacks, whose inverse is the unit
// matrix.
func newRelaxation(shifts []shift, need []float64, caps []capped) *relaxation {
	m, n := len(need)+len(caps), len(shifts)
	r := &relaxation{shifts: shifts, slots: len(need), caps: caps}
	r.cost, r.reduced, r.alpha = make([]float64, n), make([]float64, n+m), make([]float64, n+m)
	r.at, r.basis = make([]int, n+m), make([]int, m)
	r.inverse, r.value, r.weight = make([][]float64, m), make([]float64, m), make([]float64, m)
	r.prefix = make([]float64, r.slots+1)
	r.low, r.high, r.ends = make([]int, m), make([]int, m), make([]int32, n)
	for j, s := range shifts {
		// Golden steps: no two shifts move by the same share.
		_, apart := math.Modf(float64(j+1) * 0.6180339887498949)
		r.cost[j] = s.cost * (1 + 1e-6*apart)
		r.reduced[j], r.at[j] = r.cost[j], -1
		for _, p := range s.spans {
			r.spans = append(r.spans, [2]int32{int32(p[0]), int32(p[1])})
		}
		r.ends[j] = int32(len(r.spans))
	}
	for i := range m {
		r.inverse[i] = make([]float64, m)
		r.inverse[i][i] = 1
		r.low[i], r.high[i] = lane(i, i+1, m)
		r.basis[i], r.at[n+i], r.weight[i] = n+i, i, 1
		if i < len(need) {
			r.value[i] = -need[i]
		} else {
			r.value[i] = caps[i-len(need)].most
		}
	}
	return r
}

// lane widens a stretch of a row to multiples of what sums add up side by side, so
// that leaving out what is 0 changes no digit of them.
func lane(low, high, m int) (int, int) {
	const wide = 32
	return low / wide * wide, min((high+wide-1)/wide*wide, m)
}

// tiny is what counts as no pivot, and feasible what counts as not below 0.
const (
	tiny     = 1e-9
	feasible = 1e-9
)

// solve goes on to the optimum. It reports false where no shifts cover the need,
// or where numbers break down: the bound stays one in any case.
func (r *relaxation) solve(ctx context.Context) (bool, error) {
	n, m := len(r.shifts), len(r.basis)
	column := make([]float64, m)
	for step := 0; ; step++ {
		if step%16 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		// More steps than that mean that rounding leads in circles.
		if step > 50*(m+10) {
			return false, nil
		}
		// The row that leaves has the greatest square over its weight: the dual
		// steepest edge.
		leave, worst := -1, 0.0
		for i, v := range r.value {
			if v < -feasible {
				if w := v * v / r.weight[i]; w > worst {
					leave, worst = i, w
				}
			}
		}
		if leave < 0 {
			return true, nil
		}
		// Prefix sums of the row make the entry of each shift a difference for
		// each of its runs.
		rho := r.inverse[leave]
		for t := range r.slots {
			r.prefix[t+1] = r.prefix[t] + rho[t]
		}
		// Spans side by side, since all of them are read in each step.
		begin := int32(0)
		for j, end := range r.ends {
			sum := 0.0
			for _, p := range r.spans[begin:end] {
				sum -= r.prefix[p[1]] - r.prefix[p[0]]
			}
			r.alpha[j], begin = sum, end
		}
		for k, c := range r.caps {
			if r.at[c.shift] < 0 {
				r.alpha[c.shift] += rho[r.slots+k]
			}
		}
		copy(r.alpha[n:], rho)
		// The ratio test keeps reduced costs at 0 or above; of ties the largest
		// pivot is the safest.
		enter, ratio := -1, math.Inf(1)
		for j, a := range r.alpha {
			if r.at[j] >= 0 || a > -tiny {
				continue
			}
			q := math.Max(r.reduced[j], 0) / -a
			if q < ratio-1e-12 || q < ratio+1e-12 && enter >= 0 && a < r.alpha[enter] {
				enter, ratio = j, math.Min(q, ratio)
			}
		}
		if enter < 0 {
			return false, nil
		}
		r.columnOf(enter, column)
		pivot := column[leave]
		if pivot > -tiny {
			return false, nil
		}
		r.pivot(leave, enter, column, pivot)
		r.steps++
	}
}

// columnOf is the column of a variable in the basis.
func (r *relaxation) columnOf(j int, out []float64) {
	if j >= len(r.shifts) {
		k := j - len(r.shifts)
		for i, row := range r.inverse {
			out[i] = row[k]
		}
		return
	}
	for i, row := range r.inverse {
		sum := 0.0
		for _, p := range r.shifts[j].spans {
			if p[0] < r.high[i] && p[1] > r.low[i] {
				sum -= floats.Sum(row[p[0]:p[1]])
			}
		}
		for k, c := range r.caps {
			if c.shift == j {
				sum += row[r.slots+k]
			}
		}
		out[i] = sum
	}
}

// pivot exchanges a basic variable. Reduced costs, values, the inverse and the
// weights all go on by one step.
func (r *relaxation) pivot(leave, enter int, column []float64, pivot float64) {
	rho := r.inverse[leave]
	step := r.reduced[enter] / r.alpha[enter]
	for j, a := range r.alpha {
		if r.at[j] < 0 && a != 0 {
			r.reduced[j] -= step * a
		}
	}
	gone := r.basis[leave]
	r.reduced[enter], r.reduced[gone] = 0, -step
	move := r.value[leave] / pivot
	low, high := r.low[leave], r.high[leave]
	floats.Scale(1/pivot, rho[low:high])
	for i, w := range column {
		if i == leave || math.Abs(w) < 1e-14 {
			continue
		}
		r.value[i] -= move * w
		row := r.inverse[i]
		floats.AddScaled(row[low:high], -w, rho[low:high])
		r.low[i], r.high[i] = min(r.low[i], low), max(r.high[i], high)
		row = row[r.low[i]:r.high[i]]
		r.weight[i] = math.Max(floats.Dot(row, row), 1e-12)
	}
	norm := floats.Dot(rho[low:high], rho[low:high])
	r.value[leave], r.weight[leave] = move, math.Max(norm, 1e-12)
	r.basis[leave] = enter
	r.at[enter], r.at[gone] = leave, -1
}

// solution returns how many begin each shift, as far as not 0.
func (r *relaxation) solution() map[int]float64 {
	x := map[int]float64{}
	for i, j := range r.basis {
		if j < len(r.shifts) && r.value[i] > 1e-7 {
			x[j] = r.value[i]
		}
	}
	return x
}

// take gives people to a shift for good: what it covers is needed no more.
func (r *relaxation) take(j int, people float64) {
	for i, row := range r.inverse {
		sum := 0.0
		for _, p := range r.shifts[j].spans {
			if p[0] < r.high[i] && p[1] > r.low[i] {
				sum += floats.Sum(row[p[0]:p[1]])
			}
		}
		for k, c := range r.caps {
			if c.shift == j {
				sum -= row[r.slots+k]
			}
		}
		r.value[i] += people * sum
	}
}

// bound is proven from the prices alone: with π ≥ 0 so scaled that no shift earns
// more than it costs, Σ b_t π_t − Σ cap·σ is at most the cost of any cover. σ is
// what a capped shift earns beyond its cost.
func (r *relaxation) bound(need []float64) float64 {
	n := len(r.shifts)
	for t := range r.slots {
		r.prefix[t+1] = r.prefix[t] + math.Max(r.reduced[n+t], 0)
	}
	most := map[int]float64{}
	for _, c := range r.caps {
		if v, ok := most[c.shift]; !ok || c.most < v {
			most[c.shift] = c.most
		}
	}
	// Prices by which a shift earns more than it costs are scaled down until none
	// does.
	excess := 1.0
	earns := func(j int) float64 {
		sum := 0.0
		for _, p := range r.shifts[j].spans {
			sum += r.prefix[p[1]] - r.prefix[p[0]]
		}
		return sum
	}
	for j := range r.shifts {
		if _, ok := most[j]; !ok {
			excess = math.Max(excess, earns(j)/r.shifts[j].cost)
		}
	}
	sum := 0.0
	for t, b := range need {
		sum += b * (r.prefix[t+1] - r.prefix[t]) / excess
	}
	for j, v := range most {
		sum -= v * math.Max(0, earns(j)/excess-r.shifts[j].cost)
	}
	return sum * (1 - 1e-12)
}
