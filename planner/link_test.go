package planner

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/units"
)

// linked is the farm behind a link, with an arrival rate.
func linked(t *testing.T, up float64) *PlanQuestion {
	q := farm(t)
	q.Load, q.Service = &scenario.Load{Rate: rangeOf[units.Rate](t, "1.2/s")}, &scenario.Service{Time: rangeOf[units.Duration](t, "100s")}
	q.Epoch = &scenario.Epoch{Length: new(units.Duration(120))}
	q.Link = &scenario.Link{Uplink: new(units.Bandwidth(up)), Downlink: new(units.Bandwidth(1e9)), Footprint: new(units.Size(1e7))}
	return q
}

// A publicLoad is what a mix of 1 rack, 2.2 big and spot machines puts on the
// link, written down apart from the planner: 80 Mbit a job, two replicas.
type publicLoad struct{ share, places, jobs, failures, epoch, up, down float64 }

func loadOf(rack, big, spot float64, epoch func(dedicated, failures float64) (float64, bool)) (l publicLoad, ok bool) {
	const pav, k, m = farmUp, 2, 80e6
	if spot == 0 {
		return l, true
	}
	l.share, l.jobs = farmWork(rack, big, spot)
	l.places = pav / k * spot
	// Both replicas are down p² of the time, for MTTR/2 on average.
	const down = 1 - pav
	l.failures = l.jobs * down * down / 300
	l.epoch, ok = epoch(rack+big, l.failures)
	swaps := math.Min(rack+big, l.places) / l.epoch
	l.up, l.down = k*m*(1.2*l.share+swaps), m*swaps
	return l, ok
}

const farmUp = 18000. / 18600

// farmKnown are share and jobs on spot machines by racks, big and spot machines.
var farmKnown [141][13][201][2]float64

// farmWork returns the share of the served jobs that spot machines of the farm
// take, and how many they hold: with 120 erl and u of them up, two for each job, a
// server of speed v is busy
//
//	b(v) = ∫ a/(a + t) g(t) dt / ∫ g(t) dt,  a = 120/v,
//	g(t) = e^(−t) (1 + t/120)^rack (1 + t·2.2/120)^big (1 + t·0.8/120)^(u/2)
//
// and serves v·b jobs, averaged over u.
func farmWork(rack, big, spot float64) (share, jobs float64) {
	known := &farmKnown[int(rack)][int(big)][int(spot)]
	if known[1] > 0 {
		return known[0], known[1]
	}
	const panels, width = 26, 10.
	first := math.Max(math.Floor(spot*farmUp-30), 0) // fewer are up less than 1e-10 of the time
	var x, w [10]float64
	quad.Legendre{}.FixedLocations(x[:], w[:], 0, width)
	var g, grow [panels * 10]float64
	var idle [3][panels * 10]float64
	for p := range panels {
		for i := range x {
			t, k := float64(p)*width+x[i], 10*p+i
			g[k] = w[i] * math.Exp(rack*math.Log1p(t/120)+big*math.Log1p(t*2.2/120)+first/2*math.Log1p(t*0.8/120)-t)
			grow[k] = math.Sqrt(1 + t*0.8/120)
			for j, v := range []float64{1, 2.2, 0.8} {
				idle[j][k] = 1 / (1 + t*v/120)
			}
		}
	}
	ways := func(n float64) float64 { l, _ := math.Lgamma(n + 1); return l }
	all, public := 0., 0.
	chance := math.Exp(ways(spot) - ways(first) - ways(spot-first) +
		first*math.Log(farmUp) + (spot-first)*math.Log(1-farmUp))
	for u := first; u <= spot; u++ {
		sum, busy := 0., [3]float64{}
		for k, y := range g {
			sum += y
			for j := range busy {
				busy[j] += y * idle[j][k]
			}
			g[k] = y * grow[k]
		}
		all += chance * (rack*busy[0] + 2.2*big*busy[1] + 0.8*u/2*busy[2]) / sum
		public += chance * 0.8 * u / 2 * busy[2] / sum
		chance *= (spot - u) / (u + 1) * farmUp / (1 - farmUp)
	}
	known[0], known[1] = public/all, public/0.8
	return known[0], known[1]
}

// fewest returns the least number of racks, up to the most, that meet a limit
// on blocking beside other machines, by the queue of all of them; most + 1 where
// none does.
func fewest(t *testing.T, load, limit, most float64, beside []unlike.Group, coming []unlike.Coming) float64 {
	t.Helper()
	low, high := -1., most+1
	for high-low > 1 {
		middle := math.Floor((low + high) / 2)
		v := unlike.Varying{Queue: unlike.Queue{ArrivalRate: load, ServiceTime: 1, Beside: beside}, Coming: coming}
		f, err := v.At(middle)
		if err != nil {
			t.Fatal(err)
		}
		if f.Blocking <= limit {
			high = middle
		} else {
			low = middle
		}
	}
	return high
}

// farmRacks are the least racks of the farm beside so many big and spot machines.
var farmRacks [13][201]float64

func setFarmRacks(t *testing.T) {
	t.Helper()
	if farmRacks[0][0] > 0 {
		return
	}
	for big := range farmRacks {
		most := 139.
		for spot := range farmRacks[big] {
			beside := []unlike.Group{{Servers: float64(big), Speed: 2.2}}
			coming := []unlike.Coming{{Machines: float64(spot), Up: 18000. / 18600, Speed: 0.8, PerJob: 2}}
			if most > 0 { // each spot machine is worth less than a rack
				for n := most - 1; n >= 0; n-- {
					v := unlike.Varying{Queue: unlike.Queue{ArrivalRate: 120, ServiceTime: 1, Beside: beside}, Coming: coming}
					f, err := v.At(n)
					if err != nil {
						t.Fatal(err)
					}
					if f.Blocking > 0.01 {
						break
					}
					most = n
				}
			}
			farmRacks[big][spot] = most
		}
	}
}

// bruteMix tries every mix that meets the limit on blocking and costs no more than found
// does by a millionth; where there is none, that is the best cost.
func bruteMix(t *testing.T, found float64, admits func(rack, big, spot float64) bool) (best float64, counts [3]int64) {
	t.Helper()
	setFarmRacks(t)
	best = found * (1 + 1e-6)
	for rack := 0.; rack <= 140; rack++ {
		for big := 0.; big <= 12; big++ {
			for spot := 0.; spot <= 200; spot++ {
				cost := 0.42*rack + 0.9*big + 0.07*spot
				if cost >= best-1e-9 {
					break
				}
				if rack >= farmRacks[int(big)][int(spot)] && admits(rack, big, spot) {
					best, counts = cost, [3]int64{int64(rack), int64(big), int64(spot)}
				}
			}
		}
	}
	return best, counts
}

func fixedEpoch(delta float64) func(float64, float64) (float64, bool) {
	return func(float64, float64) (float64, bool) { return delta, true }
}

// Behind links of any width the mix is the cheapest of all whose own share of
// public work, and no more, the link carries.
func TestPlanLinkAgainstAllMixes(t *testing.T) {
	free := planned(t, farm(t)).Mix
	held := 0
	links := longtest.Of([]float64{2.0e8}, []float64{1e10, 2.0e8, 1.5e8, 1.1e8, 8e7, 5e7, 2e7, 3e6, 1e3})
	for _, up := range links {
		q := linked(t, up)
		a := planned(t, q)
		best, counts := bruteMix(t, a.Mix.Cost, func(rack, big, spot float64) bool {
			l, _ := loadOf(rack, big, spot, fixedEpoch(120))
			return l.up < up && l.down < 1e9
		})
		numtest.Close(t, fmt.Sprintf("cost behind %g bit/s", up), a.Mix.Cost, best, 1e-9)
		if !a.Mix.Optimal || len(a.Infeasible) > 0 || a.Link == nil {
			t.Errorf("%g bit/s: optimal %v, infeasible %+v, best %v", up, a.Mix.Optimal, a.Infeasible, counts)
			continue
		}
		m := a.Mix.Machines
		l, _ := loadOf(float64(m[0].Count), float64(m[1].Count), float64(m[2].Count), fixedEpoch(120))
		numtest.Close(t, "share", *a.Link.PublicShare, l.share, 1e-9)
		if l.share > 0 {
			numtest.Close(t, "uplink used", *a.Link.UplinkUtilization, l.up/up, 1e-9)
			numtest.Close(t, "downlink used", *a.Link.DownlinkUtilization, l.down/1e9, 1e-9)
		}
		bound := false
		for _, b := range a.Mix.Binding {
			bound = bound || b.Constraint == "link"
		}
		if dearer := a.Mix.Cost > free.Cost*(1+1e-9); bound != dearer {
			t.Errorf("%g bit/s: the link binds %v, the mix costs %v without it %v", up, bound, a.Mix.Cost, free.Cost)
		} else if dearer {
			held++
		}
	}
	if held < len(links)/2 {
		t.Errorf("the link cost money in %d cases, want more", held)
	}
}

// An epoch that follows from the public jobs of the mix: fewer of them lose all
// replicas less often, and leave a longer epoch and a lighter link.
func TestPlanEpochAgainstAllMixes(t *testing.T) {
	cases := []struct{ migrations, time, up float64 }{
		{2, 30, 9e7}, {30, 150, 1e10}, {50, 110, 8e7}, {2, 30, 1e10}, {40, 30, 7e7},
	}
	for _, c := range cases[:longtest.Of(1, len(cases))] {
		q := linked(t, c.up)
		q.Epoch = &scenario.Epoch{Migrations: new(units.Number(c.migrations)), MigrationTime: new(units.Duration(c.time))}
		a := planned(t, q)
		best := func(dedicated, y float64) (float64, bool) {
			x := math.Min(c.migrations, dedicated)
			if x == 0 {
				return math.Inf(1), true
			}
			// The least of f(δ) in between, by golden section.
			low, high := x*c.time, 2/y-2*c.time
			if low >= high {
				return 1, false
			}
			f := func(d float64) float64 { u := y * (c.time + d/2); return u/(1-u) + x*c.time/(d-x*c.time) }
			for high-low > 1e-11*high {
				a, b := low+0.381966*(high-low), low+0.618034*(high-low)
				if f(a) < f(b) {
					high = b
				} else {
					low = a
				}
			}
			return low, true
		}
		cost, counts := bruteMix(t, a.Mix.Cost, func(rack, big, spot float64) bool {
			l, ok := loadOf(rack, big, spot, best)
			return ok && l.up < c.up && l.down < 1e9
		})
		numtest.Close(t, fmt.Sprintf("cost of %+v (%v)", c, counts), a.Mix.Cost, cost, 1e-9)
		m := a.Mix.Machines
		if !a.Mix.Optimal || len(a.Infeasible) > 0 || m[2].Count > 0 && a.Epoch == nil {
			t.Errorf("%+v: optimal %v, infeasible %+v", c, a.Mix.Optimal, a.Infeasible)
			continue
		}
		if m[2].Count == 0 {
			continue
		}
		l, _ := loadOf(float64(m[0].Count), float64(m[1].Count), float64(m[2].Count), best)
		numtest.Close(t, "public jobs", *a.Epoch.PublicJobs, l.jobs, 1e-9)
		numtest.Close(t, "failures", a.Epoch.FailureRate, l.failures, 1e-9)
		numtest.Close(t, "epoch", a.Epoch.Epoch, l.epoch, 1e-5)
	}
}

// With two public types of unlike replicas, few machines, an at_least that only
// more dedicated machines dilute.
func TestPlanLinkOfSeveralTypes(t *testing.T) {
	racks := map[[3]float64]float64{}
	limit := units.Count(6)
	for blade := 0.; blade <= 6; blade++ {
		for spot := 0.; spot <= 6; spot++ {
			for lab := 0.; lab <= 6; lab++ {
				racks[[3]float64{blade, spot, lab}] = fewest(t, 5, 0.02, 12, []unlike.Group{{Servers: blade, Speed: 1.5}}, []unlike.Coming{
					{Machines: spot, Up: 0.7, Speed: 1, PerJob: 2}, {Machines: lab, Up: 0.6, Speed: 1.2, PerJob: 3},
				})
			}
		}
	}
	for _, c := range []struct {
		up      float64
		atLeast units.Count
	}{{5e6, 0}, {1.5e7, 0}, {3e7, 0}, {6e7, 0}, {2e7, 4}, {1.2e7, 4}, {4e7, 5}} {
		q := &scenario.Question{
			Load: &scenario.Load{Rate: rangeOf[units.Rate](t, "0.05/s")}, Service: &scenario.Service{Time: rangeOf[units.Duration](t, "100s")},
			Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.02))},
			Machines: []scenario.MachineType{
				{Name: "rack", Price: rangeOf[units.Price](t, "1/h"), Limit: new(units.Count(60))},
				{Name: "blade", Price: rangeOf[units.Price](t, "1.55/h"), Speed: rangeOf[units.Number](t, "1.5"), Limit: &limit},
				{Name: "spot", Kind: scenario.Public, Price: rangeOf[units.Price](t, "0.2/h"), Availability: rangeOf[units.Fraction](t, "70%"), Replicas: new(units.Count(2)), Limit: &limit, AtLeast: &c.atLeast},
				{Name: "lab", Kind: scenario.Public, Price: rangeOf[units.Price](t, "0.15/h"), Availability: rangeOf[units.Fraction](t, "60%"), Speed: rangeOf[units.Number](t, "1.2"), Replicas: new(units.Count(3)), Limit: &limit},
			},
			Link: &scenario.Link{Uplink: new(units.Bandwidth(c.up)), Downlink: new(units.Bandwidth(1e9)), Footprint: new(units.Size(1e6)), Epoch: new(units.Duration(30))},
			Seed: new(units.Count(1)),
		}
		a := planned(t, q)
		best := math.Inf(1)
		for rack := 0.; rack <= 60; rack++ {
			for blade := 0.; blade <= 6; blade++ {
				for spot := float64(c.atLeast); spot <= 6; spot++ {
					for lab := 0.; lab <= 6; lab++ {
						cost := rack + 1.55*blade + 0.2*spot + 0.15*lab
						if cost >= best-1e-9 || rack < racks[[3]float64{blade, spot, lab}] {
							continue
						}
						if spot+lab > 0 {
							queue := unlike.Queue{
								ArrivalRate: 5,
								ServiceTime: 1,
								Beside:      []unlike.Group{{Servers: rack, Speed: 1}, {Servers: blade, Speed: 1.5}},
							}
							b, v, err := unlike.Varying{Queue: queue, Coming: []unlike.Coming{
								{Machines: spot, Up: 0.7, Speed: 1, PerJob: 2}, {Machines: lab, Up: 0.6, Speed: 1.2, PerJob: 3},
							}}.Busy()
							if err != nil {
								t.Fatal(err)
							}
							ws, wl := v[0], 1.2*v[1]
							k := (2*ws + 3*wl) / (ws + wl)
							swaps := math.Min(rack+blade, 0.7/2*spot+0.6/3*lab) / 30
							if k*8e6*(0.05*(ws+wl)/(b[0]+1.5*b[1]+ws+wl)+swaps) >= c.up {
								continue
							}
						}
						best = cost
					}
				}
			}
		}
		if math.IsInf(best, 1) {
			if len(a.Infeasible) == 0 || a.Infeasible[0].Constraint != "link" {
				t.Errorf("%+v: %+v, want no mix that the link carries", c, a.Infeasible)
			}
			continue
		}
		numtest.Close(t, fmt.Sprintf("cost of %+v", c), a.Mix.Cost, best, 1e-9)
	}
}

// A link that nothing uses is no reason to fail, and one without bandwidths is
// told what the mix needs.
func TestPlanLinkUnused(t *testing.T) {
	q := linked(t, 50e6)
	q.Machines[2].Price = rangeOf[units.Price](t, "3/h")
	a := planned(t, q)
	if len(a.Infeasible) > 0 || a.Link == nil || *a.Link.UplinkUtilization != 0 || len(a.Link.Warnings) == 0 {
		t.Errorf("%+v, %+v", a.Infeasible, a.Link)
	}
	q = linked(t, 0)
	q.Link.Uplink, q.Link.Downlink = nil, nil
	a = planned(t, q)
	m := a.Mix.Machines
	l, _ := loadOf(float64(m[0].Count), float64(m[1].Count), float64(m[2].Count), fixedEpoch(120))
	numtest.Close(t, "least uplink", *a.Link.MinUplink, l.up, 1e-9)
	numtest.Close(t, "least downlink", *a.Link.MinDownlink, l.down, 1e-12)
}

// No stable epoch keeps public machines out; more migrations in an epoch than
// dedicated machines are refused where their number is given and capped else.
func TestPlanEpochMigrations(t *testing.T) {
	q := farm(t)
	q.Epoch = &scenario.Epoch{Migrations: new(units.Number(100)), MigrationTime: new(units.Duration(100)), FailureRate: new(units.Rate(1. / 200))}
	a := planned(t, q)
	if len(a.Infeasible) != 1 || a.Infeasible[0].Question != "epoch" || a.Mix.PublicShare != 0 {
		t.Errorf("no stable epoch: %+v, %v", a.Infeasible, a.Mix.PublicShare)
	}
	q = farm(t)
	q.Epoch = &scenario.Epoch{Migrations: new(units.Number(1000)), MigrationTime: new(units.Duration(0.1))}
	a = planned(t, q)
	if want := float64(dedicatedOf(a)); a.Epoch.Migrations != want || !strings.Contains(strings.Join(a.Warnings, "\n"), "x ≤ N_d") {
		t.Errorf("%v migrations of %v, %q", a.Epoch.Migrations, want, a.Warnings)
	}
	q = &scenario.Question{Epoch: &scenario.Epoch{Migrations: new(units.Number(101)), MigrationTime: new(units.Duration(1)), FailureRate: new(units.Rate(1e-5))},
		Link: &scenario.Link{Uplink: new(units.Bandwidth(1e9)), Downlink: new(units.Bandwidth(1e9)), Footprint: new(units.Size(1e6)), Replicas: new(units.Count(2)), Dedicated: new(units.Count(100))}}
	var bad *ask.InputError
	if _, err := Plan(context.Background(), q); !errors.As(err, &bad) || bad.Field != "epoch.migrations" {
		t.Errorf("more migrations than dedicated servers: %v", err)
	}
}

// The part replicas does not reach the mix, whose target is the objectives':
// where the two differ the plan says so.
func TestPlanReplicasOfTwoTargets(t *testing.T) {
	q := farm(t)
	q.Objectives.Availability = nil
	q.Replicas = &scenario.Replicas{MTTF: new(units.Duration(18000)), MTTR: new(units.Duration(600)), Target: 0.99}
	if w := strings.Join(planned(t, q).Warnings, "\n"); !strings.Contains(w, "finds 2 for a job, but the mix uses 1 on spot") {
		t.Errorf("%q", w)
	}
	q.Objectives.Availability = new(units.Fraction(0.99))
	if w := planned(t, q).Warnings; len(w) > 0 {
		t.Errorf("%q", w)
	}
}

// A machine with slots holds as many jobs: each of them may be swapped.
func TestPlanLinkOfSlots(t *testing.T) {
	q := linked(t, 1e10)
	q.Machines[0].Slots, q.Machines[2].Slots = new(units.Count(4)), new(units.Count(3))
	q.Machines[0].Limit, q.Machines[1].Limit, q.Machines[2].AtLeast = new(units.Count(30)), new(units.Count(0)), new(units.Count(12))
	q.Machines[0].AtLeast, q.Machines[2].Limit = new(units.Count(10)), new(units.Count(60))
	a := planned(t, q)
	m := a.Mix.Machines
	places := farmUp * 3 / 2 * float64(m[2].Count)
	numtest.Close(t, "places", *a.Link.Places, places, 1e-12)
	numtest.Close(t, "swaps", *a.Link.Swaps, math.Min(4*float64(m[0].Count), places), 1e-12)
	if m[0].Count == 0 || places < float64(m[0].Count) {
		t.Errorf("%d racks and %d spot machines tell nothing", m[0].Count, m[2].Count)
	}
}

// What a plan leads with where the load is a range, and every mix of its frontier,
// goes over the link at the most likely figures.
func TestPlanLeadingIsCarried(t *testing.T) {
	for _, up := range longtest.Of([]float64{5e7}, []float64{1.1e8, 5e7}) {
		q := linked(t, up)
		q.Load.Rate, q.Samples = rangeOf[units.Rate](t, "1..1.2..1.6/s"), new(units.Count(longtest.Of(40, 200)))
		a := planned(t, q)
		if len(a.Infeasible) > 0 {
			t.Errorf("%g bit/s: %+v", up, a.Infeasible)
		}
		for _, c := range append(a.Frontier.Points, a.Recommended.MixCandidate) {
			n := c.Counts
			if n[0] > 140 || n[2] > 200 {
				continue // beyond what loadOf knows
			}
			if l, _ := loadOf(float64(n[0]), float64(n[1]), float64(n[2]), fixedEpoch(120)); l.up > up*(1+1e-9) {
				t.Errorf("%v asks %g bit/s of the uplink of %g", n, l.up, up)
			}
		}
	}
}
