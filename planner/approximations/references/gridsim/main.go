//go:build ignore

// Gridsim simulates GI/G/c on a grid of laws, servers and utilizations, and
// prints the table planner/approximations/references/ggcsim.csv. It shares no code with the
// package: the wait of each customer is the free time of the server that is
// free first less the time of arrival (Kiefer and Wolfowitz 1955), servers in
// a heap. Every cell has independent replications, each started empty with its
// first tenth left out; se columns are standard errors over replications.
// Times are in mean services.
//
// With -new it prints ggcsimnew.csv instead: laws, servers and utilizations of
// which none is in the first table, so that what was chosen by the one is
// measured by the other.
//
//	go run planner/approximations/references/gridsim/main.go > planner/approximations/references/ggcsim.csv
//	go run planner/approximations/references/gridsim/main.go -new > planner/approximations/references/ggcsimnew.csv
package main

import (
	"bufio"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
)

// A law draws times of mean 1.
type law struct {
	name string
	scv  float64
	draw func(*rand.Rand) float64
}

// erlang is the law of a sum of k exponential times.
func erlang(k int) law {
	return law{fmt.Sprintf("erlang-%d", k), 1 / float64(k), func(r *rand.Rand) float64 {
		product := 1.0
		for range k {
			product *= 1 - r.Float64()
		}
		return -math.Log(product) / float64(k)
	}}
}

// hyper is hyperexponential with balanced means: either branch brings half of the
// time.
func hyper(scv float64) law {
	p := 0.5 * (1 + math.Sqrt((scv-1)/(scv+1)))
	return law{fmt.Sprintf("hyper-%g", scv), scv, func(r *rand.Rand) float64 {
		if r.Float64() < p {
			return r.ExpFloat64() / (2 * p)
		}
		return r.ExpFloat64() / (2 * (1 - p))
	}}
}

// lognormal has the variance ln(1 + scv) of the logarithm, and mean 1.
func lognormal(scv float64) law {
	variance := math.Log1p(scv)
	sigma := math.Sqrt(variance)
	return law{fmt.Sprintf("lognormal-%g", scv), scv, func(r *rand.Rand) float64 {
		return math.Exp(sigma*r.NormFloat64() - variance/2)
	}}
}

// laws have variances on both sides of the exponential one, and of variance 2
// there are two shapes.
var laws = []law{
	{"deterministic", 0, func(*rand.Rand) float64 { return 1 }},
	erlang(4),
	lognormal(0.5),
	{"exponential", 1, func(r *rand.Rand) float64 { return r.ExpFloat64() }},
	hyper(2),
	lognormal(2),
	hyper(4),
}

// A cell is one queue of a table.
type cell struct {
	gap, service law
	servers      int
	rho          float64
}

// grid has every pair of laws at every number of servers and utilization.
func grid() (cells []cell) {
	for _, gap := range laws {
		for _, service := range laws {
			for _, c := range []int{1, 2, 5, 20, 100} {
				for _, rho := range []float64{0.5, 0.7, 0.9, 0.95} {
					cells = append(cells, cell{gap, service, c, rho})
				}
			}
		}
	}
	return cells
}

// others has pairs of further laws at further sizes, the utilization going round.
func others() (cells []cell) {
	uniform := law{"uniform", 1. / 3, func(r *rand.Rand) float64 { return 2 * r.Float64() }}
	gaps := []law{uniform, erlang(2), lognormal(1.5), hyper(3), lognormal(3)}
	services := []law{uniform, erlang(2), lognormal(1.5), hyper(3), lognormal(3)}
	for _, gap := range gaps {
		for _, service := range services {
			for _, c := range []int{1, 3, 10, 50} {
				cells = append(cells, cell{gap, service, c, []float64{0.6, 0.8, 0.92}[len(cells)%3]})
			}
		}
	}
	return cells
}

var quantiles = []float64{0.9, 0.95, 0.99}

const bins = 8192

// run is one replication: mean wait, share that waits, quantiles.
func run(gap, service law, c int, rho float64, customers int, seed uint64, scale float64) [5]float64 {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
	free := make([]float64, c)
	var histogram [bins + 1]float64
	now, sum, waited, counted := 0.0, 0.0, 0.0, 0.0
	between := 1 / (rho * float64(c))
	width := scale / bins
	for i := range customers {
		now += gap.draw(r) * between
		wait := math.Max(0, free[0]-now)
		end := now + wait + service.draw(r)
		// Replace the least of the heap.
		k := 0
		for {
			child := 2*k + 1
			if child >= c {
				break
			}
			if child+1 < c && free[child+1] < free[child] {
				child++
			}
			if free[child] >= end {
				break
			}
			free[k] = free[child]
			k = child
		}
		free[k] = end
		if i < customers/10 {
			continue
		}
		counted++
		if wait > 1e-12 {
			waited++
			sum += wait
			histogram[int(math.Min(bins, wait/width))]++
		}
	}
	out := [5]float64{sum / counted, waited / counted}
	below, bin := counted-waited, 0
	for q, p := range quantiles {
		if below >= p*counted {
			if bin > 0 {
				out[2+q] = float64(bin) * width
			}
			continue
		}
		for bin < bins && below+histogram[bin] < p*counted {
			below += histogram[bin]
			bin++
		}
		out[2+q] = (float64(bin) + (p*counted-below)/math.Max(1, histogram[bin])) * width
	}
	return out
}

// erlangC by the recursion.
func erlangC(c int, a float64) float64 {
	b := 1.0
	for n := 1; n <= c; n++ {
		b = a * b / (float64(n) + a*b)
	}
	return b / (1 - a/float64(c)*(1-b))
}

func main() {
	customers := flag.Int("customers", 400000, "customers in a replication")
	replications := flag.Int("replications", 10, "replications of a cell")
	fresh := flag.Bool("new", false, "simulate the queues of the second table")
	flag.Parse()
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	fmt.Fprintln(w,
		"gap,gap_scv,service,service_scv,servers,rho,mean_wait,mean_wait_se,wait_probability,wait_probability_se,p90,p90_se,p95,p95_se,p99,p99_se,source")
	seed, cells := uint64(0), grid()
	if *fresh {
		seed, cells = 1e9, others()
	}
	for _, q := range cells {
		wait := erlangC(q.servers, q.rho*float64(q.servers))
		// Cells that are left out take their seeds too, so that leaving out
		// changes no other.
		seed += 1000
		// Without any spread nobody waits, and waits that are too seldom would
		// take too many customers.
		if q.gap.scv+q.service.scv == 0 || wait < 0.005 {
			continue
		}
		// The histogram ends at some thirty mean waits of those who wait.
		scale := 30 * (q.gap.scv + q.service.scv + 0.5) / 2 / (float64(q.servers) * (1 - q.rho))
		var mean, square [5]float64
		for k := range *replications {
			for i, v := range run(q.gap, q.service, q.servers, q.rho, *customers, seed+uint64(k), scale) {
				mean[i] += v / float64(*replications)
				square[i] += v * v / float64(*replications)
			}
		}
		fmt.Fprintf(w, "%s,%g,%s,%g,%d,%g", q.gap.name, q.gap.scv, q.service.name, q.service.scv, q.servers, q.rho)
		for i := range mean {
			se := math.Sqrt(math.Max(0, square[i]-mean[i]*mean[i]) / float64(*replications-1))
			fmt.Fprintf(w, ",%.5g,%.2g", mean[i], se)
		}
		fmt.Fprintln(w, ",gridsim (seeded)")
	}
}
