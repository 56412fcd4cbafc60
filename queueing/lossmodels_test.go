package queueing

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

func TestHayward(t *testing.T) {
	b, err := ErlangB(30, 22)
	if err != nil {
		t.Fatal(err)
	}
	h, err := Hayward(30, Peaked{22, 1})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "Poisson", h, b, 1e-15)
	// Overflow of one group met by another: the two together are one group.
	// With one stream equivalent random theory is exact.
	first := 20.
	over, err := Overflow(first, 24)
	if err != nil {
		t.Fatal(err)
	}
	a, n, err := EquivalentRandom(over)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "equivalent load", a, 24, 1e-10)
	numtest.Close(t, "equivalent servers", n, first, 1e-9)
	whole, err := ErlangB(first+10, 24)
	if err != nil {
		t.Fatal(err)
	}
	lost, err := SharedOverflow(10, []Peaked{over})
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "overflow of an overflow", lost*over.Load, 24*whole, 1e-9)
	near, err := Hayward(10, over)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "Hayward", near, lost, .12)
	// Round trips over real sizes, to heavy peakedness.
	for _, n := range []float64{0.3, 4, 17.5, 300, 5000} {
		for _, load := range []float64{.2, 3, 40, 320, 5100} {
			if n > 3*load+5 {
				continue // an overflow of nearly nothing
			}
			s, err := Overflow(n, load)
			if err != nil {
				t.Fatal(err)
			}
			if s.Peakedness < 1 {
				t.Errorf("overflow of %v on %v has peakedness %v", load, n, s.Peakedness)
			}
			a, m, err := EquivalentRandom(s)
			if err != nil {
				t.Errorf("%v on %v: %v", load, n, err)
				continue
			}
			back, err := Overflow(m, a)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "mean", back.Load, s.Load, 1e-9)
			numtest.Close(t, "peakedness", back.Peakedness, s.Peakedness, 1e-7)
		}
	}
	var domain *DomainError
	if _, _, err := EquivalentRandom(Peaked{5, .5}); !errors.As(err, &domain) {
		t.Errorf("smooth: %v", err)
	}
	if _, err := Hayward(5, Peaked{5, 0}); !errors.As(err, &domain) {
		t.Errorf("peakedness 0: %v", err)
	}
	if _, err := SharedOverflow(5, []Peaked{{1, 2}, {-1, 1}}); !errors.As(err, &domain) {
		t.Errorf("negative load: %v", err)
	}
}

// Riordan's moments where they can be had by hand.
func TestOverflowByHand(t *testing.T) {
	s, err := Overflow(0, 7)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "no server", s.Load, 7, 1e-15)
	numtest.Close(t, "no server", s.Peakedness, 1, 1e-14)
	// One server: z = 1 − M + a/(2 − a + M).
	// At a = 1: M = 1/2, z = 1 − 1/2 + 1/(3/2) = 7/6.
	s, err = Overflow(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "one server", s.Peakedness, 7./6, 1e-14)
}

// With all widths 1 Roberts' recursion is the birth-death chain itself.
func TestReservationChain(t *testing.T) {
	q := Reservation{[]ReservedStream{{Stream{"own", 1, 6, 0}, 0}, {Stream{"guest", 1, 5, 0}, 3}, {Stream{"far", 1, 2, 0}, 5}}, 12}
	f, err := q.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := []float64{1}
	sum := 1.
	for j := 1; j <= 12; j++ {
		rate := 0.
		for _, s := range q.Streams {
			if j-1+s.Width+s.Reserve <= 12 {
				rate += s.JobLoad
			}
		}
		p = append(p, p[j-1]*rate/float64(j))
		sum += p[j]
	}
	for k, s := range q.Streams {
		want := 0.
		for j, x := range p {
			if j+s.Width+s.Reserve > 12 {
				want += x / sum
			}
		}
		numtest.Close(t, s.Name, f.Blocking[k], want, 1e-14)
	}
	if f.Warning == nil {
		t.Error("reservation without a warning")
	}
}

// Without reservation: brute force over the product form.
func TestReservationProductForm(t *testing.T) {
	for _, widths := range [][2]int{{1, 3}, {2, 4}, {3, 6}, {2, 5}} {
		loads := [2]float64{4, 1.5}
		const capacity = 17
		var lost [2]float64
		sum := 0.
		for i := 0; i*widths[0] <= capacity; i++ {
			for j := 0; i*widths[0]+j*widths[1] <= capacity; j++ {
				w := math.Exp(float64(i)*math.Log(loads[0]) + float64(j)*math.Log(loads[1]) - logFactorial(float64(i)) - logFactorial(float64(j)))
				sum += w
				for k := range lost {
					if i*widths[0]+j*widths[1]+widths[k] > capacity {
						lost[k] += w
					}
				}
			}
		}
		f, err := Reservation{[]ReservedStream{{Stream{"", widths[0], loads[0], 0}, 0}, {Stream{"", widths[1], loads[1], 0}, 0}}, capacity}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for k := range lost {
			numtest.Close(t, "product form", f.Blocking[k], lost[k]/sum, 1e-13)
		}
		if f.Warning != nil {
			t.Errorf("exact, yet %v", f.Warning)
		}
	}
}

func fifty(load float64, reserve int) []ReservedStream {
	var s []ReservedStream
	for w := 1; w <= 50; w++ {
		s = append(s, ReservedStream{Stream{"", w, load / 50 / float64(w), 0}, reserve})
	}
	return s
}

// The states left out do not count: against the recursion over all states.
func TestReservationWindow(t *testing.T) {
	const capacity = 200000
	for _, load := range []float64{.9, .99, 1, 1.1, 2} {
		streams := fifty(load*capacity, 0)
		f, err := Reservation{streams, capacity}.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if f.StatesSolved > capacity/2 {
			t.Errorf("load %v: %d states", load, f.StatesSolved)
		}
		var plain []Stream
		for _, s := range streams {
			plain = append(plain, s.Stream)
		}
		m, err := NewMultiRate(t.Context(), plain, capacity)
		if err != nil {
			t.Fatal(err)
		}
		for k := range streams {
			want, err := m.StreamBlocking(k, capacity)
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "blocking", f.Blocking[k], want, 1e-10)
		}
	}
	// Even widths and a rare odd one are forgotten slowly: all states then.
	rare := []Stream{{"", 2, 50000, 0}, {"", 1, 1e-7, 0}}
	f, err := Reservation{[]ReservedStream{{rare[0], 0}, {rare[1], 0}}, 100000}.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewMultiRate(t.Context(), rare, 100000)
	if err != nil {
		t.Fatal(err)
	}
	for k := range rare {
		want, err := m.StreamBlocking(k, 100000)
		if err != nil {
			t.Fatal(err)
		}
		numtest.Close(t, "rare class", f.Blocking[k], want, 1e-9)
	}
	if f.StatesSolved != 100001 {
		t.Errorf("%d states solved, want all", f.StatesSolved)
	}
	var domain *DomainError
	for _, q := range []Reservation{{}, {fifty(1, 0), -1}, {[]ReservedStream{{Stream{"x", 0, 1, 0}, 0}}, 5}, {[]ReservedStream{{Stream{"x", 1, -1, 0}, 0}}, 5}, {[]ReservedStream{{Stream{"x", 1, 1, 0}, -1}}, 5}} {
		if _, err := q.Figures(t.Context()); !errors.As(err, &domain) {
			t.Errorf("%v", err)
		}
	}
	// A reserve larger than the fleet shuts the class out.
	f, err = Reservation{[]ReservedStream{{Stream{"", 1, 3, 0}, 0}, {Stream{"", 1, 3, 0}, 99}}, 5}.Figures(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := ErlangB(5, 3)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "alone", f.Blocking[0], b, 1e-14)
	numtest.Close(t, "shut out", f.Blocking[1], 1, 0)
}

// Losses are right by ratio, however small they are: at first what was below
// the residual at which substitution ends, 1e-13, was the guess it began with.
func TestLossNetworkTable(t *testing.T) {
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
		n := LossNetwork{}
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

// Substitution ends wherever the loads of a network lie.
func TestLossNetworkEnds(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		n := LossNetwork{}
		for range 2 + rng.IntN(6) {
			n.Links = append(n.Links, Link{Servers: math.Trunc(math.Exp(rng.Float64() * 12))})
		}
		for range 1 + rng.IntN(8) {
			count := 1 + rng.IntN(min(4, len(n.Links)))
			n.Routes = append(n.Routes, Route{
				Load:  math.Exp(rng.NormFloat64()*3 + rng.Float64()*8),
				Links: rng.Perm(len(n.Links))[:count],
			})
		}
		if _, err := n.FixedPoint(t.Context()); err != nil {
			t.Errorf("%+v: %v", n, err)
		}
	}
}

// It ends too where next to nothing passes a link, and all of it is lost.
func TestLossNetworkOfHardlyAnyServers(t *testing.T) {
	for _, servers := range []float64{5e-324, 1e-300, 1e-290, 1e-200, 1e-9} {
		for _, load := range []float64{1e-300, 1e-6, 1, 1e9, 1e12} {
			n := LossNetwork{[]Link{{"a", servers}, {"b", 3}}, []Route{{"r", load, []int{0}}, {"s", load, []int{0, 1}}, {"t", 2, []int{1}}}}
			f, err := n.FixedPoint(t.Context())
			if err != nil {
				t.Errorf("%v servers, %v erl: %v", servers, load, err)
				continue
			}
			// 1 − B of the first link has digits of its own.
			b, err := ErlangB(3, 2+load*carriedShare(servers, f.LinkLoad[0]))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, fmt.Sprintf("%v servers, %v erl", servers, load), f.RouteBlocking[2], b, 1e-11)
		}
	}
}

func TestLossNetwork(t *testing.T) {
	// One link is Erlang B.
	n := LossNetwork{[]Link{{"a", 10}}, []Route{{"r", 4, []int{0}}, {"s", 3, []int{0}}}}
	f, err := n.FixedPoint(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := ErlangB(10, 7)
	if err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "one link", f.RouteBlocking[1], b, 1e-12)
	// A star in overload, where plain substitution swings.
	n = LossNetwork{[]Link{{"a", 10}, {"b", 8}, {"c", 12}}, []Route{{"ab", 30, []int{0, 1}}, {"bc", 30, []int{1, 2}}, {"ca", 30, []int{2, 0}}}}
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
		want, err := ErlangB(link.Servers, load)
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
	n = LossNetwork{[]Link{{"a", c}, {"b", c}}, []Route{{"long", 40, []int{0, 1}}, {"left", 45, []int{0}}, {"right", 45, []int{1}}}}
	if f, err = n.FixedPoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	numtest.Close(t, "long route", f.RouteBlocking[0], lost/states, .1)
	var domain *DomainError
	for _, bad := range []LossNetwork{{}, {[]Link{{"a", -1}}, nil}, {[]Link{{"a", 1}}, []Route{{"r", 1, nil}}}, {[]Link{{"a", 1}}, []Route{{"r", 1, []int{1}}}},
		{[]Link{{"a", 1}}, []Route{{"r", 1, []int{0, 0}}}}, {[]Link{{"a", 1}}, []Route{{"r", math.NaN(), []int{0}}}}} {
		if _, err := bad.FixedPoint(t.Context()); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Reservation{fifty(1e6, 2), 1000000}).Figures(stopped); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
