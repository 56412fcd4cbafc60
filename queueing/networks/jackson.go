package networks

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// An OpenStation of a [Jackson] network: Poisson arrivals from outside,
// exponential service, order of arrival.
type OpenStation struct {
	Name        string
	ArrivalRate float64 // from outside, ≥ 0, per s
	ServiceTime float64 // E[S] > 0, s
	Servers     int     // 0 stands for 1
}

// Jackson is an open network of M/M/c stations: who leaves station i goes to
// station j with probability Routing[i][j] and out with the rest.
type Jackson struct {
	Stations []OpenStation
	Routing  [][]float64
}

// JacksonFigures are the steady-state figures of the network.
type JacksonFigures struct {
	Stations     []OpenStationFigures
	ArrivalRate  float64 // from outside, per s
	MeanResponse float64 // from entry to exit, s
	MeanNumber   float64
	Bottleneck   int // index of the station of greatest utilization
	// Headroom is the factor by which all outside rates can grow before the
	// bottleneck saturates, > 1.
	Headroom float64
}

// OpenStationFigures are those of one station.
type OpenStationFigures struct {
	Name         string
	ArrivalRate  float64 // in all, per s
	Visits       float64 // per customer of the network
	Utilization  float64
	MeanWait     float64 // per visit, s
	MeanResponse float64 // per visit, s
	MeanNumber   float64
}

// Figures solves the traffic equations λ = γ + Pᵀλ and takes each station as
// M/M/c on its own (Jackson's theorem: the joint law is a product). Errors:
// *DomainError for rates and rows, also where customers can never leave; a
// *SaturatedError that names the station of greatest utilization when that is
// ≥ 1 but for rounding. Source: Jackson, Management Science 10, 1963.
func (n Jackson) Figures() (JacksonFigures, error) {
	if err := n.validate(); err != nil {
		return JacksonFigures{}, err
	}
	out := JacksonFigures{Stations: make([]OpenStationFigures, len(n.Stations)), Headroom: math.Inf(1)}
	for _, s := range n.Stations {
		out.ArrivalRate += s.ArrivalRate
	}
	lambda, err := n.traffic()
	if err != nil {
		return JacksonFigures{}, err
	}
	highest := 0.0
	for i, s := range n.Stations {
		f := &out.Stations[i]
		rate := math.Max(0, lambda[i]) // −1e-17 where nobody comes
		c := float64(max(s.Servers, 1))
		f.Name, f.ArrivalRate = s.Name, rate
		f.Utilization = rate * s.ServiceTime / c
		if out.ArrivalRate > 0 {
			f.Visits = rate / out.ArrivalRate
		}
		if f.Utilization > highest {
			highest, out.Bottleneck = f.Utilization, i
		}
	}
	// The traffic equations round at each station: 2.8/min of 5 min are 14 servers' work, less 2e-15,
	// which is no room to settle in after 5e9 years of waiting.
	if 1-highest <= float64(1+len(n.Stations))*0x1p-52 {
		return JacksonFigures{}, &queueing.SaturatedError{Func: "Jackson", Part: "station",
			Name: n.Stations[out.Bottleneck].Name, Index: out.Bottleneck, Utilization: highest}
	}
	if highest > 0 {
		out.Headroom = 1 / highest
	}
	for i, s := range n.Stations {
		f := &out.Stations[i]
		c := float64(max(s.Servers, 1))
		gap := numeric.NewGapSum(c).Minus(f.ArrivalRate, s.ServiceTime).Value()
		f.MeanWait = erlang.C(c, f.ArrivalRate*s.ServiceTime) * s.ServiceTime / gap
		f.MeanResponse = f.MeanWait + s.ServiceTime
		f.MeanNumber = f.ArrivalRate * f.MeanResponse
		out.MeanNumber += f.MeanNumber
	}
	if out.ArrivalRate > 0 {
		out.MeanResponse = out.MeanNumber / out.ArrivalRate
	}
	return out, nil
}

// traffic solves λ = γ + Pᵀλ by Gaussian elimination in place: of a large network
// the matrix is most of the memory, and a copy of it would be as much again.
func (n Jackson) traffic() ([]float64, error) {
	size := len(n.Stations)
	a := blas64.General{Rows: size, Cols: size, Stride: size, Data: make([]float64, size*size)}
	lambda := make([]float64, size)
	for i, row := range n.Routing {
		lambda[i] = n.Stations[i].ArrivalRate
		for j, p := range row {
			a.Data[j*size+i] = -p
		}
	}
	for i := range size {
		a.Data[i*size+i]++
	}
	work, swaps := make([]float64, 4*size), make([]int, size)
	norm := lapack64.Lange(lapack.MaxColumnSum, a, work)
	whole := lapack64.Getrf(a, swaps)
	// The condition number beyond which package mat refuses to solve as well.
	if !whole || !(lapack64.Gecon(lapack.MaxColumnSum, a, norm, work, make([]int, size)) > 1e-16) {
		return nil, &queueing.DomainError{Func: "Jackson", Arg: "shares that leave the network", Value: 0,
			Want: "shares that the traffic equations can tell from none"}
	}
	lapack64.Getrs(blas.NoTrans, a, blas64.General{Rows: size, Cols: 1, Stride: 1, Data: lambda}, swaps)
	return lambda, nil
}

func (n Jackson) validate() error {
	c := queueing.Domain{Func: "Jackson"}
	if len(n.Stations) == 0 {
		c.Fail("stations", 0, "at least one station")
	}
	if len(n.Routing) != len(n.Stations) {
		c.Fail("rows of routing", float64(len(n.Routing)), "one row for each station")
	}
	for i, s := range n.Stations {
		of := " of " + fault.Part("station", s.Name, i)
		c.AtLeastZero("arrival rate"+of, s.ArrivalRate)
		c.Positive("service time"+of, s.ServiceTime)
		if s.Servers < 0 {
			c.Fail("servers"+of, float64(s.Servers), "servers >= 1")
		}
	}
	if c.Err != nil {
		return c.Err
	}
	// A station leaks if it lets customers out, itself or by way of others.
	leaks := make([]bool, len(n.Stations))
	for i, row := range n.Routing {
		of := " of " + fault.Part("station", n.Stations[i].Name, i)
		if len(row) != len(n.Stations) {
			c.Fail("columns of routing"+of, float64(len(row)), "one for each station")
			return c.Err
		}
		sum, what := 0.0, "routing probability"+of
		for _, p := range row {
			c.Fraction(what, p)
			sum += p
		}
		if sum > 1+1e-9 {
			c.Fail("sum of routing probabilities"+of, sum, "at most 1")
		}
		leaks[i] = sum < 1-1e-9
	}
	var open []int // leaking, and those that lead to them not yet seen
	for i, out := range leaks {
		if out {
			open = append(open, i)
		}
	}
	for len(open) > 0 {
		j := open[len(open)-1]
		open = open[:len(open)-1]
		for i, row := range n.Routing {
			if row[j] > 0 && !leaks[i] {
				leaks[i] = true
				open = append(open, i)
			}
		}
	}
	for i, out := range leaks {
		if !out {
			c.Fail("way out of "+fault.Part("station", n.Stations[i].Name, i), 0,
				"a station from which customers can leave the network")
		}
	}
	return c.Err
}
