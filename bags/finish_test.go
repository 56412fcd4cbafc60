package bags

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/law"
)

func setup(tasks, work float64, p *hosts.Platform, s Server) *Setup {
	return &Setup{Bag: Bag{Size: Spread{tasks, 0}, Work: Spread{work, 0}}, Hosts: p, Server: s}
}

func exponential(n int) *hosts.Platform {
	return &hosts.Platform{Count: n, Up: law.Exponential{Scale: 7200}, Down: law.Exponential{Scale: 1800}, Speed: hosts.Speed{Mean: 1000}}
}

// One task of time w on machines with exponential stays is a restart with memory of
// none: with rate λ, delay D and attempts of chance e^(−λw),
//
//	E T = ask + w + (e^(λw) − 1)(1/λ − w/(e^(λw) − 1) + D)
//
// as the number of lost attempts is geometric and each takes the mean of an
// exponential time below w.
func TestOneTaskOnExponentialMachines(t *testing.T) {
	s := setup(1, 3e6, exponential(50), XWHEP)
	f, err := Finish(s)
	if err != nil {
		t.Fatal(err)
	}
	mean, step := 0.0, f.law.Step
	for _, v := range f.law.F {
		mean += (1 - v) * step
	}
	const lambda, w = 1.0 / 7200, 3000.0
	lost := math.Expm1(lambda * w)
	ask := 60 * 13.0 / 24 / 41 // of the first of 40, about
	want := ask + w + lost*(1/lambda-w/lost+870)
	numtest.Close(t, "mean", mean, want, 0.01)
	none := &hosts.Platform{Count: 3, Speed: hosts.Speed{Mean: 1000}}
	f, err = Finish(setup(2, 1e5, none, XWHEP))
	if err != nil {
		t.Fatal(err)
	}
	if q := f.Quantile(0.5); q < 100 || q > 190 {
		t.Errorf("machines that stay: %v s for tasks of 100 s, asked for within 90 s", q)
	}
}

// The law is one, and help never makes it later: more workers, or sooner, or a
// faster cloud.
func TestHelpHelps(t *testing.T) {
	for _, server := range []Server{XWHEP, BOINC, Checkpoint} {
		for _, tasks := range []float64{30, 400} {
			f, err := Finish(setup(tasks, 2e6, exponential(100), server))
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range f.law.F {
				if v < -1e-12 || v > 1+1e-9 || i > 0 && v < f.law.F[i-1]-1e-9 {
					t.Fatalf("%v, %v tasks: law %v at cell %d", server, tasks, v, i)
				}
			}
			slow, fast := Cloud{Speed: 3000, Boot: 120, Look: 60, SD: 0}, Cloud{Speed: 6000, Boot: 120, Look: 60, SD: 0}
			base := f.With(Help{0.9, 4}, slow)
			for name, other := range map[string]*Helped{
				"more":   f.With(Help{0.9, 8}, slow),
				"sooner": f.With(Help{0.5, 4}, slow),
				"faster": f.With(Help{0.9, 4}, fast),
			} {
				for _, p := range []float64{0.5, 0.95} {
					if other.Quantile(p) > base.Quantile(p)+2*f.law.Step {
						t.Errorf("%v, %v tasks, %s: %v s at %v, and %v s with less", server, tasks, name, other.Quantile(p), p, base.Quantile(p))
					}
				}
			}
			for _, by := range []float64{0.7 * f.Ideal, f.Ideal, 1.3 * f.Ideal} {
				got, want := f.helping(base.Start, slow, false, nil).chance(base.Workers, by), base.Chance(by)
				if math.Abs(got-want) > 1e-7 { // as ByTable
					t.Errorf("%v, %v tasks: chance %v by %v s alone, %v of the law", server, tasks, got, by, want)
				}
			}
			if base.Quantile(0.95) > f.Quantile(0.95)+f.law.Step {
				t.Errorf("%v, %v tasks: later with help", server, tasks)
			}
		}
	}
}

// No start and number of workers of a grid reaches the target for more than 2 %
// fewer hours than the design.
func TestCheapestAgainstBruteForce(t *testing.T) {
	c := Cloud{Speed: 3000, Boot: 120, Look: 60, SD: 0}
	for _, server := range []Server{XWHEP, BOINC} {
		for _, tasks := range longtest.Of([]float64{60}, []float64{60, 500}) {
			f, err := Finish(setup(tasks, 2e6, exponential(120), server))
			if err != nil {
				t.Fatal(err)
			}
			var all []*Helped
			for start := 0.0; start < 0.999; start += longtest.Of(0.06, 0.03) {
				for w := 1; w <= int(tasks); w += 1 + w/12 {
					all = append(all, f.With(Help{start, w}, c))
				}
			}
			for _, v := range []struct {
				share float64
				most  int
			}{{0.3, 0}, {0.7, 0}, {0.95, 0}, {0.3, 20}, {0.7, 3}, {0.7, 8}, {0.95, 1}, {0.95, 2}} {
				c.Most = v.most
				by := f.Half + v.share*(f.Quantile(0.95)-f.Half)
				best, ok, err := f.Cheapest(context.Background(), Target{by, 0.95}, c)
				if err != nil {
					t.Fatal(err)
				}
				least := math.Inf(1)
				for _, h := range all {
					if h.Chance(by) >= 0.95 && (c.Most == 0 || h.Workers <= c.Most) {
						least = min(least, h.Hours)
					}
				}
				switch {
				case c.Most > 0 && best.Workers > c.Most:
					t.Errorf("%v, %v tasks by %v s: %v of %d that can be had", server, tasks, by, best.Help, c.Most)
				case ok && best.Hours > 1.02*least:
					t.Errorf("%v, %v tasks by %v s: %v for %v hours, brute force %v", server, tasks, by, best.Help, best.Hours, least)
				case !ok && !math.IsInf(least, 1):
					t.Errorf("%v, %v tasks by %v s: none found, brute force %v hours", server, tasks, by, least)
				case ok && best.Chance(by) < 0.95:
					t.Errorf("%v, %v tasks by %v s: chance %v", server, tasks, by, best.Chance(by))
				}
			}
		}
	}
}

func TestFinishRefuses(t *testing.T) {
	for name, s := range map[string]*Setup{
		"no tasks":  setup(0, 1, exponential(3), XWHEP),
		"no work":   setup(5, 0, exponential(3), XWHEP),
		"no hosts":  setup(5, 1, nil, XWHEP),
		"no server": setup(5, 1, exponential(3), 9),
		"NaN":       setup(math.NaN(), 1, exponential(3), XWHEP),
	} {
		if _, err := Finish(s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	f, err := Finish(setup(5, 1e5, exponential(30), XWHEP))
	if err != nil {
		t.Fatal(err)
	}
	var domain *DomainError
	for _, target := range []Target{{0, 0.9}, {-1, 0.9}, {9, 0}, {9, 1}, {math.NaN(), 0.5}} {
		if _, _, err := f.Cheapest(context.Background(), target, Cloud{Speed: 3000, Boot: 0, Look: 0, SD: 0}); !errors.As(err, &domain) {
			t.Errorf("%v: error %v", target, err)
		}
	}
	if _, err := f.Frontier(context.Background(), 0.9, Cloud{}); !errors.As(err, &domain) {
		t.Errorf("a cloud without speed: %v", err)
	}
}

// Help that starts when all tasks are done is none: a share is rounded up to whole
// tasks, and no design or frontier has such.
func TestHelpStartsBeforeTheLastTask(t *testing.T) {
	for _, tasks := range []float64{1, 20, 100, 400} {
		f, err := Finish(setup(tasks, 1.2e6, exponential(50), XWHEP))
		if err != nil {
			t.Fatal(err)
		}
		c := Cloud{Speed: 3000, Boot: 120, Look: 60, SD: 0}
		after := f.With(Help{1 - 0.5/tasks, 9}, c)
		for _, p := range []float64{0.5, 0.95} {
			if got, want := after.Quantile(p), f.Quantile(p); got != want || after.Hours != 0 {
				t.Errorf("%v tasks: done by %v s with help after the last, %v without; %v hours", tasks, got, want, after.Hours)
			}
		}
		all, err := f.Designs(context.Background(), Target{f.Quantile(0.6), 0.95}, c)
		if err != nil {
			t.Fatal(err)
		}
		points, err := f.Frontier(context.Background(), 0.95, c)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			points = append(points, Point{Help: h.Help})
		}
		for _, p := range points {
			if p.Workers > 0 && math.Ceil(p.Start*tasks-1e-9) >= tasks {
				t.Errorf("%v tasks: help from %v on", tasks, p.Start)
			}
		}
	}
}
