package networks

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// convolve solves one class. With every station's law as in an open network
// of throughput θ, G(n) = P(all stations together hold n), the closed network
// has throughput θ·G(N−1)/G(N) whatever θ is; θ is chosen so that the mean
// number is N, where G(N) is of ordinary size. The busiest station comes last: with
// x its utilization in the open network G(N) = (a sum of positive terms) + x·G(N−1),
// so that no utilization, xᵢ·G(N−1)/G(N), passes 1 by rounding either.
func (n Closed) convolve(ctx context.Context) (ClosedFigures, error) {
	class := n.Classes[0]
	customers := class.Customers
	f := n.empty()
	out := &f.Classes[0]
	if customers == 0 {
		n.finish(&f)
		return f, nil
	}
	if float64(customers) > 1e6 {
		return ClosedFigures{}, &queueing.DomainError{Func: "networks.Closed.Exact", Arg: "customers",
			Value: float64(customers), Want: "customers <= 1e6; see Schweitzer"}
	}
	think, single, multi := n.byServers()
	theta := n.tilt(think)
	// ratio is the utilization of a server in the open network.
	ratio := func(i int) float64 { return theta * class.Demands[i] / float64(n.Stations[i].servers()) }
	busier := func(i, j int) int { return cmp.Compare(ratio(i), ratio(j)) }
	slices.SortStableFunc(single, busier)
	slices.SortStableFunc(multi, busier)
	multiLast := len(single) == 0 || len(multi) > 0 && ratio(multi[len(multi)-1]) > ratio(single[len(single)-1])
	laws := make([]*stationLaw, len(multi))
	work, rows := 0.0, float64(customers)*float64(len(multi))
	const most, mostRows = 1.5e9, 4e7 // terms: seconds
	for j, i := range multi {
		if rows > mostRows { // to make the laws alone would take seconds
			break
		}
		laws[j] = newStationLaw(n.Stations[i].servers(), theta*class.Demands[i], customers)
		work += float64(customers) * float64(len(laws[j].steps))
	}
	if work > most || rows > mostRows {
		return ClosedFigures{}, &queueing.DomainError{Func: "networks.Closed.Exact", Arg: "customers", Value: float64(customers),
			Want: "customers times servers in use <= 1.5e9 and times stations of several servers <= 4e7; see Schweitzer"}
	}
	// queues adds the single servers, each in O(N).
	queues := func(g []float64) {
		for _, i := range single {
			x := ratio(i) // the law is (1−x)xᵏ
			g[0] *= 1 - x
			for k := 1; k < len(g); k++ {
				g[k] = (1-x)*g[k] + x*g[k-1]
			}
		}
	}
	// after[j] holds the laws from j on, and the single servers if these come last.
	after := make([][]float64, len(multi)+1)
	after[len(multi)] = make([]float64, customers+1)
	after[len(multi)][0] = 1
	if !multiLast {
		queues(after[len(multi)])
	}
	for j := len(multi) - 1; j > 0; j-- {
		var err error
		if after[j], _, err = laws[j].add(ctx, after[j+1], false); err != nil {
			return ClosedFigures{}, err
		}
	}
	// whole holds the delays and, one by one, the laws; in the end everything.
	whole := poissonLaw(theta*think, customers)
	if multiLast {
		queues(whole)
	}
	moments := make([]float64, len(multi)) // Σ k·P(k at the station, all of them N)
	for j, law := range laws {
		next, weighted, err := law.add(ctx, whole, true)
		if err != nil {
			return ClosedFigures{}, err
		}
		for k, w := range weighted {
			moments[j] += w * after[j+1][customers-k]
		}
		whole = next
	}
	if !multiLast {
		queues(whole)
	}
	top := whole[customers]
	out.Throughput = theta * (whole[customers-1] / top)
	for j, i := range multi {
		out.MeanNumber[i] = moments[j] / top
	}
	for i, s := range n.Stations {
		if s.Delay {
			out.MeanNumber[i] = out.Throughput * class.Demands[i]
		}
	}
	for _, i := range single {
		out.MeanNumber[i] = geometricSum(ratio(i), whole[:customers]) / top
	}
	n.finish(&f)
	for i, s := range n.Stations {
		if !s.Delay {
			f.Stations[i].Utilization = ratio(i) * whole[customers-1] / top
		}
	}
	return f, nil
}

// geometricSum returns Σ_{j≥1} xʲ·g(n − j) over the n values of g.
func geometricSum(x float64, g []float64) (sum float64) {
	power := 1.0
	for k := len(g) - 1; k >= 0 && power > 0; k-- {
		power *= x
		sum += power * g[k]
	}
	return sum
}

// byServers returns the time to think and at stations without a queue, and the stations used that have
// one server and several.
func (n Closed) byServers() (think float64, single, multi []int) {
	class := n.Classes[0]
	think = class.ThinkTime
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
	return think, single, multi
}

// tilt returns a throughput at which an open network of the same stations
// would hold about N customers.
func (n Closed) tilt(think float64) float64 {
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
				number += a + a*erlang.C(c, a)/(c-a)
			}
		}
		return float64(class.Customers) - number
	}
	return numeric.Root(spare, 0, float64(class.Customers), most, math.Inf(-1)) * (1 - 1e-15)
}

// A stationLaw is the law g of the number at a station of c servers and load
// a, up to a factor: g(k) = g(k−1)·a/min(k, c). From c on it is geometric, so
// that its convolution with any f needs but the terms below c:
//
//	(f*g)(n) = x·(f*g)(n−1) + Σ_{k ≤ c} s(k)·f(n−k),   x = a/c,  s(k) = g(k) − x·g(k−1) = a·g(k−1)·(1/k − 1/c)
//
// for k ≥ 1, and s(0) = g(0): no term is negative.
type stationLaw struct {
	ratio float64   // x
	from  int       // the first k with a step
	steps []float64 // s(k), k = from...
}

func newStationLaw(servers int, load float64, customers int) *stationLaw {
	c := float64(servers)
	g := make([]float64, customers+1)
	numeric.FillFrom(g, func(k int) float64 { return load / math.Min(float64(k), c) })
	steps := g[:min(servers, customers+1)] // s(c) = 0
	for k := len(steps) - 1; k > 0; k-- {
		steps[k] = load * g[k-1] * (1/float64(k) - 1/c)
	}
	// The ends where the law has sunk to nothing, of a greatest term of 1.
	const least = 1e-40
	lo, hi := 0, len(steps)
	for lo < hi-1 && steps[lo] < least {
		lo++
	}
	for hi > lo+1 && steps[hi-1] < least {
		hi--
	}
	return &stationLaw{load / c, lo, append([]float64(nil), steps[lo:hi]...)}
}

// add returns (f*g)(n) and, where it is wanted, Σ_k k·g(k)·f(n−k), which obeys
// the same recurrence with x·(f*g)(n−1) + Σ k·s(k)·f(n−k) as what enters. It
// ends early with the error of ctx.
func (l *stationLaw) add(ctx context.Context, f []float64, mean bool) (out, weighted []float64, err error) {
	out = make([]float64, len(f))
	if mean {
		weighted = make([]float64, len(f))
	}
	for n := range out {
		if n%1024 == 0 && ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		enters, moment := 0.0, 0.0
		for i, s := range l.steps[:max(0, min(len(l.steps), n-l.from+1))] {
			term := s * f[n-l.from-i]
			enters += term
			moment += float64(l.from+i) * term
		}
		if n > 0 {
			enters += l.ratio * out[n-1]
		}
		out[n] = enters
		if mean {
			if n > 0 {
				moment += l.ratio * (out[n-1] + weighted[n-1])
			}
			weighted[n] = moment
		}
	}
	return out, weighted, nil
}
