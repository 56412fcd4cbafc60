package networks

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

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
// ≥ 1. Source: Jackson, Management Science 10, 1963.
func (n Jackson) Figures() (JacksonFigures, error) {
	if err := n.validate(); err != nil {
		return JacksonFigures{}, err
	}
	size := len(n.Stations)
	a, gamma := mat.NewDense(size, size, nil), mat.NewVecDense(size, nil)
	out := JacksonFigures{Stations: make([]OpenStationFigures, size), Headroom: math.Inf(1)}
	for i, s := range n.Stations {
		gamma.SetVec(i, s.ArrivalRate)
		out.ArrivalRate += s.ArrivalRate
		a.Set(i, i, 1)
	}
	for i, row := range n.Routing {
		for j, p := range row {
			a.Set(j, i, a.At(j, i)-p)
		}
	}
	var lambda mat.VecDense
	if err := lambda.SolveVec(a, gamma); err != nil {
		return JacksonFigures{}, fmt.Errorf("queueing: Jackson: traffic equations: %w", err)
	}
	highest := 0.0
	for i, s := range n.Stations {
		f := &out.Stations[i]
		rate := math.Max(0, lambda.AtVec(i)) // −1e-17 where nobody comes
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
	if highest >= 1 {
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
		sum := 0.0
		for _, p := range row {
			c.Fraction("routing probability"+of, p)
			sum += p
		}
		if sum > 1+1e-9 {
			c.Fail("sum of routing probabilities"+of, sum, "at most 1")
		}
		leaks[i] = sum < 1-1e-9
	}
	for changed := true; changed; {
		changed = false
		for i, row := range n.Routing {
			for j, p := range row {
				if p > 0 && leaks[j] && !leaks[i] {
					leaks[i], changed = true, true
				}
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
