package queueing

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/given"
)

// A Station of a [ClosedNetwork]: exponential service in order of arrival, or
// any law under processor sharing; or a pure delay.
type Station struct {
	Name    string
	Servers int  // 0 stands for 1
	Delay   bool // everybody is served at once; Servers does not count
}

func (s Station) servers() int { return max(s.Servers, 1) }

// A ClosedClass is a class of customers that go round a [ClosedNetwork].
type ClosedClass struct {
	Name      string
	Customers int       // ≥ 0
	ThinkTime float64   // ≥ 0, s, outside all stations
	Demands   []float64 // per station: visits × service time, ≥ 0, s
}

// ClosedNetwork is a closed queueing network with a product form.
type ClosedNetwork struct {
	Stations []Station
	Classes  []ClosedClass
}

// ClosedFigures are the steady-state figures of a closed network.
type ClosedFigures struct {
	Classes  []ClosedClassFigures
	Stations []StationFigures
	// Iterations and Residual belong to Schweitzer's fixed point: the
	// greatest relative change of a queue length at the end.
	Iterations int
	Residual   float64
	Warning    *Warning // where the figures are an approximation, else nil
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

func (n ClosedNetwork) validate(fn string) error {
	c := check{fn: fn}
	if len(n.Stations) == 0 {
		c.fail("stations", 0, "at least one station")
	}
	if len(n.Classes) == 0 {
		c.fail("classes", 0, "at least one class")
	}
	for i, s := range n.Stations {
		if s.Servers < 0 {
			c.fail("servers of "+named("station", s.Name, i), float64(s.Servers), "servers >= 1")
		}
	}
	for k, class := range n.Classes {
		of := " of " + named("class", class.Name, k)
		c.atLeastZero("customers"+of, float64(class.Customers))
		c.atLeastZero("think time"+of, class.ThinkTime)
		if len(class.Demands) != len(n.Stations) {
			c.fail("demands"+of, float64(len(class.Demands)), "one for each station")
		}
		total := class.ThinkTime
		for i, d := range class.Demands {
			if i < len(n.Stations) {
				c.atLeastZero("demand at "+named("station", n.Stations[i].Name, i)+of, d)
			}
			total += d
		}
		if c.err == nil && class.Customers > 0 {
			c.positive("sum of demands and think time"+of, total)
		}
	}
	return c.err
}

// empty returns figures with names and slices in place.
func (n ClosedNetwork) empty() ClosedFigures {
	f := ClosedFigures{Classes: make([]ClosedClassFigures, len(n.Classes)), Stations: make([]StationFigures, len(n.Stations))}
	for k, class := range n.Classes {
		f.Classes[k] = ClosedClassFigures{Name: class.Name, Residence: make([]float64, len(n.Stations)), MeanNumber: make([]float64, len(n.Stations))}
	}
	for i, s := range n.Stations {
		f.Stations[i].Name = s.Name
	}
	return f
}

// finish fills in what follows from throughputs and numbers.
func (n ClosedNetwork) finish(f *ClosedFigures) {
	for k, class := range n.Classes {
		out := &f.Classes[k]
		for i, d := range class.Demands {
			f.Stations[i].MeanNumber += out.MeanNumber[i]
			servers := 1.0
			if !n.Stations[i].Delay {
				servers = float64(n.Stations[i].servers())
			}
			f.Stations[i].Utilization += out.Throughput * d / servers
			if out.Throughput > 0 {
				out.Residence[i] = out.MeanNumber[i] / out.Throughput
			}
			out.MeanResponse += out.Residence[i]
		}
	}
	// Neither method can load a station beyond its servers.
	for i, s := range n.Stations {
		if u := &f.Stations[i].Utilization; !s.Delay {
			*u = closedShare(*u)
		}
	}
}

// closedShare takes the rounding off a station that is full: the throughput of
// the network comes from its normalising sums, good to 1e-12 of themselves, and
// not from the states of the station. More than that is a mistake, and left to
// be seen.
func closedShare(u float64) float64 {
	if u > 1 && u < 1+1e-9 {
		return 1
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
// single servers and delays; ∏(N_k + 1)·M at most 5e7, otherwise a
// *DomainError, as for stations of several servers: use [ClosedNetwork.Schweitzer].
//
// It ends early with the error of ctx. Source: Buzen, Comm. ACM 16, 1973;
// Reiser, Lavenberg, J. ACM 27, 1980.
func (n ClosedNetwork) Exact(ctx context.Context) (ClosedFigures, error) {
	ctx = given.Context(ctx)
	if err := n.validate("ClosedNetwork.Exact"); err != nil {
		return ClosedFigures{}, err
	}
	if len(n.Classes) == 1 {
		return n.convolve(ctx)
	}
	return n.meanValue(ctx)
}

// meanValue is exact MVA for several classes.
func (n ClosedNetwork) meanValue(ctx context.Context) (ClosedFigures, error) {
	classes, stations := len(n.Classes), len(n.Stations)
	for i, s := range n.Stations {
		if !s.Delay && s.servers() > 1 {
			return ClosedFigures{}, &DomainError{"ClosedNetwork.Exact", "servers of " + named("station", s.Name, i), float64(s.Servers), "1 server where there are several classes; see Schweitzer"}
		}
	}
	size, stride := 1.0, make([]int, classes)
	for k, class := range n.Classes {
		stride[k] = int(size)
		size *= float64(class.Customers + 1)
		if size*float64(stations) > 5e7 {
			return ClosedFigures{}, &DomainError{"ClosedNetwork.Exact", "customers of " + named("class", class.Name, k), float64(class.Customers),
				"population vectors times stations <= 5e7; see Schweitzer"}
		}
	}
	number := make([]float64, int(size)*stations) // mean at each station
	population := make([]int, classes)
	f := n.empty()
	for at := 1; at < int(size); at++ {
		if at%4096 == 0 && ctx.Err() != nil {
			return ClosedFigures{}, ctx.Err()
		}
		for k := 0; ; k++ { // count up
			if population[k]++; population[k] <= n.Classes[k].Customers {
				break
			}
			population[k] = 0
		}
		here := number[at*stations : (at+1)*stations]
		for k, class := range n.Classes {
			if population[k] == 0 {
				continue
			}
			less := number[(at-stride[k])*stations:]
			residence := f.Classes[k].Residence
			total := class.ThinkTime
			for i, d := range class.Demands {
				residence[i] = d
				if !n.Stations[i].Delay {
					residence[i] = d * (1 + less[i])
				}
				total += residence[i]
			}
			x := float64(population[k]) / total
			for i, r := range residence {
				here[i] += x * r
			}
			f.Classes[k].Throughput = x
		}
	}
	for k, class := range n.Classes {
		out := &f.Classes[k]
		if class.Customers == 0 {
			out.Throughput = 0
			clear(out.Residence)
		}
		for i, r := range out.Residence {
			out.MeanNumber[i] = out.Throughput * r
		}
	}
	n.finish(&f)
	return f, nil
}

// Schweitzer returns the figures of the Schweitzer-Bard fixed point, in which
// an arrival of class k finds the mean numbers less its own share 1/N_k:
//
//	R = D(1 + Σ_j Q_j − Q_k/N_k)
//
// for any number of customers and classes in O(classes·stations) a round. A
// station of c servers is a single one of demand D/c and a delay of
// D(c−1)/c (Seidmann). Errors of 5 to 15 % occur where populations are small;
// Warning says that it is an approximation. Residual and Iterations tell how
// far it converged: relative change 1e-12, or an error after 1e6 rounds.
// Source: Bard 1979; Schweitzer 1979; Seidmann, Schweitzer, Shalev-Oren,
// Performance Evaluation 7, 1987.
func (n ClosedNetwork) Schweitzer(ctx context.Context) (ClosedFigures, error) {
	ctx = given.Context(ctx)
	const fn = "ClosedNetwork.Schweitzer"
	if err := n.validate(fn); err != nil {
		return ClosedFigures{}, err
	}
	f := n.empty()
	queue := make([]float64, len(n.Stations)) // in the single-server part
	part := make([][]float64, len(n.Classes))
	for k, class := range n.Classes {
		part[k] = make([]float64, len(n.Stations))
		for i := range part[k] {
			if class.Demands[i] > 0 && !n.Stations[i].Delay {
				part[k][i] = float64(class.Customers) / float64(len(n.Stations))
			}
			queue[i] += part[k][i]
		}
	}
	next := make([]float64, len(n.Stations))
	for f.Iterations = 1; ; f.Iterations++ {
		if f.Iterations%256 == 0 && ctx.Err() != nil {
			return ClosedFigures{}, ctx.Err()
		}
		f.Residual = 0
		clear(next)
		for k, class := range n.Classes {
			out := &f.Classes[k]
			if class.Customers == 0 {
				continue
			}
			total := class.ThinkTime
			for i, d := range class.Demands {
				out.Residence[i] = d
				if !n.Stations[i].Delay {
					c := float64(n.Stations[i].servers())
					found := queue[i] - part[k][i]/float64(class.Customers)
					out.Residence[i] = d * (1 + found/c)
				}
				total += out.Residence[i]
			}
			out.Throughput = float64(class.Customers) / total
			for i, d := range class.Demands {
				if n.Stations[i].Delay {
					continue
				}
				c := float64(n.Stations[i].servers())
				q := out.Throughput * (out.Residence[i] - d*(c-1)/c)
				f.Residual = math.Max(f.Residual, math.Abs(q-part[k][i])/float64(class.Customers))
				part[k][i] = q
				next[i] += q
			}
		}
		queue, next = next, queue
		if f.Residual < 1e-12 {
			break
		}
		if f.Iterations == 1e6 {
			return ClosedFigures{}, fmt.Errorf("queueing: %s: no convergence after 1e6 rounds, residual %.3g", fn, f.Residual)
		}
	}
	for k := range f.Classes {
		out := &f.Classes[k]
		for i, r := range out.Residence {
			out.MeanNumber[i] = out.Throughput * r
		}
	}
	n.finish(&f)
	x, r := measuredSchweitzerThroughput, measuredSchweitzerResponse
	f.Warning = &Warning{
		Model:  "Schweitzer's fixed point",
		Regime: "large populations and single servers",
		Advice: fmt.Sprintf("throughputs were off by %s and responses by %s against %s, %s: where the numbers are small compute with Exact and compare", x.span(), r.span(), x.source, x.regime),
	}
	return f, nil
}
