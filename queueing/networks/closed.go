package networks

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/queueing"
)

// A Station of a [Closed]: exponential service in order of arrival, or
// any law under processor sharing; or a pure delay.
type Station struct {
	Name    string
	Servers int  // 0 stands for 1
	Delay   bool // everybody is served at once; Servers does not count
}

func (s Station) servers() int { return max(s.Servers, 1) }

// A Class is a class of customers that go round a [Closed].
type Class struct {
	Name      string
	Customers int       // ≥ 0
	ThinkTime float64   // ≥ 0, s, outside all stations
	Demands   []float64 // per station: visits × service time, ≥ 0, s
}

// Closed is a closed queueing network with a product form.
type Closed struct {
	Stations []Station
	Classes  []Class
}

// ClosedFigures are the steady-state figures of a closed network.
type ClosedFigures struct {
	Classes  []ClosedClassFigures
	Stations []StationFigures
	// Iterations and Residual belong to Schweitzer's fixed point: the
	// greatest relative change of a queue length at the end.
	Iterations int
	Residual   float64
	Warning    *queueing.Warning // where the figures are an approximation, else nil
}

// ClosedClassFigures are those of one class.
type ClosedClassFigures struct {
	Name         string
	Throughput   float64   // rounds per s
	MeanResponse float64   // of a round without thinking, s
	Residence    []float64 // per station and round, s
	MeanNumber   []float64 // customers per station
}

// StationFigures are those of one station.
type StationFigures struct {
	Name        string
	Utilization float64 // of a server; of a delay the mean number there
	MeanNumber  float64 // all classes
}

func (n Closed) validate(fn string) error {
	c := queueing.Domain{Func: fn}
	if len(n.Stations) == 0 {
		c.Fail("stations", 0, "at least one station")
	}
	if len(n.Classes) == 0 {
		c.Fail("classes", 0, "at least one class")
	}
	for i, s := range n.Stations {
		if s.Servers < 0 {
			c.Fail("servers of "+fault.Part("station", s.Name, i), float64(s.Servers), "servers >= 1")
		}
	}
	for k, class := range n.Classes {
		of := " of " + fault.Part("class", class.Name, k)
		c.AtLeastZero("customers"+of, float64(class.Customers))
		c.AtLeastZero("think time"+of, class.ThinkTime)
		if len(class.Demands) != len(n.Stations) {
			c.Fail("demands"+of, float64(len(class.Demands)), "one for each station")
		}
		total := class.ThinkTime
		for i, d := range class.Demands {
			if i < len(n.Stations) {
				c.AtLeastZero("demand at "+fault.Part("station", n.Stations[i].Name, i)+of, d)
			}
			total += d
		}
		if c.Err == nil && class.Customers > 0 {
			c.Positive("sum of demands and think time"+of, total)
			if !(total >= 1e-290 && total <= 1e290) { // times customers it is a number, and its inverse too
				c.Fail("sum of demands and think time"+of, total, "1e-290 to 1e290")
			}
		}
	}
	return c.Err
}

// empty returns figures with names and slices in place.
func (n Closed) empty() ClosedFigures {
	f := ClosedFigures{Classes: make([]ClosedClassFigures, len(n.Classes)),
		Stations: make([]StationFigures, len(n.Stations))}
	for k, class := range n.Classes {
		f.Classes[k] = ClosedClassFigures{Name: class.Name, Residence: make([]float64, len(n.Stations)),
			MeanNumber: make([]float64, len(n.Stations))}
	}
	for i, s := range n.Stations {
		f.Stations[i].Name = s.Name
	}
	return f
}

// finish fills in what follows from throughputs and numbers, but for the
// utilization of servers, which each method computes so that it cannot pass 1.
func (n Closed) finish(f *ClosedFigures) {
	for k, class := range n.Classes {
		out := &f.Classes[k]
		for i, d := range class.Demands {
			f.Stations[i].MeanNumber += out.MeanNumber[i]
			if n.Stations[i].Delay {
				f.Stations[i].Utilization += out.Throughput * d
			}
			if out.Throughput > 0 {
				out.Residence[i] = out.MeanNumber[i] / out.Throughput
			}
			out.MeanResponse += out.Residence[i]
		}
	}
}

// busy returns the share of time in which a server of a station is busy, by the throughputs. It may pass 1 by rounding.
func (n Closed) busy(f *ClosedFigures, station int) (u float64) {
	for k, class := range n.Classes {
		u += f.Classes[k].Throughput * class.Demands[station] / float64(n.Stations[station].servers())
	}
	return u
}

// Exact returns the exact figures.
//
// One class: by convolution of the stations' laws as they would be in an open
// network of nearly the same throughput, so that all terms are positive and of
// ordinary size. Stations of several servers are as stable as any other: the
// load-dependent recursion of the textbooks, which subtracts, is not used.
// O(M·N) for single servers and delays together with O(N·min(c, N)) per
// station of c servers; a *DomainError beyond 1e6 customers or 1.5e9 such terms.
//
// Several classes: mean value analysis over all vectors of populations, for
// single servers and delays; ∏(N_k + 1)·M at most 5e7. With stations of several
// servers by convolution over these vectors, likewise of positive terms; at most
// 1e7, and 2e8 such vectors times those of which a station serves all at once.
// Beyond it is a *DomainError: use [Closed.Schweitzer].
//
// It ends early with the error of ctx. Source: Buzen, Comm. ACM 16, 1973;
// Reiser, Lavenberg, J. ACM 27, 1980.
func (n Closed) Exact(ctx context.Context) (ClosedFigures, error) {
	ctx = given.Context(ctx)
	if err := n.validate("networks.Closed.Exact"); err != nil {
		return ClosedFigures{}, err
	}
	switch {
	case len(n.Classes) == 1:
		return n.convolve(ctx)
	case slices.ContainsFunc(n.Stations, func(s Station) bool { return !s.Delay && s.servers() > 1 }):
		return n.convolveClasses(ctx)
	}
	return n.meanValue(ctx)
}
