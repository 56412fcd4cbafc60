package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/routes"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

type planTable struct {
	Mixes []struct {
		Load, Blocking, MTTF, MTTR, Target float64
		Limit                              int64
		Replicas                           int64
		Worth, Need, Cost, Lost            float64
		Counts                             []int64
	}
	Chance struct{ Load, Chance float64 }
	Regret struct{ Regret, Chance float64 }
}

// planReference reads the values of testdata/plan.py.
func planReference(t *testing.T) *planTable {
	t.Helper()
	data, err := os.ReadFile("testdata/plan.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &planTable{}
	if err := json.Unmarshal(data, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func rangeOf[T units.Quantity](t testing.TB, text string) *units.Range[T] {
	t.Helper()
	r, err := units.ParseRange[T](text)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// farm is the scenario of the reference: two dedicated types and a public one.
func farm(t *testing.T) *PlanQuestion {
	return &scenario.Question{
		Load:       &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "120")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01)), Availability: new(units.Fraction(0.99))},
		Machines: []scenario.MachineType{
			{Name: "rack", Price: rangeOf[units.Price](t, "0.42/h")},
			{Name: "big", Price: rangeOf[units.Price](t, "0.90/h"), Speed: rangeOf[units.Number](t, "2.2"), Limit: new(units.Count(12))},
			{Name: "spot", Kind: scenario.Public, Price: rangeOf[units.Price](t, "0.07/h"), Speed: rangeOf[units.Number](t, "0.8"), MTTF: rangeOf[units.Duration](t, "5h"), MTTR: rangeOf[units.Duration](t, "10min"), Limit: new(units.Count(200))},
		},
		Seed: new(units.Count(1)),
	}
}

// judged holds the mix of a scenario against its draws.
func judged(t *testing.T, q *scenario.Question) *judging {
	t.Helper()
	ctx, p := context.Background(), newPremises(q)
	if err := p.resolve(nil); err != nil {
		t.Fatal(err)
	}
	size, err := p.size(ctx)
	if err != nil {
		t.Fatal(err)
	}
	mix, err := p.mix(ctx, size != nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := p.uncertain(ctx, size != nil, mix)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func planned(t *testing.T, q *scenario.Question) *PlanAnswer {
	t.Helper()
	a, err := Plan(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The mix, its need, replicas and worths are those of another program that
// tries every choice.
func TestPlanMix(t *testing.T) {
	for _, c := range planReference(t).Mixes {
		q := farm(t)
		q.Load.Erlangs = rangeOf[units.Erlang](t, fmt.Sprint(c.Load))
		q.Objectives.MaxBlocking = new(units.Fraction(c.Blocking))
		q.Objectives.Availability = new(units.Fraction(c.Target))
		q.Machines[2].Limit = new(units.Count(c.Limit))
		mttf, mttr := units.Point(units.Duration(c.MTTF)), units.Point(units.Duration(c.MTTR))
		q.Machines[2].MTTF, q.Machines[2].MTTR = &mttf, &mttr
		a := planned(t, q)
		m := a.Mix
		numtest.Close(t, "need", m.Needed, c.Need, 1e-9)
		numtest.Close(t, "worth", m.Machines[2].Worth, c.Worth, 1e-12)
		numtest.Close(t, "cost", m.Cost, c.Cost, 1e-9)
		var counts []int64
		for _, x := range m.Machines {
			counts = append(counts, x.Count)
		}
		if !reflect.DeepEqual(counts, c.Counts) || *m.Machines[2].Replicas != c.Replicas {
			t.Errorf("%+v: counts %v, optimal %v, replicas %d", c, counts, m.Optimal, *m.Machines[2].Replicas)
		}
		numtest.Close(t, "blocking", *m.Blocking, c.Lost, 1e-9)
		if m.LowerBound > m.Cost || m.LowerBound < 0.9*m.Cost || m.Optimal != (m.LowerBound == m.Cost) {
			t.Errorf("cost %v, bound %v, optimal %v", m.Cost, m.LowerBound, m.Optimal)
		}
	}
}

// The chance that a fleet meets the objectives is the area below a curve, and
// expected regret an integral, which another program computed.
func TestPlanUncertainty(t *testing.T) {
	want := planReference(t)
	q := &scenario.Question{
		Load: &scenario.Load{Rate: rangeOf[units.Rate](t, "1..1.5/s")}, Service: &scenario.Service{Time: rangeOf[units.Duration](t, "85..120s")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
		Samples:    new(units.Count(longtest.Of(10000, 40000))), Seed: new(units.Count(7)),
	}
	p := newPremises(q)
	if err := p.resolve(nil); err != nil {
		t.Fatal(err)
	}
	var ranges []factor
	for _, f := range p.factors() {
		if f.ranged {
			ranges = append(ranges, f)
		}
	}
	d, err := p.draw(context.Background(), ranges, q.DrawCount())
	if err != nil {
		t.Fatal(err)
	}
	enough := 0
	for _, n := range d.need {
		if n <= 138 {
			enough++
		}
	}
	got, c := float64(enough)/float64(d.n), want.Chance.Chance
	if e := math.Abs(got - c); e > 4*math.Sqrt(c*(1-c)/float64(d.n)) {
		t.Errorf("chance %v, want %v", got, c)
	}

	q = &scenario.Question{
		Load:       &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "100..130")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
		Machines:   []scenario.MachineType{{Name: "rack", Price: rangeOf[units.Price](t, "1/h")}},
		Costs:      &scenario.Costs{Shortfall: &units.Money{Price: units.Price(9. / 3600)}}, Samples: new(units.Count(10000)), Seed: new(units.Count(7)),
	}
	a := planned(t, q)
	var at138 *MixCandidate
	for i, c := range a.Frontier.Points {
		if c.Counts[0] == 138 {
			at138 = &a.Frontier.Points[i]
		}
	}
	if at138 == nil {
		t.Fatal("138 machines are not on the frontier")
	}
	judged := float64(a.Uncertainty.Judged)
	if judged < 1000 {
		t.Errorf("mixes are judged by %v draws, want 1000 or more", judged)
	}
	if c := want.Regret.Chance; math.Abs(*at138.Chance-c) > 4*math.Sqrt(c*(1-c)/judged) {
		t.Errorf("chance of 138: %v, want %v", *at138.Chance, c)
	}
	// The regret of a draw is a cost within 0..9·14, of deviation below 40.
	if e := math.Abs(*at138.Regret - want.Regret.Regret); e > 4*40/math.Sqrt(judged) {
		t.Errorf("regret of 138: %v, want %v", *at138.Regret, want.Regret.Regret)
	}
	// The newsvendor: least regret near the 8/9 quantile of the need, since a
	// machine more costs 1 and saves 9 where it was missing.
	if n := a.Uncertainty.LeastRegret; n == nil || math.Abs(*n.Chance-8./9) > 0.03 {
		t.Errorf("least regret %+v", n)
	}
}

// What would have been right for a draw is the least of machines and missing
// servers over every number of machines, by the queue of both.
func TestPlanIdeal(t *testing.T) {
	q := &scenario.Question{
		Load:       &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "5..30")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
		Machines:   []scenario.MachineType{{Name: "big", Price: rangeOf[units.Price](t, "3..5/h"), Speed: rangeOf[units.Number](t, "3..4")}},
		Costs:      &scenario.Costs{Shortfall: &units.Money{Price: units.Price(1.5 / 3600)}}, Samples: new(units.Count(60)), Seed: new(units.Count(5)),
	}
	held := judged(t, q)
	short := 0
	for i, got := range held.ideal {
		want, missing := math.Inf(1), false
		for n := range 30 {
			beside := []unlike.Group{{Servers: float64(n), Speed: held.draws.worth[i]}}
			low, high := 0., 60.
			for range 50 {
				middle := (low + high) / 2
				b, err := unlike.Blocking(held.draws.load[i], append(beside, unlike.Group{Servers: middle, Speed: 1})...)
				if err != nil {
					t.Fatal(err)
				}
				if b > 0.01 {
					low = middle
				} else {
					high = middle
				}
			}
			if high < 1e-9 {
				high = 0
			}
			if cost := float64(n)*held.draws.price[i] + 1.5*high; cost < want {
				want, missing = cost, high > 0
			}
		}
		if missing {
			short++
		}
		numtest.Close(t, fmt.Sprintf("cost of what is right for draw %d", i), got, want, 2e-6)
	}
	if short < 10 || short > 59 {
		t.Errorf("in %d of 60 draws something is missing, want some of both", short)
	}
}

// No point of the frontier is beaten by another, and the ends are where they
// have to be.
func TestPlanFrontier(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "100..120..150")
	q.Samples = new(units.Count(500))
	for _, ranged := range []bool{true, false} {
		if !ranged {
			q.Load.Erlangs = rangeOf[units.Erlang](t, "120")
		}
		a := planned(t, q)
		f := a.Frontier
		if len(f.Points) < 5 {
			t.Fatalf("%d points", len(f.Points))
		}
		if (f.Risk == MissRisk) != ranged {
			t.Errorf("risk %s", f.Risk)
		}
		for i := 1; i < len(f.Points); i++ {
			x, y := &f.Points[i-1], &f.Points[i]
			if y.Cost <= x.Cost || f.riskOf(y) >= f.riskOf(x) {
				t.Errorf("point %d: %+v after %+v", i, y, x)
			}
		}
		for _, p := range f.Points { // a chance over draws, where there are any
			if (p.Chance != nil) != ranged || (p.Short != nil) != ranged {
				t.Errorf("ranged %t: chance %v, short %v", ranged, p.Chance, p.Short)
			}
		}
		last := f.Points[len(f.Points)-1]
		if ranged && *last.Chance != 1 || !ranged && last.PublicShare != 0 {
			t.Errorf("the safest point is %+v", last)
		}
		if first := f.Points[0]; !ranged && math.Abs(first.Cost-a.Mix.Cost) > 1e-9 {
			t.Errorf("the cheapest point costs %v, the mix %v", first.Cost, a.Mix.Cost)
		}
	}
}

// Each sensitivity is the plan with that input at its end; the greatest comes
// first, and more load or a dearer machine never costs less.
func TestPlanSensitivity(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "100..120..150")
	q.Samples = new(units.Count(10))
	s := planned(t, q).Sensitivity
	for i := 1; i < len(s.Inputs); i++ {
		if *s.Inputs[i].Effect > *s.Inputs[i-1].Effect {
			t.Errorf("%v after %v", s.Inputs[i], s.Inputs[i-1])
		}
	}
	for _, w := range s.Inputs {
		up := strings.Contains(w.Input, "price") || strings.Contains(w.Input, "load") || strings.Contains(w.Input, "mttr")
		if d := *w.CostHigh - *w.CostLow; up && d < 0 || !up && d > 0 {
			t.Errorf("%s: cost %v at %v, %v at %v", w.Input, *w.CostLow, w.Low, *w.CostHigh, w.High)
		}
		if w.Input == "load.erlangs" {
			q.Load.Erlangs = rangeOf[units.Erlang](t, "150")
			if m := planned(t, q).Mix; m.Cost != *w.CostHigh || m.Needed != *w.NeededHigh {
				t.Errorf("cost %v and need %v at 150 erl, the plan of it has %v and %v", *w.CostHigh, *w.NeededHigh, m.Cost, m.Needed)
			}
		}
	}
}

// What binds is what costs money: without the limit of the spot machines the
// mix is the plan without it.
func TestPlanBinding(t *testing.T) {
	q := farm(t)
	a := planned(t, q)
	found := false
	for _, b := range a.Mix.Binding {
		if b.Constraint != "limit of spot" {
			continue
		}
		found = true
		q.Machines[2].Limit = nil
		if cost := planned(t, q).Mix.Cost; cost != *b.Cost || *b.Saving != units.ExactCents(a.Mix.Cost-cost) {
			t.Errorf("%+v, the plan without the limit costs %v", b, cost)
		}
	}
	if !found {
		t.Errorf("the limit of the spot machines is not among %+v", a.Mix.Binding)
	}
	// One more machine: the figure of Erlang B with its worth more.
	one := a.Mix.Machines[0].OneMore
	if one == nil || *one.Change >= 0 || math.Abs(*one.Value-*one.Change-*a.Mix.Blocking) > 1e-15 {
		t.Errorf("one more rack: %+v", one)
	}
	if a.Mix.PublicAway == nil || *a.Mix.PublicAway.Blocking < 0.4 {
		t.Errorf("without the public machines %+v", a.Mix.PublicAway)
	}
}

// Two limits that cannot both be kept are named as a pair, and the rest of the
// plan is answered.
func TestPlanContradictions(t *testing.T) {
	few := units.Count(10)
	for _, c := range []struct {
		change     func(*scenario.Question)
		constraint string
		words      []string
	}{
		{func(q *scenario.Question) { q.Objectives.Budget = &units.Money{Price: units.Price(30. / 3600)} }, "budget", []string{"budget and max_blocking contradict", "39.06", "30/h"}},
		{func(q *scenario.Question) { q.Objectives.MinUtilization = new(units.Fraction(0.9)) }, "min_utilization", []string{"min_utilization and max_blocking contradict"}},
		{func(q *scenario.Question) { q.Machines[0].Limit = &few }, "machines", []string{"limits of the machines and max_blocking contradict"}},
	} {
		q := farm(t)
		c.change(q)
		a := planned(t, q)
		if len(a.Infeasible) == 0 || a.Infeasible[0].Constraint != c.constraint || a.Size == nil {
			t.Errorf("%s: %+v", c.constraint, a.Infeasible)
			continue
		}
		for _, w := range c.words {
			if !strings.Contains(a.Infeasible[0].Reason, w) {
				t.Errorf("%q does not say %q", a.Infeasible[0].Reason, w)
			}
		}
	}
}

// Every part stands alone, and a scenario of nothing says what to add.
func TestPlanParts(t *testing.T) {
	clusters := []routes.Cluster{{Name: "a", External: routes.ExternalStream{ServiceTime: 1}}}
	for name, c := range map[string]struct {
		q   *scenario.Question
		has func(*PlanAnswer) bool
	}{
		"rate":       {&scenario.Question{Load: &scenario.Load{Rate: rangeOf[units.Rate](t, "1..2/s")}}, func(a *PlanAnswer) bool { return a.Load != nil }},
		"load":       {&scenario.Question{Load: &scenario.Load{Erlangs: rangeOf[units.Erlang](t, "120")}}, func(a *PlanAnswer) bool { return *a.Load.OfferedLoad == 120 }},
		"curve":      {&scenario.Question{Load: &scenario.Load{Curve: &traffic.Curve{Start: []float64{0, 3600}, Rate: []float64{1, 2}, End: 7200}}}, func(a *PlanAnswer) bool { return *a.Load.Rate == 2 && *a.Load.MeanRate == 1.5 }},
		"machines":   {&scenario.Question{Machines: farm(t).Machines}, func(a *PlanAnswer) bool { return len(a.Machines) == 3 }},
		"link":       {&scenario.Question{Link: &scenario.Link{Uplink: new(units.Bandwidth(1e8)), Downlink: new(units.Bandwidth(1e8)), Footprint: new(units.Size(1e6)), Replicas: new(units.Count(2)), Epoch: new(units.Duration(120)), Dedicated: new(units.Count(100))}}, func(a *PlanAnswer) bool { return math.Abs(*a.Link.MaxArrivalRate-5.41666) < 1e-4 }},
		"epoch":      {&scenario.Question{Epoch: &scenario.Epoch{Migrations: new(units.Number(1)), MigrationTime: new(units.Duration(100)), FailureRate: new(units.Rate(1. / 200))}}, func(a *PlanAnswer) bool { return math.Abs(a.Epoch.Epoch-400./3) < 1e-9 }},
		"replicas":   {&scenario.Question{Replicas: &scenario.Replicas{MTTF: new(units.Duration(300)), MTTR: new(units.Duration(120)), Target: 0.95}}, func(a *PlanAnswer) bool { return a.Replicas[0].ReplicasAnswer.Replicas == 3 }},
		"checkpoint": {&scenario.Question{Checkpoint: &scenario.Checkpoint{MTBF: new(units.Duration(86400)), Cost: 300, Work: 1e6}}, func(a *PlanAnswer) bool { return a.Checkpoint.Interval > 0 }},
		"routing":    {&scenario.Question{Routing: &scenario.Routing{Clusters: clusters, Rate: rangeOf[units.Rate](t, "0.5/s")}}, func(a *PlanAnswer) bool { return len(a.Routing.Clusters) == 1 }},
	} {
		a, err := Plan(context.Background(), c.q)
		if err != nil || !c.has(a) {
			t.Errorf("%s alone: %+v, %v", name, a, err)
		}
	}
	var input *ask.InputError
	for name, q := range map[string]*scenario.Question{
		"nothing": {}, "objectives": {Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))}},
		"routing without a rate":  {Routing: &scenario.Routing{Clusters: clusters}},
		"epoch without a rate":    {Epoch: &scenario.Epoch{Migrations: new(units.Number(1)), MigrationTime: new(units.Duration(1))}},
		"link without an epoch":   {Link: &scenario.Link{Uplink: new(units.Bandwidth(1e8)), Downlink: new(units.Bandwidth(1e8)), Footprint: new(units.Size(1e6)), Replicas: new(units.Count(2))}},
		"public without life":     {Machines: []scenario.MachineType{{Name: "x", Kind: scenario.Public}}},
		"a kind of its own":       {Machines: []scenario.MachineType{{Name: "x", Kind: "own"}}},
		"a limit below the least": {Machines: []scenario.MachineType{{Name: "x", AtLeast: new(units.Count(3)), Limit: new(units.Count(2))}}},
	} {
		if _, err := Plan(context.Background(), q); !errors.As(err, &input) {
			t.Errorf("%s: %v, want an InputError", name, err)
		}
	}
}

// Huge counts and loads end, within what is proven of machines that come and go.
func TestPlanHuge(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "5e10..6e10..9e10")
	q.Machines[2].Limit = new(units.Count(1e12))
	q.Samples = new(units.Count(longtest.Of(20, 50)))
	m := planned(t, q).Mix
	if *m.Blocking > 0.01 || m.Cost < m.LowerBound || m.Cost > m.LowerBound*1.03 {
		t.Errorf("%+v", m)
	}
}

// A load of nobody needs no machine.
func TestPlanNobody(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "0")
	if m := planned(t, q).Mix; m.Cost != 0 || m.Needed != 0 {
		t.Errorf("%+v", m)
	}
}

// The same question gives the same answer; a stopped one none.
func TestPlanDeterministic(t *testing.T) {
	q := farm(t)
	q.Load.Erlangs = rangeOf[units.Erlang](t, "100..120..150")
	q.Samples = new(units.Count(100))
	q.Costs = &scenario.Costs{Shortfall: &units.Money{Price: units.Price(3. / 3600)}}
	first, err := json.Marshal(planned(t, q))
	if err != nil {
		t.Fatal(err)
	}
	second, _ := json.Marshal(planned(t, q))
	if string(first) != string(second) {
		t.Error("two answers to one question")
	}
	q.Seed = new(units.Count(2))
	if third, _ := json.Marshal(planned(t, q)); string(third) == string(first) {
		t.Error("the seed makes no difference")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Plan(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// BenchmarkPlan is the plan of two dedicated types and a public one, with the
// draws that a plan makes where it is not told how many.
func BenchmarkPlan(b *testing.B) {
	load, err := units.ParseRange[units.Erlang]("100..120..150")
	if err != nil {
		b.Fatal(err)
	}
	mttf, err := units.ParseRange[units.Duration]("2h..5h..8h")
	if err != nil {
		b.Fatal(err)
	}
	mttr := units.Point(units.Duration(600))
	price := func(perHour float64) *units.Range[units.Price] {
		p := units.Point(units.Price(perHour / 3600))
		return &p
	}
	speed := units.Point(units.Number(2.2))
	q := &scenario.Question{
		Load: &scenario.Load{Erlangs: &load}, Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01)), Availability: new(units.Fraction(0.99))},
		Machines: []scenario.MachineType{{Name: "rack", Price: price(0.42)}, {Name: "big", Price: price(0.9), Speed: &speed, Limit: new(units.Count(12))},
			{Name: "spot", Kind: scenario.Public, Price: price(0.07), MTTF: &mttf, MTTR: &mttr, Limit: new(units.Count(200))}},
		Costs: &scenario.Costs{Shortfall: &units.Money{Price: units.Price(2.5 / 3600)}}, Seed: new(units.Count(1)),
	}
	for b.Loop() {
		if _, err := Plan(context.Background(), q); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlanTypes is a plan of many public types with a limit on waits, of which nearly
// all the time is sensitivities.
func BenchmarkPlanTypes(b *testing.B) {
	for _, types := range []int{12, 40} {
		q := &scenario.Question{
			Load:    &scenario.Load{Rate: rangeOf[units.Rate](b, "30/s")},
			Service: &scenario.Service{Time: rangeOf[units.Duration](b, "20s")},
			Objectives: &scenario.Objectives{
				MaxWait:      new(units.Duration(5)),
				Percentile:   new(units.Percentile(0.9)),
				Availability: new(units.Fraction(0.99)),
			},
		}
		for i := range types {
			price, speed := fmt.Sprintf("%v/h", 0.2+0.01*float64(i*7%11)), fmt.Sprint(1+0.05*float64(i*5%13))
			q.Machines = append(q.Machines, scenario.MachineType{
				Name:  fmt.Sprint("t", i),
				Kind:  scenario.Public,
				Price: rangeOf[units.Price](b, price),
				Speed: rangeOf[units.Number](b, speed),
				MTTF:  rangeOf[units.Duration](b, fmt.Sprintf("%dh", 20+i)),
				MTTR:  rangeOf[units.Duration](b, "40min"),
			})
		}
		b.Run(fmt.Sprintf("types=%d", types), func(b *testing.B) {
			for b.Loop() {
				if _, err := Plan(context.Background(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// The mix of a curve is that of its greatest load, not of the first interval
// that needs as many whole servers.
func TestPlanCurvePeak(t *testing.T) {
	q := &scenario.Question{
		Load:       &scenario.Load{Curve: &traffic.Curve{Start: []float64{0, 36000, 72000}, Rate: []float64{0.04, 0.088, 0.04}, End: 108000}},
		Service:    &scenario.Service{Time: rangeOf[units.Duration](t, "10s")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.05))},
		Machines:   []scenario.MachineType{{Name: "small", Price: rangeOf[units.Price](t, "1/h"), Speed: rangeOf[units.Number](t, "0.1")}},
	}
	day := planned(t, q).Mix
	q.Load.Curve, q.Load.Rate = nil, rangeOf[units.Rate](t, "0.088/s")
	hour := planned(t, q).Mix
	numtest.Close(t, "need", day.Needed, hour.Needed, 1e-9)
	if day.Machines[0].Count != hour.Machines[0].Count {
		t.Errorf("%d machines for the curve, %d for its peak", day.Machines[0].Count, hour.Machines[0].Count)
	}
}

// What no mix is measured by is refused before the size with its draws, which may take long:
// here there would be no size either.
func TestPlanRefusesBeforeItComputes(t *testing.T) {
	q, err := ReadScenario(t.Context(), strings.NewReader(`
load: {rate: 300..700/s}
service: {time: 60ms, scv: 1.8}
objectives: {max_response: 1ms}
machines: [{name: m5, price: 0.2/h}, {name: m6, price: 0.2/h, speed: 2}]
`))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Plan(t.Context(), q)
	if err == nil || !strings.Contains(err.Error(), "max_response: for machines that come and go, or have a speed,") {
		t.Errorf("%+v, %v, want what is wrong with max_response", a, err)
	}
}
