package network

import (
	"fmt"
	"math"

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
	rng, loads, calls := r.Stream(1), newTree(len(n.Loads)), newTree(len(n.Loads))
	for i, load := range n.Loads {
		loads.set(i, load)
	}
	come, used := loads.sum(), make([]int, len(n.Links))
	there := 0
	for now := 0.0; ; r.Events++ {
		if r.Events&1023 == 0 {
			if err := r.At(now); err != nil {
				return err
			}
		}
		all := come + float64(there)
		if now += rng.ExpFloat64() / all; now >= r.Horizon {
			return n.audit(used, calls)
		}
		u := rng.Float64() * all
		if u >= come {
			if there == 0 {
				continue // by rounding
			}
			route, _ := calls.find(u - come)
			calls.set(route, calls.at(route)-1)
			there--
			for _, l := range n.Through[route] {
				used[l]--
			}
			continue
		}
		route, _ := loads.find(u)
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
		calls.set(route, calls.at(route)+1)
		there++
		for _, l := range n.Through[route] {
			used[l]++
		}
	}
}

// audit finds circuits that nobody holds.
func (n *LossNetwork) audit(used []int, calls tree) error {
	for r := range n.Loads {
		for _, l := range n.Through[r] {
			used[l] -= int(calls.at(r))
		}
	}
	for l, k := range used {
		if k != 0 {
			return fmt.Errorf("network: %d circuits of link %d are held by nobody", k, l+1)
		}
	}
	return nil
}
