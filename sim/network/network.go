package network

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/sim"
)

// A Station serves customers.
type Station struct {
	Name    string
	Servers int  // ≥ 1, or 0 with Slower
	Delay   bool // everybody is served at once; Servers does not count
	// Slower is the speed, up to 1, at which those are served who find no server: on
	// public machines say. 0 lets them wait.
	Slower float64
}

// A Class of customers is closed, with Customers who go round the stations in their
// order and think in between, or open, with Rates and Routes.
type Class struct {
	Name      string
	Customers int
	Think     float64     // mean, s
	Demands   []float64   // mean service of a visit by station, s; a round passes 0 by
	Rates     []float64   // arrivals from outside by station, per s
	Routes    [][]float64 // chance to go on from station to station; what is missing to 1 leaves
}

// A Network is stations and who visits them.
type Network struct {
	Stations []Station
	Classes  []Class
}

// The limits of what is simulated: each event looks at all stations, and each
// customer takes memory.
const (
	maxStations  = 1000
	maxClasses   = 100
	maxCustomers = 1_000_000
)

// least bounds times and the inverse of rates, so that the rates of all customers add up to a number.
const least = 1e-290

// Check says what of the network lies outside its domain, as a *[sim.DomainError].
func (n *Network) Check() error {
	fail := func(arg string, v float64, want string) error {
		return &sim.DomainError{Func: "Network", Arg: arg, Value: v, Want: want}
	}
	if len(n.Stations) < 1 || len(n.Stations) > maxStations {
		return fail("Stations", float64(len(n.Stations)), "1 to 1000 stations")
	}
	if len(n.Classes) < 1 || len(n.Classes) > maxClasses {
		return fail("Classes", float64(len(n.Classes)), "1 to 100 classes")
	}
	for i, s := range n.Stations {
		if !(s.Slower >= 0 && s.Slower <= 1) {
			return fail(fmt.Sprintf("Stations[%d].Slower", i), s.Slower, "0 <= Slower <= 1")
		}
		if !s.Delay && (s.Servers < 0 || s.Servers == 0 && s.Slower == 0) {
			return fail(fmt.Sprintf("Stations[%d].Servers", i), float64(s.Servers), "Servers >= 1")
		}
	}
	customers, rate := 0, 0.0
	for k := range n.Classes {
		c := &n.Classes[k]
		at := fmt.Sprintf("Classes[%d].", k)
		if len(c.Demands) != len(n.Stations) {
			return fail(at+"Demands", float64(len(c.Demands)), "one for each station")
		}
		for _, d := range append([]float64{c.Think}, c.Demands...) {
			if !(d == 0 || d >= least && d <= math.MaxFloat64) {
				return fail(at+"Demands", d, "0, or finite times from 1e-290 on")
			}
		}
		if c.Customers < 0 || c.Customers > maxCustomers {
			return fail(at+"Customers", float64(c.Customers), "0 to 1000000 customers")
		}
		customers += c.Customers
		if c.Customers > 0 {
			if c.Think == 0 && c.first(-1) < 0 {
				return fail(at+"Demands", 0, "a round that takes time")
			}
			rate++
			continue
		}
		r, err := c.checkOpen(at, len(n.Stations))
		if err != nil {
			return err
		}
		rate += r
	}
	if customers > maxCustomers {
		return fail("Customers", float64(customers), "0 to 1000000 customers in all")
	}
	if rate == 0 {
		return fail("Customers", 0, "somebody who comes")
	}
	return nil
}

// Memory is what the customers of one run take, in bytes: the closed ones, and those of open classes who pile up where
// each has a server of his own, as on the slow machines of a pool. Elsewhere an open network in a steady state takes no
// more than some thousands do.
func (n *Network) Memory(horizon float64) float64 {
	const each = 48 // 24 of a customer, and as much again while a line of them grows
	if n.Check() != nil {
		return 0
	}
	there := 1e4
	for k := range n.Classes {
		c := &n.Classes[k]
		there += float64(c.Customers)
		for _, rate := range c.Rates {
			for i, s := range n.Stations {
				switch {
				case !(rate > 0):
				case s.Delay:
					there += rate * min(horizon, c.Demands[i])
				case s.Slower > 0:
					there += rate * min(horizon, c.Demands[i]/s.Slower)
				}
			}
		}
	}
	return each * there
}

func (c *Class) checkOpen(at string, stations int) (rate float64, err error) {
	fail := func(arg string, v float64, want string) error {
		return &sim.DomainError{Func: "Network", Arg: at + arg, Value: v, Want: want}
	}
	if len(c.Rates) == 0 {
		return 0, nil // a closed class of nobody
	}
	if len(c.Rates) != stations || len(c.Routes) != stations {
		return 0, fail("Routes", float64(len(c.Routes)), "a rate and routes for each station")
	}
	for i, row := range c.Routes {
		if r := c.Rates[i]; !(r >= 0 && r <= 1/least) {
			return 0, fail("Rates", r, "rates from 0 to 1e290")
		}
		rate += c.Rates[i]
		if len(row) != stations {
			return 0, fail("Routes", float64(len(row)), "a chance for each station")
		}
		sum := 0.0
		for _, p := range row {
			if !(p >= 0) {
				return 0, fail("Routes", p, "chances >= 0")
			}
			sum += p
		}
		if sum > 1+1e-9 {
			return 0, fail("Routes", sum, "chances that add up to at most 1")
		}
		if !(c.Demands[i] > 0) {
			return 0, fail("Demands", c.Demands[i], "a service time above 0 at each station of an open network")
		}
	}
	return rate, nil
}

// first returns the next station of a round after one, −1 where the round ends.
func (c *Class) first(after int) int {
	for i := after + 1; i < len(c.Demands); i++ {
		if c.Demands[i] > 0 {
			return i
		}
	}
	return -1
}

// ordered reports whether a station serves in order of arrival.
func (n *Network) ordered(station int) bool {
	if n.Stations[station].Delay || n.Stations[station].Slower > 0 {
		return false
	}
	mean := 0.0
	for k := range n.Classes {
		d := n.Classes[k].Demands[station]
		if d > 0 && mean > 0 && d != mean {
			return false
		}
		mean = max(mean, d)
	}
	return true
}

// The figures of the network, of a station and of a class.
var (
	ofAll = []sim.Figure{
		{Name: "throughput_per_s", Unit: "1/s", Kind: sim.Ratio},
		{Name: "mean_response_s", Unit: "s", Kind: sim.Tally},
	}
	ofStation = []sim.Figure{
		{Name: "utilization", Kind: sim.TimeAverage, Scale: 0.01},
		{Name: "mean_number", Kind: sim.TimeAverage, Scale: 0.05},
		{Name: "arrival_rate_per_s", Unit: "1/s", Kind: sim.Ratio, Free: true},
		{Name: "mean_wait_s", Unit: "s", Kind: sim.Tally, Free: true},
		{Name: "mean_response_s", Unit: "s", Kind: sim.Tally, Free: true},
	}
	ofClass = ofAll
)

// Figures lists those of the network, "throughput_per_s" of rounds or of those that
// leave and "mean_response_s" without thinking; the same of a class as "class
// NAME.throughput_per_s"; and of a station, as "station NAME.utilization".
func (n *Network) Figures() []sim.Figure {
	var all []sim.Figure
	add := func(prefix string, figures []sim.Figure) {
		for _, f := range figures {
			f.Name = prefix + f.Name
			all = append(all, f)
		}
	}
	add("", ofAll)
	for i := range n.Stations {
		add(n.StationName(i)+".", ofStation)
	}
	for k := range n.Classes {
		add(n.ClassName(k)+".", ofClass)
	}
	return all
}

// StationName is what the figures of a station begin with.
func (n *Network) StationName(i int) string {
	if i < 0 || i >= len(n.Stations) {
		return "station " + label("", i)
	}
	return "station " + label(n.Stations[i].Name, i)
}

// ClassName is what the figures of a class begin with.
func (n *Network) ClassName(k int) string {
	if k < 0 || k >= len(n.Classes) {
		return "class " + label("", k)
	}
	return "class " + label(n.Classes[k].Name, k)
}

func label(name string, i int) string {
	if name == "" {
		return fmt.Sprint(i + 1)
	}
	return name
}
