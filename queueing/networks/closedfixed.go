package networks

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/measured"
)

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
func (n Closed) Schweitzer(ctx context.Context) (ClosedFigures, error) {
	ctx = given.Context(ctx)
	const fn = "networks.Closed.Schweitzer"
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
			return ClosedFigures{}, fmt.Errorf("queueing: %s: no convergence after 1e6 rounds, residual %.3g",
				fn, f.Residual)
		}
	}
	for k := range f.Classes {
		out := &f.Classes[k]
		for i, r := range out.Residence {
			out.MeanNumber[i] = out.Throughput * r
		}
	}
	n.finish(&f)
	for i, s := range n.Stations {
		if !s.Delay {
			f.Stations[i].Utilization = n.fixedUtilization(&f, i)
		}
	}
	x, r := measured.SchweitzerThroughput, measured.SchweitzerResponse
	f.Warning = &queueing.Warning{
		Model:  "Schweitzer's fixed point",
		Regime: "large populations and single servers",
		Advice: fmt.Sprintf(
			"throughputs were off by %s and responses by %s against %s, %s: where the numbers are small compute with Exact and compare",
			x.Span(), r.Span(), x.Source, x.Regime,
		),
	}
	return f, nil
}

// fixedUtilization returns the busy share of a server of station i at the fixed
// point. With s = Q_k/N_k, the share of its round that a customer of class k spends
// at the single server of demand D/c, that is
//
//	U = Σ_k X_k·D_k/c = 1 − Σ_k Q_k/Q · (1 − s_k)/(1 + Q − s_k),   Q = Σ_k Q_k
//
// whose second form cannot pass 1. It stands for the first where that does by
// rounding; at a station with few customers it would ask for a fixed point found
// more closely.
func (n Closed) fixedUtilization(f *ClosedFigures, i int) float64 {
	c := float64(n.Stations[i].servers())
	direct := n.busy(f, i)
	if direct <= 1 {
		return direct
	}
	number, shares := 0.0, make([]float64, len(n.Classes))
	for k, class := range n.Classes {
		out := &f.Classes[k]
		if class.Customers == 0 {
			continue
		}
		d, total := class.Demands[i], class.ThinkTime
		for _, r := range out.Residence {
			total += r
		}
		shares[k] = math.Max(0, out.Residence[i]-d*(c-1)/c) / total
		number += float64(class.Customers) * shares[k]
	}
	idle := 0.0
	for k, class := range n.Classes {
		idle += float64(class.Customers) * shares[k] / number * (1 - shares[k]) / (1 + number - shares[k])
	}
	return 1 - idle
}
