package bot

import (
	"context"
	"math"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/law"
)

// designCases are bags with deadlines that want help, and the share by which the design
// was dearer than what a grid of simulations found.
var designCases = []struct {
	name     string
	server   Server
	tasks    float64
	minutes  float64
	machines int
	up, down law.Law
	cv       float64
	by       float64 // s
	dearer   float64
}{
	{"a", XWHEP, 400, 20, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 7872, 0.02},
	{"b", BOINC, 500, 30, 300, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 14170, 0.36},
	{"c", Checkpoint, 600, 60, 150, law.Exponential{Scale: 14400}, law.Exponential{Scale: 3600}, 0.25, 23742, 0.95},
	{"d", XWHEP, 2000, 12, 300, law.LogNormal{Mu: 6.5, Sigma: 2}, law.LogNormal{Mu: 7, Sigma: 1.5}, 0.2, 10972, 0.4},
	{"e", XWHEP, 900, 30, 400, law.Weibull{Shape: 0.9, Scale: 20000}, law.Exponential{Scale: 7200}, 0.15, 8875, 0.4},
}

// A tried is help as it went in runs on the same machines.
type tried struct {
	start   float64
	workers int
	ends    []float64
	hours   float64 // mean
}

func try(t *testing.T, k *Case, start float64, workers, runs int) *tried {
	t.Helper()
	c := *k
	c.Cloud, c.Credits = Cloud{Speed: hosts.Speed{Mean: CloudSpeed.Mean}, Boot: DefaultBoot}, 1e9
	c.Strategy = &spequlos.Strategy{
		When:    spequlos.When{Trigger: spequlos.Completed, Share: max(0.001, start)},
		HowMany: spequlos.HowMany{Amount: spequlos.Exactly, Workers: workers},
		How:     spequlos.Reschedule,
	}
	out := &tried{start: start, workers: workers}
	for i := range runs {
		o := simulate(t, &c, i)
		out.ends = append(out.ends, o.End)
		out.hours += o.CloudTime / 3600 / float64(runs)
	}
	return out
}

// met is the share of the runs that are done in time.
func (v *tried) met(by float64) float64 {
	n := 0.0
	for _, e := range v.ends {
		if e <= by {
			n++
		}
	}
	return n / float64(len(v.ends))
}

// The designs of package bags hold a margin of 5 %, which they need: one without was
// in time in 23 of 30 runs where 95 of 100 are asked for. They are in time by simulation, but
// for chance, in the five cases that were tried; and the margin has its price. On a grid
// of starts and numbers on the same machines, chosen by those very runs, help in time
// cost less by the shares that stand here, by runs of 30: nothing where one worker does,
// and up to 94 % where a few minutes more or less decide.
func TestDesignAgainstGrid(t *testing.T) {
	cases, runs := designCases[1:2], 16
	starts, numbers := []float64{0.8, 0.93, 0.96, 0.98, 0.99}, []float64{0.25, 0.5, 0.75, 1, 1.5}
	if longtest.Wanted() {
		cases, runs = designCases, 24
		starts, numbers = []float64{0.8, 0.9, 0.96, 0.98, 0.99, 0.995}, []float64{0.12, 0.25, 0.5, 1, 1.5}
	}
	for _, k := range cases {
		c := &Case{
			Bag:    bags.Bag{Size: bags.Spread{Mean: k.tasks}, Work: bags.Spread{Mean: k.minutes * 60000}},
			Hosts:  &hosts.Platform{Count: k.machines, Up: k.up, Down: k.down, Speed: hosts.Speed{Mean: 1000, SD: 1000 * k.cv}},
			Server: k.server,
		}
		f, err := bags.Finish(&bags.Setup{Bag: c.Bag, Hosts: c.Hosts, Server: c.Server})
		if err != nil {
			t.Fatal(err)
		}
		const chance, margin = 0.95, 1.05
		cloud := bags.Cloud{Speed: CloudSpeed.Mean, Boot: DefaultBoot, Look: spequlos.Period}
		h, ok, err := f.Cheapest(context.Background(), bags.Target{By: k.by / margin, Chance: chance}, cloud)
		if err != nil || !ok || h.Workers == 0 {
			t.Fatalf("%s: %v, %v, %+v", k.name, ok, err, h)
		}
		d := try(t, c, h.Start, h.Workers, runs)
		t.Logf("%s %v: %d workers from %v on: %.2f h by the closed form, %.2f h simulated, %.3f in time",
			k.name, k.server, h.Workers, h.Start, h.Hours, d.hours, d.met(k.by))
		if low := chance - 2*math.Sqrt(chance*(1-chance)/float64(runs)); d.met(k.by) < low {
			t.Errorf("%s: in time in %v of the runs, want %v", k.name, d.met(k.by), low)
		}
		least := d
		for _, s := range starts {
			for _, n := range numbers {
				v := try(t, c, s, int(math.Ceil(n*float64(h.Workers))), runs)
				if v.met(k.by) >= chance && v.hours < least.hours {
					least = v
				}
			}
		}
		gap := 1 - least.hours/d.hours
		t.Logf("%s: the least on the grid %.2f h, %d from %v on: %.0f %% less",
			k.name, least.hours, least.workers, least.start, 100*gap)
		if gap > k.dearer {
			t.Errorf("%s: %.0f %% dearer than the grid, want at most %.0f %%", k.name, 100*gap, 100*k.dearer)
		}
	}
}
