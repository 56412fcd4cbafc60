package network

import (
	"fmt"
	"math"
	"math/bits"
	"sort"

	"github.com/capplan/capplan/sim"
)

// A LossNetwork loses requests that find one of the links of their route full.
// Requests hold a circuit on each link for an exponential time of mean 1; the loss
// depends on its law through the mean alone.
type LossNetwork struct {
	Names   []string  // of the routes
	Links   []int     // circuits
	Loads   []float64 // erlang by route
	Through [][]int   // links of each route
}

// Check says what lies outside the domain, as a *[sim.DomainError].
func (n *LossNetwork) Check() error {
	fail := func(arg string, v float64, want string) error {
		return &sim.DomainError{Func: "LossNetwork", Arg: arg, Value: v, Want: want}
	}
	if len(n.Loads) < 1 || len(n.Loads) > maxStations || len(n.Through) != len(n.Loads) ||
		len(n.Names) != len(n.Loads) {
		return fail("Loads", float64(len(n.Loads)), "1 to 1000 routes, each with its name and links")
	}
	sum := 0.0
	for r, load := range n.Loads {
		if !(load >= 0) || math.IsInf(load, 1) {
			return fail("Loads", load, "finite loads >= 0")
		}
		sum += load
		for _, l := range n.Through[r] {
			if l < 0 || l >= len(n.Links) {
				return fail("Through", float64(l), "the number of a link")
			}
		}
	}
	if !(sum > 0) || math.IsInf(sum, 1) {
		return fail("Loads", sum, "somebody who comes")
	}
	return nil
}

// Figures are the loss of all requests, and of each route as "route NAME.blocking_probability".
func (n *LossNetwork) Figures() []sim.Figure {
	loss := sim.Figure{Name: "blocking_probability", Kind: sim.Ratio, Scale: 0.01}
	all := []sim.Figure{loss}
	for r := range n.Loads {
		loss.Name = n.RouteName(r) + ".blocking_probability"
		all = append(all, loss)
	}
	return all
}

// RouteName is what the figure of a route begins with.
func (n *LossNetwork) RouteName(r int) string {
	if r < 0 || r >= len(n.Names) {
		return fmt.Sprint("route ", r+1)
	}
	return "route " + label(n.Names[r], r)
}

// Replicate runs the network once, from empty links.
func (n *LossNetwork) Replicate(r *sim.Replication) error {
	if err := n.Check(); err != nil {
		return err
	}
	if r == nil {
		return &sim.DomainError{Func: "LossNetwork", Arg: "replication", Value: math.NaN(), Want: "one of sim.Run"}
	}
	if math.IsInf(r.Horizon, 1) {
		return &sim.DomainError{Func: "LossNetwork", Arg: "Horizon", Value: r.Horizon, Want: "a finite horizon"}
	}
	rng, come := r.Stream(1), 0.0
	upTo, last := make([]float64, len(n.Loads)), 0 // loads of the routes up to each, and the last that has one
	for i, load := range n.Loads {
		come += load
		if upTo[i] = come; load > 0 {
			last = i
		}
	}
	used, held, calls := make([]int, len(n.Links)), make([]int, len(n.Loads)), make(tally, len(n.Loads)+1)
	there := 0
	for now := 0.0; ; r.Events++ {
		if r.Events&1023 == 0 {
			if err := r.At(now); err != nil {
				return err
			}
		}
		all := come + float64(there)
		if now += rng.ExpFloat64() / all; now >= r.Horizon {
			return n.audit(used, held)
		}
		u := rng.Float64() * all
		if u >= come {
			if there == 0 {
				continue // by rounding
			}
			route := calls.find(min(int(u-come), there-1))
			held[route]--
			calls.add(route, -1)
			there--
			for _, l := range n.Through[route] {
				used[l]--
			}
			continue
		}
		route := min(sort.Search(len(upTo), func(i int) bool { return upTo[i] > u }), last)
		fits := true
		for _, l := range n.Through[route] {
			fits = fits && used[l] < n.Links[l]
		}
		if now >= r.WarmUp {
			lost := 1.0
			if fits {
				lost = 0
			}
			r.Add(0, lost, 1)
			r.Add(1+route, lost, 1)
		}
		if !fits {
			continue
		}
		held[route]++
		calls.add(route, 1)
		there++
		for _, l := range n.Through[route] {
			used[l]++
		}
	}
}

// A tally holds counts by route, and finds the route of any one of all that are counted in a time that
// grows with the logarithm of the routes (Fenwick 1994): entry i is the sum of the last i&−i counts up
// to the i-th.
type tally []int

// add changes the count of a route.
func (t tally) add(route, d int) {
	for i := route + 1; i < len(t); i += i & -i {
		t[i] += d
	}
}

// find returns the first route whose count and those before it come to more than u.
func (t tally) find(u int) int {
	at := 0
	for step := 1 << (bits.Len(uint(len(t))) - 1); step > 0; step /= 2 {
		if next := at + step; next < len(t) && t[next] <= u {
			at = next
			u -= t[next]
		}
	}
	return at
}

// audit finds circuits that nobody holds.
func (n *LossNetwork) audit(used, held []int) error {
	for r, k := range held {
		for _, l := range n.Through[r] {
			used[l] -= k
		}
	}
	for l, k := range used {
		if k != 0 {
			return fmt.Errorf("network: %d circuits of link %d are held by nobody", k, l+1)
		}
	}
	return nil
}
