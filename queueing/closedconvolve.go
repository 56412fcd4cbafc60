package queueing

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// convolve solves one class. With every station's law as in an open network
// of throughput θ, G(n) = P(all stations together hold n), the closed network
// has throughput θ·G(N−1)/G(N) whatever θ is; θ is chosen so that the mean
// number is N, where G(N) is of ordinary size.
func (n ClosedNetwork) convolve(ctx context.Context) (ClosedFigures, error) {
	class := n.Classes[0]
	customers := class.Customers
	f := n.empty()
	out := &f.Classes[0]
	if customers == 0 {
		n.finish(&f)
		return f, nil
	}
	if float64(customers) > 1e6 {
		return ClosedFigures{}, &DomainError{"ClosedNetwork.Exact", "customers", float64(customers), "customers <= 1e6; see Schweitzer"}
	}
	think := class.ThinkTime
	var single, multi []int
	for i, s := range n.Stations {
		switch {
		case s.Delay:
			think += class.Demands[i]
		case class.Demands[i] == 0:
		case s.servers() > 1:
			multi = append(multi, i)
		default:
			single = append(single, i)
		}
	}
	theta := n.tilt(think)
	// Laws of the delays together and of each station of several servers.
	base := make([]float64, customers+1)
	fillFrom(base, func(k int) float64 { return theta * think / float64(k) })
	laws := make([][]float64, len(multi))
	for j, i := range multi {
		c, a := float64(n.Stations[i].servers()), theta*class.Demands[i]
		laws[j] = make([]float64, customers+1)
		fillFrom(laws[j], func(k int) float64 { return a / math.Min(float64(k), c) })
	}
	// queues adds the single servers, each in O(N).
	queues := func(g []float64) {
		for _, i := range single {
			x := theta * class.Demands[i] // the law is (1−x)xᵏ
			g[0] *= 1 - x
			for k := 1; k < len(g); k++ {
				g[k] = (1-x)*g[k] + x*g[k-1]
			}
		}
	}
	// before[j] holds the delays and the first j laws, after[j] those from j on.
	before := make([][]float64, len(multi)+1)
	before[0] = base
	for j, law := range laws {
		if ctx.Err() != nil {
			return ClosedFigures{}, ctx.Err()
		}
		before[j+1] = convolveLaws(before[j], law)
	}
	whole := append([]float64(nil), before[len(multi)]...)
	queues(whole)
	top := whole[customers]
	out.Throughput = theta * (whole[customers-1] / top)
	for i, s := range n.Stations {
		if s.Delay {
			out.MeanNumber[i] = out.Throughput * class.Demands[i]
		}
	}
	for _, i := range single {
		x := theta * class.Demands[i]
		sum, power := 0.0, 1.0
		for k := customers - 1; k >= 0 && power > 0; k-- {
			power *= x
			sum += power * whole[k]
		}
		out.MeanNumber[i] = sum / top
	}
	var after []float64
	for j := len(multi) - 1; j >= 0; j-- {
		if ctx.Err() != nil {
			return ClosedFigures{}, ctx.Err()
		}
		others := append([]float64(nil), before[j]...)
		if after != nil {
			others = convolveLaws(others, after)
		}
		queues(others)
		sum := 0.0
		for k := 1; k <= customers; k++ {
			sum += float64(k) * laws[j][k] * others[customers-k]
		}
		out.MeanNumber[multi[j]] = sum / top
		if after == nil {
			after = laws[j]
		} else {
			after = convolveLaws(after, laws[j])
		}
	}
	n.finish(&f)
	return f, nil
}

// tilt returns a throughput at which an open network of the same stations
// would hold about N customers.
func (n ClosedNetwork) tilt(think float64) float64 {
	class := n.Classes[0]
	most := math.Inf(1)
	for i, s := range n.Stations {
		if d := class.Demands[i]; d > 0 && !s.Delay {
			most = math.Min(most, float64(s.servers())/d)
		}
	}
	if math.IsInf(most, 1) {
		return float64(class.Customers) / think
	}
	spare := func(x float64) float64 {
		number := x * think
		for i, s := range n.Stations {
			if d := class.Demands[i]; d > 0 && !s.Delay {
				c, a := float64(s.servers()), x*d
				if a >= c {
					return math.Inf(-1)
				}
				number += a + a*erlangC(c, a)/(c-a)
			}
		}
		return float64(class.Customers) - number
	}
	return numeric.Root(spare, 0, float64(class.Customers), most, math.Inf(-1)) * (1 - 1e-15)
}

// convolveLaws returns Σ f(k)g(n−k) for n < len(f), skipping the ends where a
// law has sunk to nothing.
func convolveLaws(f, g []float64) []float64 {
	const least = 1e-40 // of a greatest term of 1
	lo, hi := 0, len(g)
	for lo < hi && g[lo] < least {
		lo++
	}
	for hi > lo && g[hi-1] < least {
		hi--
	}
	out := make([]float64, len(f))
	for n := range out {
		sum := 0.0
		for k := lo; k < hi && k <= n; k++ {
			sum += g[k] * f[n-k]
		}
		out[n] = sum
	}
	return out
}
