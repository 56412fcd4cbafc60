package approximations

import (
	"fmt"
	"math"

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

// day is a curve of 24 intervals of length 1 about a mean load, half as much again
// at its top and half at its bottom.
func day(load, service float64) varying.Cycle {
	c := varying.Cycle{End: 24}
	for i := range 24 {
		c.Start = append(c.Start, float64(i))
		c.Rate = append(c.Rate, load/service*(1+0.5*math.Sin(2*math.Pi*(float64(i)+0.5)/24)))
	}
	return c
}

// curves simulates days that each method has staffed, to see how many really wait
// in each interval.
func curves() ([]trial, error) {
	var all []trial
	for _, m := range staffings {
		for _, load := range []float64{10, 50} {
			for _, service := range []float64{0.1, 0.5, 2} {
				c := day(load, service)
				loads, err := varying.IntervalLoads(c, service, 1, m.method)
				if err != nil {
					return nil, err
				}
				s := &station.Station{Classes: []station.Class{{Curve: &c,
					Service: queueing.Exponential{Mean: service}}}}
				var says []saying
				for i, a := range loads {
					n := math.Ceil(a)
					p := 1.0
					for ; p > staffedWait; n++ {
						if n <= a {
							continue
						}
						if p, err = queueing.ErlangC(n, a); err != nil {
							return nil, err
						}
						if p <= staffedWait {
							break
						}
					}
					s.Shifts = append(s.Shifts, int(n))
					s.Servers = max(s.Servers, int(n))
					says = append(says, saying{m.key, fmt.Sprintf("interval %d.wait_probability", i+1), p, 0})
				}
				t := ofStation("curve",
					fmt.Sprintf("%s, mean load %g erl, service %g of an interval", m.method, load, service), s, says)
				t.options.Replications = curveRuns
				all = append(all, t)
			}
		}
	}
	return all, nil
}

func curveMeasures() []Measure {
	var all []Measure
	for _, m := range staffings {
		all = append(all, Measure{
			Key:     m.key,
			Method:  m.method.String() + ", each interval in steady state",
			Figure:  "chance to wait in an interval",
			Regime:  "days of 24 intervals that rise and fall by half about 10 and 50 erl, exponential services of 0.1 to 2 intervals, staffed for one in five to wait",
			Source:  "simulation",
			quoted:  true,
			Default: m.method == varying.MOL,
		})
	}
	return all
}
