package networks

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// No server of a closed network is busier than always, by any rounding, though the
// product of throughput and demand comes out above 1 for some.
func TestClosedUtilizationAtMostOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	above := map[string]int{}
	look := func(method string, n Closed, f ClosedFigures, err error) {
		if err != nil {
			t.Fatalf("%s of %+v: %v", method, n, err)
		}
		for i, s := range n.Stations {
			product, c := 0.0, float64(s.servers())
			for k, class := range n.Classes {
				product += f.Classes[k].Throughput * class.Demands[i] / c
			}
			if s.Delay {
				continue
			}
			if product > 1 {
				above[method]++
			}
			if u := f.Stations[i].Utilization; !(u >= 0 && u <= 1) || math.Abs(u-product) > 1e-9 {
				t.Errorf("%s of %+v: station %d: utilization %.17g, throughput times demand %.17g", method, n, i, u, product)
			}
		}
	}
	ctx := context.Background()
	network := func(classes, servers, customers int) Closed {
		var n Closed
		for i := range 1 + rng.IntN(4) {
			n.Stations = append(n.Stations, Station{Name: fmt.Sprint(i), Servers: 1 + rng.IntN(servers), Delay: i == 3})
		}
		for range classes {
			c := Class{Customers: 1 + rng.IntN(customers), ThinkTime: float64(rng.IntN(2)) * rng.Float64()}
			for range n.Stations {
				c.Demands = append(c.Demands, math.Exp(6*rng.Float64()-5))
			}
			n.Classes = append(n.Classes, c)
		}
		return n
	}
	for range 150 {
		one := network(1, 6, 2000)
		f, err := one.Exact(ctx)
		look("convolution", one, f, err)
		if several := network(2, 1, 60); len(several.Stations) > 1 {
			f, err = several.Exact(ctx)
			look("populations", several, f, err)
		}
		many := network(1+rng.IntN(3), 4, min(1e15, math.MaxInt)) // its product errs by 1e-16 of the customers
		f, err = many.Schweitzer(ctx)
		look("fixed point", many, f, err)
	}
	for _, method := range []string{"convolution", "populations", "fixed point"} {
		if above[method] == 0 {
			t.Errorf("%s: no product came out above 1, so nothing was tried", method)
		}
	}
}

// Two stations of demands 1 and r: the first is idle r^N(1 − r)/(1 − r^(N+1)) of
// the time, whether its customers are of one class or of two.
func TestClosedIdle(t *testing.T) {
	for _, r := range []float64{0.1, 0.5, 0.9} {
		for _, customers := range []int{1, 2, 7, 20, 60} {
			want := 1 - math.Pow(r, float64(customers))*(1-r)/(1-math.Pow(r, float64(customers)+1))
			n := Closed{Stations: make([]Station, 2), Classes: []Class{{Customers: customers, Demands: []float64{1, r}}}}
			one, err := n.Exact(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			n.Classes = []Class{{Customers: customers / 2, Demands: []float64{1, r}}, {Customers: customers - customers/2, Demands: []float64{1, r}}}
			two, err := n.Exact(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, u := range []float64{one.Stations[0].Utilization, two.Stations[0].Utilization} {
				if math.Abs(u-want) > 1e-14 {
					t.Errorf("r = %v, %d customers: %.17g, want %.17g", r, customers, u, want)
				}
			}
			idle, err := n.idle(context.Background(), 0, logOf(t, n))
			if err != nil || math.Abs(idle-(1-want)) > 1e-14 {
				t.Errorf("r = %v, %d customers: idle %.17g, want %.17g, %v", r, customers, idle, 1-want, err)
			}
		}
	}
}

func logOf(t *testing.T, n Closed) float64 {
	t.Helper()
	f := n.empty()
	log, err := n.populations(context.Background(), -1, &f)
	if err != nil {
		t.Fatal(err)
	}
	return log
}
