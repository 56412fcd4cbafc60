package networks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
)

// closedOf reads the network of a table row; 0 servers stand for a delay.
func closedOf(t *testing.T, r numtest.Row) Closed {
	t.Helper()
	var n Closed
	for _, c := range numtest.List(t, r.Text("servers")) {
		n.Stations = append(n.Stations, Station{Servers: int(c), Delay: c == 0})
	}
	think := numtest.List(t, r.Text("think"))
	for k, d := range strings.Split(r.Text("demands"), "|") {
		n.Classes = append(n.Classes, Class{Customers: int(numtest.List(t, r.Text("customers"))[k]), ThinkTime: think[k], Demands: numtest.List(t, d)})
	}
	return n
}

func TestClosedReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/closed.csv") {
		n := closedOf(t, r)
		f, err := n.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := r.Text("case") + ": "
		for k, want := range numtest.List(t, r.Text("throughput")) {
			numtest.Close(t, at+"throughput", f.Classes[k].Throughput, want, 1e-13)
		}
		for i, want := range numtest.List(t, r.Text("numbers")) {
			numtest.Close(t, at+"number", f.Stations[i].MeanNumber, want, 1e-12)
		}
		// Little: customers are thinking or at a station.
		for k, c := range n.Classes {
			out := f.Classes[k]
			numtest.Close(t, at+"Little", out.Throughput*(c.ThinkTime+out.MeanResponse), float64(c.Customers), 1e-12)
		}
		s, err := n.Schweitzer(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if s.Warning == nil || s.Residual > 1e-11 {
			t.Errorf("%sSchweitzer: %+v", at, s)
		}
		for k := range n.Classes {
			numtest.Close(t, at+"Schweitzer", s.Classes[k].Throughput, f.Classes[k].Throughput, .15)
		}
	}
}

// The load-dependent recursion of the textbooks goes negative here.
func TestClosedMultiServer(t *testing.T) {
	n := Closed{[]Station{{Servers: 300}}, []Class{{Customers: 400, Demands: []float64{.444}}}}
	f, err := n.Exact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "400 customers, 300 servers", f.Classes[0].Throughput, 675.675675675675676, 1e-14)
	// Several such stations, also where one is split off by a tiny demand.
	n = Closed{[]Station{{Servers: 300}, {Servers: 200}, {}}, []Class{{Customers: 2000, ThinkTime: .5, Demands: []float64{.444, .2, 1e-6}}}}
	if f, err = n.Exact(t.Context()); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "bottleneck", f.Classes[0].Throughput, 300/.444, 1e-10)
	b, err := n.Bounds()
	if err != nil || f.Classes[0].Throughput > b.Upper*(1+1e-14) || b.Bottleneck != 0 {
		t.Errorf("bounds %+v, %v", b, err)
	}
	sum := f.Classes[0].Throughput * .5
	for _, s := range f.Stations {
		sum += s.MeanNumber
	}
	numtest.Close(t, "customers", sum, 2000, 1e-10)
}

func TestClosedBounds(t *testing.T) {
	for customers := 1; customers <= 60; customers += 7 {
		n := Closed{[]Station{{}, {}, {Delay: true}}, []Class{{Customers: customers, ThinkTime: 3, Demands: []float64{.4, .7, 2}}}}
		f, err := n.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		b, err := n.Bounds()
		if err != nil {
			t.Fatal(err)
		}
		x := f.Classes[0].Throughput
		const slack = 1 + 1e-13
		if b.Lower > x*slack || x > b.Upper*slack || b.BalancedLower > x*slack || x > b.BalancedUpper*slack ||
			b.Lower > b.BalancedLower*slack || b.BalancedUpper > b.Upper*slack {
			t.Errorf("%d customers: %v not within %+v", customers, x, b)
		}
		// Two classes alike are one class.
		if customers > 1 && customers < 30 {
			c := n.Classes[0]
			one, two := c, c
			one.Customers, two.Customers = customers/2, customers-customers/2
			n.Classes = []Class{one, two}
			g, err := n.Exact(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "two halves", g.Classes[0].Throughput+g.Classes[1].Throughput, x, 1e-12)
		}
	}
}

// With several servers at a station the balanced bounds still hold, and are
// bounds of their own: at first they only repeated the asymptotic ones.
func TestClosedBoundsOfSeveralServers(t *testing.T) {
	tighter := 0
	for _, servers := range [][]int{{2, 1}, {1, 3}, {5, 2}, {4, 4}} {
		for _, think := range []float64{0, 1, 5} {
			for customers := 1; customers <= 60; customers += 4 {
				n := Closed{
					[]Station{{Servers: servers[0]}, {Servers: servers[1]}, {}},
					[]Class{{Customers: customers, ThinkTime: think, Demands: []float64{1, .7, .3}}},
				}
				f, err := n.Exact(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				b, err := n.Bounds()
				if err != nil {
					t.Fatal(err)
				}
				const slack = 1 + 1e-12
				x := f.Classes[0].Throughput
				if b.BalancedLower > x*slack || x > b.BalancedUpper*slack ||
					b.Lower > b.BalancedLower*slack || b.BalancedUpper > b.Upper*slack {
					t.Errorf("%v servers, think time %v, %d customers: %v not within %+v", servers, think, customers, x, b)
				}
				if customers > 1 && b.BalancedLower > b.Lower {
					tighter++
				}
			}
		}
	}
	if tighter == 0 {
		t.Error("the balanced lower bound is never above the asymptotic one")
	}
}

// What is too much is known before the laws of all stations are made, 0.8 MB each here: that took
// 10 s of CPU.
func TestClosedOfManyStationsIsRefusedAtOnce(t *testing.T) {
	n := Closed{make([]Station, 10_000), []Class{{Customers: 100_000, Demands: slices.Repeat([]float64{1}, 10_000)}}}
	for i := range n.Stations {
		n.Stations[i].Servers = 3
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := n.Exact(t.Context())
	runtime.ReadMemStats(&after)
	var domain *queueing.DomainError
	if took := after.TotalAlloc - before.TotalAlloc; !errors.As(err, &domain) || took > 50<<20 {
		t.Errorf("%v, after %d MiB", err, took>>20)
	}
}

// Routes over hundreds of full links trade their load for hours.
func TestLossOfLongRoutesEnds(t *testing.T) {
	const links = 100
	var n Loss
	for j := range links {
		n.Links = append(n.Links, Link{Servers: 1e6})
		route := Route{Load: 9e5}
		for i := range links {
			if i != j {
				route.Links = append(route.Links, i)
			}
		}
		n.Routes = append(n.Routes, route)
	}
	var domain *queueing.DomainError
	if _, err := n.fixedPoint(t.Context(), mostFactors/100); !errors.As(err, &domain) {
		t.Errorf("%v, want a *DomainError", err)
	}
}

func TestClosedErrors(t *testing.T) {
	good := []float64{1}
	for _, n := range []Closed{{}, {Stations: []Station{{}}}, {[]Station{{Servers: -1}}, []Class{{Customers: 1, Demands: good}}},
		{[]Station{{}}, []Class{{Customers: -1, Demands: good}}}, {[]Station{{}}, []Class{{Customers: 1}}},
		{[]Station{{}}, []Class{{Customers: 1, Demands: []float64{0}}}}, {[]Station{{}}, []Class{{Customers: 1, Demands: []float64{math.NaN()}}}},
		{[]Station{{}}, []Class{{Customers: math.MaxInt, Demands: good}, {Customers: 3, Demands: good}}},
		{[]Station{{}}, []Class{{Customers: 100000, Demands: good}, {Customers: 100000, Demands: good}}}} {
		var domain *queueing.DomainError
		if _, err := n.Exact(t.Context()); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", n, err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	big := Closed{[]Station{{Servers: 2}, {}}, []Class{{Customers: 5000, Demands: []float64{1, 2}}}}
	if _, err := big.Exact(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestJackson(t *testing.T) {
	n := Jackson{
		Stations: []OpenStation{{Name: "front", ArrivalRate: 5, ServiceTime: .1}, {Name: "app", ArrivalRate: 1, ServiceTime: .4, Servers: 7}, {Name: "disk", ServiceTime: .05}},
		Routing:  [][]float64{{0, .8, 0}, {0, 0, .5}, {.1, .9, 0}},
	}
	f, err := n.Figures()
	if err != nil {
		t.Fatal(err)
	}
	// By hand: d = a/2, front = 5 + d/10, app = 1 + .8 front + .9 d.
	app := 5. / (1 - .04 - .45)
	for i, want := range []float64{5 + app/20, app, app / 2} {
		numtest.Close(t, "rate", f.Stations[i].ArrivalRate, want, 1e-13)
		s := n.Stations[i]
		m, err := queueing.MMC{ArrivalRate: want, ServiceTime: s.ServiceTime}.At(float64(max(1, s.Servers)))
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "response", f.Stations[i].MeanResponse, m.MeanResponse, 1e-12)
	}
	numtest.Close(t, "Little", f.MeanNumber, f.ArrivalRate*f.MeanResponse, 1e-14)
	// At the headroom the bottleneck saturates, below it does not.
	grow := func(by float64) error {
		g := n
		g.Stations = append([]OpenStation(nil), n.Stations...)
		for i := range g.Stations {
			g.Stations[i].ArrivalRate *= by
		}
		_, err := g.Figures()
		return err
	}
	if err := grow(f.Headroom * (1 - 1e-9)); err != nil {
		t.Errorf("below the headroom: %v", err)
	}
	var saturated *queueing.SaturatedError
	if err := grow(f.Headroom * (1 + 1e-9)); !errors.As(err, &saturated) || saturated.Name != n.Stations[f.Bottleneck].Name || !errors.Is(err, queueing.ErrUnstable) {
		t.Errorf("above the headroom: %v", err)
	}
	for _, routing := range [][][]float64{nil, {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}, {{0, 2, 0}, {0, 0, 0}, {0, 0, 0}}, {{0, -1, 0}, {0, 0, 0}, {0, 0, 0}}, {{0}, {0}, {0}}} {
		n.Routing = routing
		var domain *queueing.DomainError
		if _, err := n.Figures(); !errors.As(err, &domain) {
			t.Errorf("routing %v: %v", routing, err)
		}
	}
}

func ExampleClosed_Exact() {
	n := Closed{
		Stations: []Station{{Name: "cpu", Servers: 300}},
		Classes:  []Class{{Name: "users", Customers: 400, Demands: []float64{0.444}}},
	}
	f, err := n.Exact(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f/s\n", f.Classes[0].Throughput)
	// Output: 675.676/s
}

// The product form summed over all ways to be at three stations.
func TestClosedSummed(t *testing.T) {
	servers, demands := []int{3, 1, 5}, []float64{.7, .2, 1.3}
	for customers := 1; customers <= 12; customers++ {
		n := Closed{Classes: []Class{{Customers: customers, Demands: demands}}}
		for _, c := range servers {
			n.Stations = append(n.Stations, Station{Servers: c})
		}
		weight := func(i, k int) float64 {
			w := 1.0
			for j := 1; j <= k; j++ {
				w *= demands[i] / float64(min(j, servers[i]))
			}
			return w
		}
		total, means, less := 0.0, [3]float64{}, 0.0
		for i := range customers + 1 {
			for j := range customers + 1 - i {
				k := customers - i - j
				w := weight(0, i) * weight(1, j) * weight(2, k)
				total += w
				means[0] += float64(i) * w
				means[1] += float64(j) * w
				means[2] += float64(k) * w
				if k > 0 {
					less += weight(0, i) * weight(1, j) * weight(2, k-1)
				}
			}
		}
		f, err := n.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		at := fmt.Sprint(customers, " customers: ")
		numtest.Close(t, at+"throughput", f.Classes[0].Throughput, less/total, 1e-12)
		for i, mean := range means {
			numtest.Close(t, at+"number", f.Stations[i].MeanNumber, mean/total, 1e-12)
			if u := f.Stations[i].Utilization; u > 1 {
				t.Errorf("%sutilization %v", at, u)
			}
		}
	}
}

// A full station is never more than full, many customers are counted in time
// linear in them, and what would take minutes is refused.
func TestClosedLarge(t *testing.T) {
	one := func(servers, customers int, demands ...float64) Closed {
		n := Closed{Classes: []Class{{Name: "user", Customers: customers, ThinkTime: 5, Demands: demands}}}
		for range demands {
			n.Stations = append(n.Stations, Station{Servers: servers})
		}
		return n
	}
	for servers := 2; servers < 60; servers++ {
		f, err := one(servers, 400, .444).Exact(t.Context())
		if err != nil || f.Stations[0].Utilization > 1 {
			t.Errorf("%d servers: %+v, %v", servers, f.Stations, err)
		}
	}
	f, err := one(30, 200_000, .017, .016).Exact(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "throughput", f.Classes[0].Throughput, 30/.017, 1e-9)
	var domain *queueing.DomainError
	if _, err := one(500_000, 1_000_000, .017, .016).Exact(t.Context()); !errors.As(err, &domain) {
		t.Errorf("500,000 servers: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := one(300, 1_000_000, .017).Exact(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The network of one station is the queue of finitely many customers.
func TestClosedOneStation(t *testing.T) {
	for _, r := range numtest.Table(t, "../testdata/finitesource.csv") {
		q := queueing.FiniteSource{Customers: int(r.Float("customers")), ThinkTime: r.Float("think"), ServiceTime: r.Float("service"), Servers: int(r.Float("servers"))}
		f, err := q.Figures()
		if err != nil {
			t.Fatal(err)
		}
		n, err := Closed{
			[]Station{{Servers: q.Servers}},
			[]Class{{Customers: q.Customers, ThinkTime: q.ThinkTime, Demands: []float64{q.ServiceTime}}},
		}.Exact(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, fmt.Sprintf("line %d", r.Line), n.Classes[0].Throughput, f.Throughput, 1e-12)
	}
}

// Rounds about times near the ends of the range of numbers come to no end.
func TestClosedRefusesEndlessTimes(t *testing.T) {
	for _, d := range []float64{1e-310, 1e-291, 1e291, 1.7e308} {
		n := Closed{Stations: []Station{{}, {}}, Classes: []Class{
			{Customers: 5, ThinkTime: 1, Demands: []float64{1, 0.3}}, {Customers: 3, Demands: []float64{0, d}}}}
		var domain *queueing.DomainError
		if _, err := n.Schweitzer(t.Context()); !errors.As(err, &domain) {
			t.Errorf("demand %v: Schweitzer: %v", d, err)
		}
		if _, err := n.Exact(t.Context()); !errors.As(err, &domain) {
			t.Errorf("demand %v: Exact: %v", d, err)
		}
	}
}
