package bags

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// spreadOf is the standard deviation of the number there at a random moment of a random run, about
// the mean m of the n runs themselves, with the ends of its 95 % interval. v_r is what run r has about
// another mean c, and m_r its own mean:
//
//	V = Σ z_r/n + Var[m_r]/n,   z_r = v_r − 2(m − c)(m_r − c) + (m − c)²,   √V exp(±t sd[z_r]/(2V√n))
//
// The first term is too small by what m follows the runs, which the second is. The interval is that
// of log V: V is skew where few outages make it, and of straight intervals from ten runs fewer hold the
// truth. TestCountSpreadCovers measures the share that do.
func spreadOf(r *sim.Result, c float64) simulate.Interval {
	present, _ := r.Figure(bot.Present)
	about, _ := r.Figure(bot.Variance)
	var means, z []float64
	for i := range r.Replications {
		m, ok := present.Value(i)
		v, known := about.Value(i)
		if ok && known {
			means, z = append(means, m), append(z, v)
		}
	}
	if len(z) == 0 {
		return simulate.Interval{}
	}
	off, rounding := stat.Mean(means, nil)-c, 1e-13*stat.Mean(z, nil)
	for i, m := range means {
		z[i] += off * (off - 2*(m-c))
	}
	n := float64(len(z))
	v := stat.Mean(z, nil)
	if v < rounding { // all that the squares are is off²
		v = 0
	}
	if n < 2 {
		return simulate.Interval{Mean: ask.Figure(math.Sqrt(v))}
	}
	sd := stat.StdDev(z, nil)
	v += stat.Variance(means, nil) / n
	half := 0.0
	if v > 0 {
		half = distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(0.975) * sd / (2 * v * math.Sqrt(n))
	}
	s := math.Sqrt(v)
	return simulate.Interval{
		Mean: ask.Figure(s), Low: ask.Figure(s * math.Exp(-half)), High: ask.Figure(s * math.Exp(half)),
	}
}
