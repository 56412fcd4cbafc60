package approximations

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim/station"
)

// staffings are the ways to staff a curve.
var staffings = []struct {
	key    string
	method varying.Method
}{{"StaffingSIPP", varying.SIPP}, {"StaffingLagged", varying.LaggedSIPP}, {"StaffingMOL", varying.MOL}}

// curveRuns stand behind a day: few come in an interval, and they wait together.
const curveRuns = 100

// staffedWait is the chance to wait that each interval is staffed for.
const staffedWait = 0.2

// day is a curve of 24 intervals of length 1 about a mean load, that rises and falls
// by a share of it.
func day(load, service, swing float64) varying.Cycle {
	c := varying.Cycle{End: 24}
	for i := range 24 {
		c.Start = append(c.Start, float64(i))
		c.Rate = append(c.Rate, load/service*(1+swing*math.Sin(2*math.Pi*(float64(i)+0.5)/24)))
	}
	return c
}

// dayName names a day that a method staffs; one that swings by half needs no more words.
func dayName(m varying.Method, load, service, swing float64) string {
	name := fmt.Sprintf("%s, mean load %g erl, service %g of an interval", m, load, service)
	if swing != 0.5 {
		name += fmt.Sprintf(", swing %g", swing)
	}
	return name
}

// staffing returns the servers of each interval by a method, and the chance to wait
// that it expects of them. It staffs as the planner does: each interval by Erlang
// C at the load that the method gives it.
func staffing(c varying.Cycle, service float64, m varying.Method) (servers []int, expected []float64, err error) {
	loads, err := varying.IntervalLoads(c, service, 1, m)
	if err != nil {
		return nil, nil, err
	}
	for _, a := range loads {
		// More servers than the load are needed for a steady state, so that the
		// search begins above it.
		n := math.Floor(a) + 1
		p, err := queueing.ErlangC(n, a)
		for ; err == nil && p > staffedWait; p, err = queueing.ErlangC(n, a) {
			n++
		}
		if err != nil {
			return nil, nil, err
		}
		servers, expected = append(servers, int(n)), append(expected, p)
	}
	return servers, expected, nil
}

// curves simulates days that each method has staffed, to see how many really wait
// in each interval.
func curves() ([]trial, error) {
	var all []trial
	for _, m := range staffings {
		for _, load := range []float64{10, 50} {
			for _, service := range []float64{0.1, 0.5, 2} {
				c := day(load, service, 0.5)
				servers, expected, err := staffing(c, service, m.method)
				if err != nil {
					return nil, err
				}
				// Servers of a shift finish what they have begun, as in the
				// chain.
				s := &station.Station{Shifts: servers, Servers: slices.Max(servers),
					Classes: []station.Class{{Curve: &c, Service: queueing.Exponential{Mean: service}}}}
				var says []saying
				for i, p := range expected {
					says = append(says, saying{m.key, fmt.Sprintf("interval %d.wait_probability", i+1), p, 0})
				}
				t := ofStation("curve", dayName(m.method, load, service, 0.5), s, says)
				t.options.Replications = curveRuns
				all = append(all, t)
			}
		}
	}
	return all, nil
}

// curveMeasures are against chains in time, exact also where few wait; the simulated
// days are a check on the chains (TestChainsOfDays).
func curveMeasures() ([]Measure, error) {
	const regime = "days of 24 intervals whose load swings by 20% or 50% around 10 to 50 erl, " +
		"exponential services of 0.1 to 2 intervals, staffed so that 20% wait"
	var all []Measure
	var alike []Case
	for _, m := range staffings {
		cases, agreed, err := chainDays(m.method)
		if err != nil {
			return nil, err
		}
		// Of the intervals on which the three agree any of them gives the cases;
		// they are taken once.
		if m.method == varying.MOL {
			alike = agreed
		}
		all = append(all, Measure{
			Key:     m.key,
			Method:  m.method.String() + ", each interval in steady state",
			Figure:  "chance to wait in an interval",
			Regime:  regime,
			Source:  "exact chains in time",
			quoted:  true,
			Default: m.method == varying.MOL,
			groups:  [][]Case{cases},
		})
	}
	return append(all, Measure{
		Key:    "StaffingAgreed",
		Method: "SIPP, lagged SIPP and MOL where they agree, each interval in steady state",
		Figure: "chance to wait in an interval",
		Regime: "the intervals in which all three give the same servers, of " + regime,
		Source: "exact chains in time",
		quoted: true,
		groups: [][]Case{alike},
	}), nil
}

// chainDays are the intervals of the days of curves.csv, and of them those to which
// all methods give the same servers. The servers stand in the file too, and a
// difference says that the file belongs to another version of the methods.
func chainDays(m varying.Method) (all, agreed []Case, err error) {
	for _, r := range table("curves.csv") {
		if r["method"] != m.String() {
			continue
		}
		service := r.number("service")
		servers, expected, err := staffing(day(r.number("load"), service, r.number("swing")), service, m)
		if err != nil {
			return nil, nil, err
		}
		alike := slices.Repeat([]bool{true}, len(servers))
		for _, other := range staffings {
			by, _, err := staffing(day(r.number("load"), service, r.number("swing")), service, other.method)
			if err != nil {
				return nil, nil, err
			}
			for i := range by {
				alike[i] = alike[i] && by[i] == servers[i]
			}
		}
		if words := strings.Trim(fmt.Sprint(servers), "[]"); words != r["servers"] {
			return nil, nil, fmt.Errorf("approximations: a day of curves.csv has %s servers, staffed are %s",
				r["servers"], words)
		}
		for i, word := range strings.Fields(r["wait_probability"]) {
			truth, err := strconv.ParseFloat(word, 64)
			if err != nil {
				return nil, nil, err
			}
			c := Case{dayName(m, r.number("load"), service, r.number("swing")) +
				fmt.Sprintf(", interval %d", i+1), expected[i], truth, 0}
			if all = append(all, c); alike[i] {
				agreed = append(agreed, c)
			}
		}
	}
	return all, agreed, nil
}
