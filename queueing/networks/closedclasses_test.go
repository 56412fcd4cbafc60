package networks

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// chained solves the Markov chain of customers of two classes who think, go to station 0 and then to station 1,
// where the servers in use are shared evenly among who is there.
func chained(t *testing.T, n Closed) (throughput [2]float64, number [2][2]float64) {
	t.Helper()
	type state [2][2]int // by class and station; the others think
	var states []state
	index := map[state]int{}
	var all func(k int, s state)
	all = func(k int, s state) {
		if k == 2 {
			index[s] = len(states)
			states = append(states, s)
			return
		}
		for i := range n.Classes[k].Customers + 1 {
			for j := range n.Classes[k].Customers + 1 - i {
				s[k] = [2]int{i, j}
				all(k+1, s)
			}
		}
	}
	all(0, state{})
	q := mat.NewDense(len(states), len(states), nil) // transposed, its last row replaced
	leaving := func(s state, k, station int) float64 {
		here := s[0][station] + s[1][station]
		if s[k][station] == 0 {
			return 0
		}
		return float64(min(here, n.Stations[station].servers())) * float64(s[k][station]) / float64(here) /
			n.Classes[k].Demands[station]
	}
	for from, s := range states {
		move := func(to state, rate float64) {
			if rate > 0 {
				q.Set(index[to], from, q.At(index[to], from)+rate)
				q.Set(from, from, q.At(from, from)-rate)
			}
		}
		for k, class := range n.Classes {
			to := s
			to[k][0]++
			move(to, float64(class.Customers-s[k][0]-s[k][1])/class.ThinkTime)
			to = s
			to[k][0]--
			to[k][1]++
			move(to, leaving(s, k, 0))
			to = s
			to[k][1]--
			move(to, leaving(s, k, 1))
		}
	}
	for j := range states {
		q.Set(len(states)-1, j, 1)
	}
	one := mat.NewVecDense(len(states), nil)
	one.SetVec(len(states)-1, 1)
	var p mat.VecDense
	if err := p.SolveVec(q, one); err != nil {
		t.Fatal(err)
	}
	for i, s := range states {
		for k := range 2 {
			throughput[k] += p.AtVec(i) * leaving(s, k, 0)
			for station := range 2 {
				number[k][station] += p.AtVec(i) * float64(s[k][station])
			}
		}
	}
	return throughput, number
}

// Two classes at stations of several servers, against the Markov chain.
func TestClosedClassesChain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		n := Closed{Stations: []Station{{Servers: 2 + rng.IntN(4)}, {Servers: 1 + rng.IntN(3)}}}
		for range 2 {
			n.Classes = append(n.Classes, Class{Customers: 1 + rng.IntN(4), ThinkTime: math.Exp(2 * rng.NormFloat64()),
				Demands: []float64{math.Exp(rng.NormFloat64()), math.Exp(rng.NormFloat64())}})
		}
		f, err := n.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		throughput, number := chained(t, n)
		for k := range 2 {
			at := fmt.Sprintf("%+v: class %d: ", n, k)
			numtest.Close(t, at+"throughput", f.Classes[k].Throughput, throughput[k], 1e-10)
			for i := range 2 {
				numtest.Close(t, at+"number", f.Classes[k].MeanNumber[i], number[k][i], 1e-10)
			}
		}
	}
}

// Classes alike are one class, however its customers are divided, at stations of one and of several servers and
// delays, from a few customers to many at a saturated station.
func TestClosedClassesAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 150 {
		n := Closed{Stations: []Station{{Servers: 2 + rng.IntN(40)}}}
		c := Class{Customers: 2 + rng.IntN(100), ThinkTime: float64(rng.IntN(2)) * math.Exp(3*rng.NormFloat64())}
		for range rng.IntN(3) {
			n.Stations = append(n.Stations, Station{Servers: rng.IntN(12), Delay: rng.IntN(4) == 0})
		}
		for range n.Stations {
			c.Demands = append(c.Demands, math.Exp(2*rng.NormFloat64()))
		}
		if i%10 == 0 {
			c.Customers = 1000
			n.Stations = n.Stations[:1]
			c.Demands = c.Demands[:1]
		}
		n.Classes = []Class{c}
		want, err := n.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		one, two := c, c
		one.Customers = 1 + rng.IntN(min(20, c.Customers-1))
		two.Customers = c.Customers - one.Customers
		n.Classes = []Class{one, two, {Demands: make([]float64, len(n.Stations))}}
		f, err := n.Exact(t.Context())
		if err != nil {
			t.Fatalf("%+v: %v", n, err)
		}
		at := fmt.Sprintf("%+v: ", n)
		x := want.Classes[0].Throughput
		numtest.Close(t, at+"throughput", f.Classes[0].Throughput, x*float64(one.Customers)/float64(c.Customers), 1e-11)
		numtest.Close(t, at+"throughput", f.Classes[1].Throughput, x*float64(two.Customers)/float64(c.Customers), 1e-11)
		for j, s := range want.Stations {
			if math.Abs(f.Stations[j].MeanNumber-s.MeanNumber) > 1e-10*float64(c.Customers) {
				t.Errorf("%snumber at %d: %v, want %v", at, j, f.Stations[j].MeanNumber, s.MeanNumber)
			}
			if u := f.Stations[j].Utilization; math.Abs(u-s.Utilization) > 1e-11*max(1, s.Utilization) ||
				u > 1 && !n.Stations[j].Delay {
				t.Errorf("%sutilization of %d: %v, want %v", at, j, u, s.Utilization)
			}
		}
	}
}

// What would take minutes or much memory is refused.
func TestClosedClassesLarge(t *testing.T) {
	for _, c := range []struct{ customers, servers int }{{5000, 2}, {math.MaxInt, 2}, {300, math.MaxInt}} {
		n := Closed{Stations: []Station{{Servers: c.servers}}, Classes: make([]Class, 2)}
		for k := range n.Classes {
			n.Classes[k] = Class{Customers: c.customers, ThinkTime: 1, Demands: []float64{1}}
		}
		if f, err := n.Exact(t.Context()); !errors.As(err, new(*queueing.DomainError)) {
			t.Errorf("%+v: %+v, %v", n, f, err)
		}
	}
}
