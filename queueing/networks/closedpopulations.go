package networks

import (
	"context"
	"math"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/queueing"
)

// meanValue is exact MVA for several classes and single servers.
func (n Closed) meanValue(ctx context.Context) (ClosedFigures, error) {
	size := 1.0
	for k, class := range n.Classes {
		size *= float64(class.Customers) + 1
		if size*float64(len(n.Stations)) > 5e7 {
			return ClosedFigures{}, &queueing.DomainError{Func: "networks.Closed.Exact", Arg: "customers of " + fault.Part("class",
				class.Name, k), Value: float64(class.Customers),
				Want: "population vectors times stations <= 5e7; see Schweitzer"}
		}
	}
	f := n.empty()
	log, err := n.populations(ctx, -1, &f)
	if err != nil {
		return ClosedFigures{}, err
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
	for i, s := range n.Stations {
		if s.Delay {
			continue
		}
		u := n.busy(&f, i)
		if u > 1 { // by rounding; the idle share has digits of its own
			idle, err := n.idle(ctx, i, log)
			if err != nil {
				return ClosedFigures{}, err
			}
			u = 1 - idle
		}
		f.Stations[i].Utilization = u
	}
	return f, nil
}

// idle returns the share of time at which nobody is at station i, G₋ᵢ(N)/G(N),
// from the network without that station and ln G(N).
func (n Closed) idle(ctx context.Context, i int, log float64) (float64, error) {
	for _, class := range n.Classes {
		rest := class.ThinkTime
		for j, d := range class.Demands {
			if j != i {
				rest += d
			}
		}
		if class.Customers > 0 && rest == 0 { // its customers are nowhere else
			return 0, nil
		}
	}
	f := n.empty()
	without, err := n.populations(ctx, i, &f)
	return math.Exp(without - log), err
}

// populations runs the recursion over all vectors of populations, without the
// station of index leave, and fills in the throughputs and residence times of the
// whole population. It returns ln G(N), G the normalising sum: along any way from
// nobody to the whole population X_k(n) = G(n − e_k)/G(n).
func (n Closed) populations(ctx context.Context, leave int, f *ClosedFigures) (log float64, err error) {
	classes, stations := len(n.Classes), len(n.Stations)
	size, stride := 1, make([]int, classes)
	for k, class := range n.Classes {
		stride[k] = size
		size *= class.Customers + 1
	}
	number := make([]float64, size*stations) // mean at each station
	population := make([]int, classes)
	// The way fills up class after class: here the one, and its next population.
	filling, next := -1, 0
	further := func() {
		for filling++; filling < classes && n.Classes[filling].Customers == 0; filling++ {
		}
		if filling < classes {
			next += stride[filling]
		}
	}
	further()
	for at := 1; at < size; at++ {
		if at%4096 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
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
				if i == leave {
					d = 0
				}
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
		if at != next {
			continue
		}
		log -= math.Log(f.Classes[filling].Throughput)
		if population[filling] < n.Classes[filling].Customers {
			next += stride[filling]
		} else {
			further()
		}
	}
	return log, nil
}
