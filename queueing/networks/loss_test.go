package networks

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// Losses are right by ratio, however small they are: at first what was below
// the residual at which substitution ends, 1e-13, was the guess it began with.
func TestLossTable(t *testing.T) {
	numbers := func(s string) (all []float64) {
		for _, word := range strings.Fields(s) {
			v, err := strconv.ParseFloat(word, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		return all
	}
	for _, r := range numtest.Table(t, "testdata/lossnetwork.csv") {
		n := Loss{}
		for _, c := range numbers(r.Text("servers")) {
			n.Links = append(n.Links, Link{Servers: c})
		}
		for _, text := range strings.Split(r.Text("routes"), ";") {
			load, links, _ := strings.Cut(text, ":")
			route := Route{Load: numbers(load)[0]}
			for _, j := range numbers(links) {
				route.Links = append(route.Links, int(j))
			}
			n.Routes = append(n.Routes, route)
		}
		f, err := n.FixedPoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		check := func(name string, got, gotLog []float64, want []float64) {
			for i, w := range want {
				numtest.Close(t, fmt.Sprintf("%s, %s %d, logarithm", r.Text("network"), name, i), gotLog[i], w, 1e-11)
				if p := math.Exp(w); p > 1e-300 {
					numtest.Close(t, fmt.Sprintf("%s, %s %d", r.Text("network"), name, i), got[i], p, 1e-11)
				}
			}
		}
		check("link", f.LinkBlocking, f.LogLinkBlocking, numbers(r.Text("log_links")))
		check("route", f.RouteBlocking, f.LogRouteBlocking, numbers(r.Text("log_routes")))
	}
}

// Links that share nearly all of a load, up to 1e9 erl, trade it slowly: the loss of
// each is right to 1e-11 all the same, and the load that it is left with, the small
// difference of large ones, to 2e-8.
func TestSharedLoad(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/sharedload.csv") {
		n := Loss{
			Links: []Link{{Servers: r.Float("servers_a")}, {Servers: r.Float("servers_b")}},
			Routes: []Route{{Load: r.Float("shared"), Links: []int{0, 1}},
				{Load: r.Float("alone_a"), Links: []int{0}}, {Load: r.Float("alone_b"), Links: []int{1}}},
		}
		f, err := n.FixedPoint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, link := range []string{"a", "b"} {
			name := fmt.Sprintf("line %d, link %s", r.Line, link)
			numtest.Close(t, name+", loss", f.LinkBlocking[i], r.Float("blocking_"+link), 1e-11)
			numtest.Close(t, name+", load", f.LinkLoad[i], r.Float("load_"+link), 2e-8)
		}
	}
}

// Rounds end wherever the loads of a network lie, far beyond its servers too.
func TestLossEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for i := range 1000 {
		n := Loss{}
		load := func() float64 { return math.Exp(rng.NormFloat64()*3 + rng.Float64()*8) }
		if i >= 300 {
			load = func() float64 { return math.Pow(10, -3+14*rng.Float64()) }
		}
		for range 2 + rng.IntN(6) {
			n.Links = append(n.Links, Link{Servers: math.Trunc(math.Exp(rng.Float64() * 12))})
		}
		for range 1 + rng.IntN(8) {
			count := 1 + rng.IntN(min(4, len(n.Links)))
			n.Routes = append(n.Routes, Route{
				Load:  load(),
				Links: rng.Perm(len(n.Links))[:count],
			})
		}
		if _, err := n.FixedPoint(t.Context()); err != nil {
			t.Errorf("%+v: %v", n, err)
		}
	}
}

// It ends too where next to nothing passes a link, and all of it is lost.
func TestLossOfHardlyAnyServers(t *testing.T) {
	for _, servers := range []float64{5e-324, 1e-300, 1e-290, 1e-200, 1e-9} {
		for _, load := range []float64{1e-300, 1e-6, 1, 1e9, 1e12} {
			n := Loss{[]Link{{"a", servers}, {"b", 3}}, []Route{{"r", load, []int{0}}, {"s", load, []int{0, 1}}, {"t", 2, []int{1}}}}
			f, err := n.FixedPoint(t.Context())
			if err != nil {
				t.Errorf("%v servers, %v erl: %v", servers, load, err)
				continue
			}
			// 1 − B of the first link has digits of its own.
			b, err := queueing.ErlangB(3, 2+load*erlang.Carried(servers, f.LinkLoad[0]))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, fmt.Sprintf("%v servers, %v erl", servers, load), f.RouteBlocking[2], b, 1e-11)
		}
	}
}

func TestLoss(t *testing.T) {
	// One link is Erlang B.
	n := Loss{[]Link{{"a", 10}}, []Route{{"r", 4, []int{0}}, {"s", 3, []int{0}}}}
	f, err := n.FixedPoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := queueing.ErlangB(10, 7)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "one link", f.RouteBlocking[1], b, 1e-12)
	// A star in overload, where plain substitution swings.
	n = Loss{[]Link{{"a", 10}, {"b", 8}, {"c", 12}}, []Route{{"ab", 30, []int{0, 1}}, {"bc", 30, []int{1, 2}}, {"ca", 30, []int{2, 0}}}}
	if f, err = n.FixedPoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	for j, link := range n.Links {
		load := 0.
		for _, r := range n.Routes {
			through, pass := false, r.Load
			for _, i := range r.Links {
				if i == j {
					through = true
				} else {
					pass *= 1 - f.LinkBlocking[i]
				}
			}
			if through {
				load += pass
			}
		}
		want, err := queueing.ErlangB(link.Servers, load)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "fixed point at "+link.Name, f.LinkBlocking[j], want, 1e-11)
	}
	// Two large links in a row against the exact product form.
	const c = 100
	var states, lost float64
	weights := func(a float64) []float64 {
		w := []float64{1}
		for i := 1; i <= c; i++ {
			w = append(w, w[i-1]*a/float64(i))
		}
		return w
	}
	both, one := weights(40), weights(45)
	for i := 0; i <= c; i++ { // circuits of the long route
		inner := 0.
		for j := 0; i+j <= c; j++ {
			inner += one[j]
		}
		states += both[i] * inner * inner
		if i < c {
			less := inner - one[c-i]
			lost += both[i] * (inner*inner - less*less)
		} else {
			lost += both[i]
		}
	}
	n = Loss{[]Link{{"a", c}, {"b", c}}, []Route{{"long", 40, []int{0, 1}}, {"left", 45, []int{0}}, {"right", 45, []int{1}}}}
	if f, err = n.FixedPoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "long route", f.RouteBlocking[0], lost/states, .1)
	var domain *queueing.DomainError
	for _, bad := range []Loss{{}, {[]Link{{"a", -1}}, nil}, {[]Link{{"a", 1}}, []Route{{"r", 1, nil}}}, {[]Link{{"a", 1}}, []Route{{"r", 1, []int{1}}}},
		{[]Link{{"a", 1}}, []Route{{"r", 1, []int{0, 0}}}}, {[]Link{{"a", 1}}, []Route{{"r", math.NaN(), []int{0}}}}} {
		if _, err := bad.FixedPoint(t.Context()); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}
