package approximations

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/loss"
	"github.com/capplan/capplan/queueing/networks"
	"github.com/capplan/capplan/queueing/unlike"
)

// peaked measures the loss of traffic known by mean and peakedness. References
// are overflows of Poisson groups, which are peaked, and finitely many sources,
// which are smooth; each has an exact chain.
func peaked() ([]Measure, error) {
	rows := table("peaked.csv")
	source := fmt.Sprintf("%d exact chains", len(rows))
	overflow := "overflow of one Poisson group, where it is exact, and of two"
	all := []Measure{
		{
			Key:     "EquivalentRandom",
			Method:  "equivalent random theory (Wilkinson)",
			Figure:  "loss",
			Regime:  overflow,
			Source:  source,
			Default: true,
		},
		{
			Key:    "HaywardPeaked",
			Method: "Hayward's equivalence",
			Figure: "loss",
			Regime: "overflow of one or two Poisson groups",
			Source: source,
		},
		{
			Key:     "HaywardSmooth",
			Method:  "Hayward's equivalence",
			Figure:  "loss",
			Regime:  "the smooth traffic of 10 to 100 sources",
			Source:  source,
			Default: true,
		},
	}
	groups := make([][]Case, len(all))
	for _, r := range rows {
		s := loss.Peaked{Load: r.number("mean"), Peakedness: r.number("peakedness")}
		n := r.number("servers")
		name := fmt.Sprintf("%s of %.4g erl, peakedness %.3g, %g servers", r["kind"], s.Load, s.Peakedness, n)
		add := func(to int, m loss.PeakedMethod) error {
			loss, _, err := loss.PeakedLoss(n, s, m)
			groups[to] = append(groups[to], Case{name, loss, r.number("loss"), 0})
			return err
		}
		if r["kind"] == "sources" {
			if err := add(2, loss.HaywardMethod); err != nil {
				return nil, err
			}
			continue
		}
		if err := add(0, loss.EquivalentRandomTheory); err != nil {
			return nil, err
		}
		if err := add(1, loss.HaywardMethod); err != nil {
			return nil, err
		}
	}
	for i := range all {
		all[i].quoted, all[i].groups = true, groups[i:i+1]
	}
	return all, nil
}

// reserved measures trunk reservation with two widths of jobs. Service times
// alike and unlike are two measures: Roberts' recursion counts on jobs that leave
// at one rate.
func reserved(ctx context.Context) ([]Measure, error) {
	all := []Measure{
		{Key: "ReservedAlike", Regime: "two classes of one service time on 8 and 24 servers"},
		{Key: "ReservedUnlike", Regime: "two classes on 8 and 24 servers, service times 5 times apart"},
	}
	groups := make([][]Case, len(all))
	for _, r := range table("reservation.csv") {
		f, err := loss.Reservation{Capacity: int(r.number("capacity")), Streams: []loss.ReservedStream{
			{Stream: loss.Stream{Name: "narrow", Width: 1, JobLoad: r.number("narrow_load")},
				Reserve: int(r.number("reserve"))},
			{Stream: loss.Stream{Name: "wide", Width: int(r.number("wide")), JobLoad: r.number("wide_load")}},
		}}.Figures(ctx)
		if err != nil {
			return nil, err
		}
		kind := 0
		if r["narrow_rate"] != r["wide_rate"] {
			kind = 1
		}
		for i, name := range []string{"narrow", "wide"} {
			label := fmt.Sprintf("%s of 1 and %s on %s servers, reserve %s",
				name, r["wide"], r["capacity"], r["reserve"])
			groups[kind] = append(groups[kind], Case{label, f.Blocking[i], r.number(name + "_loss"), 0})
		}
	}
	for i := range all {
		m := &all[i]
		m.Method, m.Figure, m.Source, m.Default =
			"Kaufman-Roberts with trunk reservation (Roberts)", "loss by class", "exact chains", true
		m.quoted, m.groups = true, groups[i:i+1]
	}
	return all, nil
}

// equivalent measures the loss of as many servers of speed 1 as unlike ones are
// worth, against the product form of these. PCU counts a machine of speed s as s
// servers. How far that is off is not quoted by a model but shown, since the
// question is asked by name.
func equivalent() ([]Measure, error) {
	m := Measure{
		Key:    "EquivalentServers",
		Method: "a machine of speed s counted as s servers (PCU section 4.6)",
		Figure: "loss",
		Regime: "10 to 200 machines of speeds 0.34 to 2.2, offered 0.7 to 1.1 times what they can do, " +
			"loss above 1 in 1000",
		Source: "product form of unlike machines (Gumbel)",
	}
	var cases []Case
	for _, groups := range [][]unlike.Group{
		{{Servers: 29, Speed: 2.2}},
		{{Servers: 10, Speed: 2}},
		{{Servers: 10, Speed: 1}, {Servers: 30, Speed: 0.34}},
		{{Servers: 50, Speed: 1}, {Servers: 150, Speed: 0.34}},
		{{Servers: 20, Speed: 2}, {Servers: 20, Speed: 0.5}},
		{{Servers: 100, Speed: 1}, {Servers: 20, Speed: 1.5}},
	} {
		worth, name := 0.0, ""
		for _, g := range groups {
			worth += g.Servers * g.Speed
			name += fmt.Sprintf("%g of speed %g ", g.Servers, g.Speed)
		}
		for _, rho := range []float64{0.7, 0.8, 0.9, 1, 1.1} {
			exact, err := unlike.Blocking(rho*worth, groups...)
			if err != nil {
				return nil, err
			}
			// Where hardly anybody is lost, the errors are great and of no
			// consequence.
			if exact < 1e-3 {
				continue
			}
			b, err := queueing.ErlangB(worth, rho*worth)
			if err != nil {
				return nil, err
			}
			cases = append(cases, Case{fmt.Sprintf("%sat %g of their rate", name, rho), b, exact, 0})
		}
	}
	m.groups = [][]Case{cases}
	return []Measure{m}, nil
}

// fixedPoint measures the Erlang fixed point on small networks, against the sum
// over all their states.
func fixedPoint(ctx context.Context) ([]Measure, error) {
	m := Measure{
		Key:     "FixedPoint",
		Method:  "Erlang fixed point",
		Figure:  "loss by route",
		Regime:  "networks of two and three links of 5 to 40 servers, loss above 1 in 1000",
		Source:  "product form, summed over all states",
		quoted:  true,
		Default: true,
	}
	var cases []Case
	shapes := []struct {
		name   string
		routes [][]int
	}{
		{"two links in line", [][]int{{0}, {1}, {0, 1}}},
		{"two links, one route through both", [][]int{{0, 1}, {0}}},
		{"triangle", [][]int{{0}, {1}, {2}, {0, 1}, {1, 2}}},
	}
	for _, shape := range shapes {
		for _, servers := range []float64{5, 10, 20, 40} {
			if len(shape.routes) > 3 && servers > 10 {
				continue // 10^8 states
			}
			for _, rho := range []float64{0.6, 0.9, 1.2} {
				n := lossNetwork(shape.routes, servers, rho)
				f, err := n.FixedPoint(ctx)
				if err != nil {
					return nil, err
				}
				exact, err := exactLoss(ctx, &n)
				if err != nil {
					return nil, err
				}
				for r, b := range exact {
					if b > 1e-3 {
						cases = append(cases, Case{
							fmt.Sprintf("%s of %g, offered %g, route %d", shape.name, servers, rho, r+1),
							f.RouteBlocking[r], b, 0,
						})
					}
				}
			}
		}
	}
	m.groups = [][]Case{cases}
	return []Measure{m}, nil
}

// lossNetwork has links alike, each offered rho of its servers by its routes in
// equal parts. The triangle and the line then differ by how their routes share
// links, and not by their loads.
func lossNetwork(routes [][]int, servers, rho float64) networks.Loss {
	n := networks.Loss{}
	shares := map[int]float64{}
	for _, links := range routes {
		for _, l := range links {
			shares[l]++
		}
	}
	for range len(shares) {
		n.Links = append(n.Links, networks.Link{Servers: servers})
	}
	for _, links := range routes {
		// The load of a route is what the tightest of its links allows.
		load := math.Inf(1)
		for _, l := range links {
			load = min(load, rho*servers/shares[l])
		}
		n.Routes = append(n.Routes, networks.Route{Load: load, Links: links})
	}
	return n
}

// exactLoss sums ∏ a_r^k_r/k_r! over the states of a network: all of them, and for
// each route those in which one of its links is full. The states are visited
// route by route, each with as many calls as its links have room for; the weight
// of a state is multiplied up on the way.
func exactLoss(ctx context.Context, n *networks.Loss) ([]float64, error) {
	used := make([]float64, len(n.Links))
	total, full := 0.0, make([]float64, len(n.Routes))
	var visit func(r int, weight float64)
	visit = func(r int, weight float64) {
		if r == len(n.Routes) {
			total += weight
			for i, route := range n.Routes {
				for _, l := range route.Links {
					if used[l] >= n.Links[l].Servers {
						full[i] += weight
						break
					}
				}
			}
			return
		}
		if ctx.Err() != nil {
			return
		}
		for k := 0.0; ; k++ {
			fits := true
			for _, l := range n.Routes[r].Links {
				fits = fits && used[l] <= n.Links[l].Servers
			}
			if fits {
				visit(r+1, weight)
				// The calls of this route are taken off again, so that the next
				// number of the route before it finds the links as they were.
			} else {
				for _, l := range n.Routes[r].Links {
					used[l] -= k
				}
				return
			}
			for _, l := range n.Routes[r].Links {
				used[l]++
			}
			weight *= n.Routes[r].Load / (k + 1)
		}
	}
	visit(0, 1)
	for i := range full {
		full[i] /= total
	}
	return full, ctx.Err()
}
