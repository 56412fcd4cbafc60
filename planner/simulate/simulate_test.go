package simulate

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

func ptr[T any](v T) *T { return &v }

func mm1(rate float64) System {
	return System{
		Model:   "M/M/1",
		Station: station.Station{Servers: 1, Classes: []station.Class{{Gaps: queueing.Exponential{Mean: 1 / rate}, Service: queueing.Exponential{Mean: 1}}}},
	}
}

// A closed form that is right agrees, one a tenth off differs and says by how much,
// in the unit of the question.
func TestVerdict(t *testing.T) {
	s := mm1(0.5)
	s.Unit = 60 // E[W] is one service of a minute
	s.Closed = map[string]*float64{"mean_wait_s": ptr(60.0), "mean_response_s": ptr(132.0), "throughput_per_s": ptr(0.5 / 60)}
	a, err := (&Question{Precision: ptr(units.Fraction(0.02)), Seed: 1}).Of(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	wait, response := a.Figures["mean_wait_s"], a.Figures["mean_response_s"]
	if !*wait.Agrees || !*a.Figures["throughput_per_s"].Agrees {
		t.Errorf("what is right differs: %+v", a.Figures)
	}
	if *response.Agrees || math.Abs(*response.Difference-0.1) > 0.02 || *a.Agrees {
		t.Errorf("a tenth too much: agrees %v, off by %v", *response.Agrees, *response.Difference)
	}
	if w := a.Warnings(""); len(w) != 1 || !strings.Contains(w[0], "should be exact") {
		t.Errorf("warnings %v", w)
	}
	if w := a.Warnings("Kingman"); len(w) != 1 || !strings.Contains(w[0], "Kingman is an approximation") {
		t.Errorf("warnings %v", w)
	}
	if !a.Reached || a.EventsPerSecond != nil || len(a.Figures) != 3 {
		t.Errorf("%+v", a)
	}
}

// No interval of three short runs holds what cannot be: times below 0, chances above 1.
func TestIntervalsArePossible(t *testing.T) {
	s := mm1(3)
	s.Station.Servers, s.All = 5, true
	a, err := (&Question{Replications: ptr(units.Count(3)), Horizon: ptr(units.Duration(20)), Seed: 1}).
		Of(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wait_probability", "utilization", "time_congestion"} {
		if f := a.Figures[name]; *f.Low < 0 || *f.High > 1 {
			t.Errorf("%s: %g to %g", name, *f.Low, *f.High)
		}
	}
	for _, name := range []string{"mean_wait_s", "mean_queue_length"} {
		if f := a.Figures[name]; *f.Low < 0 || *f.High < *f.Mean {
			t.Errorf("%s: %g to %g", name, *f.Low, *f.High)
		}
	}
}

// Runs in which nobody waits are do not prove against a mean wait that is not 0: they tell no
// upper end of it, only one of the share that waits.
func TestNobodyWaited(t *testing.T) {
	s := mm1(10)
	s.Station.Servers = 40
	f, err := queueing.MMC{ArrivalRate: 10, ServiceTime: 1}.At(40)
	if err != nil {
		t.Fatal(err)
	}
	s.Closed = map[string]*float64{"mean_wait_s": &f.MeanWait, "mean_queue_length": ptr(10 * f.MeanWait),
		"wait_probability": &f.WaitProbability}
	a, err := (&Question{Replications: ptr(units.Count(5)), Seed: 1}).Of(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"mean_wait_s", "mean_queue_length"} {
		if g := a.Figures[name]; *g.Mean != 0 || g.High != nil || g.Agrees != nil {
			t.Errorf("%s %v to %v, agrees %v, want a 0 of which no upper end is known", name, *g.Mean, g.High, g.Agrees)
		}
	}
	share := a.Figures["wait_probability"]
	if *share.Mean != 0 || *share.High == 0 || !*share.Agrees || !*a.Agrees || len(a.Warnings("")) != 0 {
		t.Errorf("share %v to %v, %v, warnings %q", *share.Mean, *share.High, *share.Agrees, a.Warnings(""))
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		q     Question
		rate  float64
		field string
	}{
		"no replications": {Question{Replications: ptr(units.Count(0))}, 0.5, "replications"},
		"both":            {Question{Replications: ptr(units.Count(9)), Precision: ptr(units.Fraction(0.1))}, 0.5, "replications"},
		"no precision":    {Question{Precision: ptr(units.Fraction(0))}, 0.5, "precision"},
		"no horizon":      {Question{Horizon: ptr(units.Duration(0))}, 0.5, "horizon"},
		"all warm-up":     {Question{Horizon: ptr(units.Duration(5)), WarmUp: ptr(units.Duration(5))}, 0.5, "horizon"},
		"too much memory": {Question{Horizon: ptr(units.Duration(1e12)), WarmUp: ptr(units.Duration(5))}, 5, "horizon"},
	} {
		var input *ask.InputError
		if _, err := c.q.Of(context.Background(), mm1(c.rate)); !errors.As(err, &input) || input.Field != c.field {
			t.Errorf("%s: %v", name, err)
		}
	}
	var infeasible *ask.InfeasibleError
	if _, err := (&Question{}).Of(context.Background(), mm1(1)); !errors.As(err, &infeasible) || infeasible.Infimum != 1 {
		t.Errorf("without a steady state: %v", err)
	}
	grows, err := (&Question{Horizon: ptr(units.Duration(100)), Replications: ptr(units.Count(5))}).Of(context.Background(), mm1(2))
	if err != nil || grows.Horizon != 100 {
		t.Errorf("the same with a horizon: %v", err)
	}
}

// Days of a curve, and machines that are drawn anew for each run, need so many runs
// for 2 % that the default is 5 % there; a precision that is given stands.
func TestRoughWhereRunsDiffer(t *testing.T) {
	day := mm1(1)
	day.Station.Servers, day.All = 4, true
	c := &day.Station.Classes[0]
	c.Gaps, c.Curve = nil, &varying.Cycle{Start: []float64{0, 50}, End: 100, Rate: []float64{0.5, 3}}
	comes := mm1(1)
	comes.All, comes.Station.Loss = true, true
	comes.Station.Groups = []station.Group{{Machines: 9, Speed: 1, Up: 0.9}}
	for name, s := range map[string]System{"a day": day, "machines that come and go": comes, "neither": mm1(0.5)} {
		s.All = true
		rough, err := (&Question{Seed: 1}).Of(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		fine, err := (&Question{Seed: 1, Precision: ptr(units.Fraction(DefaultPrecision))}).Of(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		if neither := name == "neither"; neither != (rough.Replications == fine.Replications) || !rough.Reached || !fine.Reached {
			t.Errorf("%s: %d runs by default and %d for 2 %%", name, rough.Replications, fine.Replications)
		}
	}
}

// Runs that had not forgotten their start say nothing of the closed form, which is that of the
// steady state: what differs is said of these runs, and where no warm-up was found nothing is judged.
func TestShortRunsAreNoProof(t *testing.T) {
	s := mm1(0.9)
	s.Closed = map[string]*float64{"mean_wait_s": ptr(9.0), "utilization": ptr(0.9)}
	short := Question{Seed: 1, Replications: ptr(units.Count(300)), Horizon: ptr(units.Duration(400)),
		WarmUp: ptr(units.Duration(0))}
	a, err := short.Of(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Warnings(""); a.Agrees == nil || *a.Agrees || len(w) != 2 || !strings.Contains(w[1], "do not prove") {
		t.Errorf("a warm-up that is too short: warnings %q", w)
	}
	unsettled := Question{Seed: 1, Replications: ptr(units.Count(300)), Horizon: ptr(units.Duration(40))}
	if a, err = unsettled.Of(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	if w := a.Warnings(""); a.Agrees != nil || len(w) != 1 || !strings.Contains(w[0], "had not settled") {
		t.Errorf("a horizon that is too short: warnings %q", w)
	}
	for name, f := range a.Figures {
		if f.Agrees != nil || f.Difference == nil {
			t.Errorf("a horizon that is too short: %s is judged, or without a difference", name)
		}
	}
}

func TestNamesInOrder(t *testing.T) {
	a := Simulation{Figures: map[string]Figure{"interval 10.x": {}, "interval 2.y": {}, "interval 2.x": {}, "mean": {}}}
	if got, want := a.Names(), []string{"interval 2.x", "interval 2.y", "interval 10.x", "mean"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A day of a busy site takes minutes: it is simulated where a number of runs, or a part of it, is asked for.
func TestWholeCurvesAreAskedFor(t *testing.T) {
	day := &varying.Cycle{Start: []float64{0, 43200}, End: 86400, Rate: []float64{8000, 12000}}
	s := System{Model: "a curve", All: true, Station: station.Station{Servers: 400,
		Classes: []station.Class{{Curve: day, Service: queueing.Exponential{Mean: 0.02}}}}}
	var input *ask.InputError
	_, err := (&Question{Seed: 1}).Of(context.Background(), s)
	if !errors.As(err, &input) || input.Field != "replications" {
		t.Errorf("a day of 864 million customers: %v", err)
	}
	a, err := (&Question{Horizon: ptr(units.Duration(60)), WarmUp: ptr(units.Duration(1)), Seed: 1}).
		Of(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if u := a.Figures["utilization"]; math.Abs(*u.Mean-0.4) > 0.01 {
		t.Errorf("the first minute keeps %.3f of the servers busy, want 0.4", *u.Mean)
	}
}

// aRun is how many seconds a run takes.
type aRun float64

func (s aRun) Seconds(float64) float64          { return float64(s) }
func (s aRun) Figures() []sim.Figure            { return nil }
func (s aRun) Replicate(*sim.Replication) error { return nil }

// A run of minutes is begun where somebody asked for a number of runs, or a precision.
func TestBearable(t *testing.T) {
	nobody, somebody := sim.Options{Events: MostEvents}, sim.Options{Replications: 2}
	for _, c := range []struct {
		run     aRun
		o       sim.Options
		refused bool
	}{{1, nobody, false}, {200, nobody, true}, {200, somebody, false}, {200, sim.Options{Precision: 0.1}, false}} {
		var input *ask.InputError
		err := Bearable(context.Background(), c.run, &c.o)
		if refused := errors.As(err, &input) && input.Field == "replications"; refused != c.refused {
			t.Errorf("%v s, %+v: %v", c.run, c.o, err)
		}
	}
}

// A run of decades is not, whoever asks.
func TestEndlessRunsAreRefused(t *testing.T) {
	for run, refused := range map[aRun]bool{1e8: false, 1e10: true} {
		var input *ask.InputError
		err := Bearable(context.Background(), run, &sim.Options{Replications: 2})
		if named := errors.As(err, &input) && input.Field == "horizon"; named != refused || (err != nil) != refused {
			t.Errorf("%v s: %v", run, err)
		}
	}
}

// Runs that nobody asked for take some seconds together: of a pool of a million machines ten took 23 s of CPU.
func TestBearableRunsTogether(t *testing.T) {
	for run, want := range map[aRun]int{0: 10, 0.1: 10, 1.5: 4, 2.5: 2, 3.4: 2} {
		o := sim.Options{Events: MostEvents, Replications: 10}
		if err := Bearable(context.Background(), run, &o); err != nil || o.Replications != want {
			t.Errorf("%v s: %d runs, want %d: %v", run, o.Replications, want, err)
		}
	}
	o := sim.Options{Replications: 10}
	if err := Bearable(context.Background(), aRun(60), &o); err != nil || o.Replications != 10 {
		t.Errorf("asked for: %d runs, %v", o.Replications, err)
	}
}
