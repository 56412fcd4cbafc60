package compare_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/compare"
	"github.com/capplan/capplan/planner/scenario"
	"github.com/capplan/capplan/units"
)

// Each input that differs is varied alone: of racks at a price the load moves
// their number, by Erlang's formula, and the price what each costs.
func TestCompareVariesOneAtATime(t *testing.T) {
	fleet := func(load, price string) *planner.PlanQuestion {
		return &planner.PlanQuestion{
			Load:       &scenario.Load{Erlangs: rangeIn[units.Erlang](t, load)},
			Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
			Machines:   []scenario.MachineType{{Name: "rack", Price: rangeIn[units.Price](t, price)}},
		}
	}
	racks := func(load float64) float64 {
		n := int64(0)
		for erlangB(n, load) > 0.01 {
			n++
		}
		return float64(n)
	}
	a, b := fleet("100", "1/h"), fleet("120", "1.5/h")
	b.Name = "another name is no difference"
	c, err := compare.Plans(context.Background(), &compare.Compared{Name: "a", Question: a}, &compare.Compared{Name: "b", Question: b})
	if err != nil {
		t.Fatal(err)
	}
	if c.Same || c.Figure != "mix.cost_per_h" || len(c.Causes) != 2 {
		t.Fatalf("%+v", c)
	}
	want := map[string]float64{"load.erlangs": racks(120) - racks(100), "machines.rack.price": 0.5 * racks(100)}
	for _, x := range c.Causes {
		if x.Effect == nil || math.Abs(*x.Effect-want[x.Input]) > 1e-9 {
			t.Errorf("%s alone: %v, want %v", x.Input, x.Effect, want[x.Input])
		}
	}
	if together := 0.5 * (racks(120) - racks(100)); c.Together == nil || math.Abs(*c.Together-together) > 1e-9 {
		t.Errorf("together %v, want %v", c.Together, together)
	}
	if a.Load.Erlangs.Nominal() != 100 || a.Machines[0].Price.Nominal() != rangeIn[units.Price](t, "1/h").Nominal() {
		t.Error("the question was changed")
	}
	if same, err := compare.Plans(context.Background(), &compare.Compared{Question: a}, &compare.Compared{Question: fleet("100", "1/h")}); err != nil || !same.Same {
		t.Errorf("%+v, %v", same, err)
	}
}

// The rates of a row are in one unit, and effects hold no digits that a subtraction
// makes up: 163 machines of 0.42/h less 138 of them are 10.5/h.
func TestCompareWritesAlike(t *testing.T) {
	fleet := func(rate, price string) *planner.PlanQuestion {
		return &planner.PlanQuestion{
			Load:       &scenario.Load{Rate: rangeIn[units.Rate](t, rate)},
			Service:    &scenario.Service{Time: rangeIn[units.Duration](t, "100s")},
			Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
			Machines:   []scenario.MachineType{{Name: "rack", Price: rangeIn[units.Price](t, price)}},
		}
	}
	c, err := compare.Plans(context.Background(), &compare.Compared{Name: "a", Question: fleet("72/min", "0.42/h")},
		&compare.Compared{Name: "b", Question: fleet("86/min", "0.47/h")})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Causes) != 2 || c.Together == nil {
		t.Fatalf("%+v", c)
	}
	a, b := fleet("72/min", "0.42/h"), fleet("72/min", "0.42/h")
	a.Objectives.MaxWait, b.Objectives.MaxWait = new(units.Duration(3600)), new(units.Duration(100))
	waits, err := compare.Plans(context.Background(), &compare.Compared{Question: a}, &compare.Compared{Question: b})
	if err != nil {
		t.Fatal(err)
	}
	if d := waits.Differences[0]; d.Name != "objectives.max_wait" || d.From != "3600s" || d.To != "100s" {
		t.Errorf("%+v", d)
	}
	for _, x := range c.Causes {
		if x.Input == "load.rate" && (x.From != "72/min" || x.To != "86/min") {
			t.Errorf("from %s to %s", x.From, x.To)
		}
		if v := *x.Effect; v != math.Round(v*1e6)/1e6 {
			t.Errorf("%s moves it by %v", x.Input, v)
		}
	}
	if v := *c.Together; v != math.Round(v*1e6)/1e6 {
		t.Errorf("together %v", v)
	}
}

// A form of the load is one input, machines are told by their names, and what
// alone makes no scenario says so.
func TestCompareOtherForms(t *testing.T) {
	a := &planner.PlanQuestion{
		Load:       &scenario.Load{Erlangs: rangeIn[units.Erlang](t, "100")},
		Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
		Machines:   []scenario.MachineType{{Name: "rack", Price: rangeIn[units.Price](t, "1/h")}, {Name: "old", Price: rangeIn[units.Price](t, "2/h")}},
	}
	b := &planner.PlanQuestion{
		Load:       &scenario.Load{Rate: rangeIn[units.Rate](t, "1/s")},
		Service:    &scenario.Service{Time: rangeIn[units.Duration](t, "120s")},
		Objectives: a.Objectives,
		Machines:   []scenario.MachineType{{Name: "new", Price: rangeIn[units.Price](t, "0.5/h")}, {Name: "rack", Price: rangeIn[units.Price](t, "1/h")}},
	}
	c, err := compare.Plans(context.Background(), &compare.Compared{Question: a}, &compare.Compared{Question: b})
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for _, x := range c.Causes {
		inputs = append(inputs, x.Input)
		if (x.Effect == nil) != (x.Input == "load") || (x.Effect == nil) != (x.Reason != "") {
			t.Errorf("%s: effect %v, reason %q", x.Input, x.Effect, x.Reason)
		}
	}
	slices.Sort(inputs)
	if want := []string{"load", "machines.new", "machines.old", "service"}; !slices.Equal(inputs, want) {
		t.Errorf("inputs %v, want %v", inputs, want)
	}
	if c.Together != nil {
		t.Error("a sum without all of its terms")
	}
}

func rangeIn[T units.Quantity](t *testing.T, text string) *units.Range[T] {
	t.Helper()
	r, err := units.ParseRange[T](text)
	if err != nil {
		t.Fatal(err)
	}
	return &r
}

// erlangB is Erlang's B by its recurrence.
func erlangB(servers int64, load float64) float64 {
	b := 1.
	for n := 1.; n <= float64(servers); n++ {
		b = load * b / (n + load*b)
	}
	return b
}

// What is compared stays as it was passed, so that it can be compared again with its
// question changed.
func TestCompareLeavesWhatIsPassed(t *testing.T) {
	plan := func(load string) *compare.Compared {
		return &compare.Compared{Question: &planner.PlanQuestion{
			Load:       &scenario.Load{Erlangs: rangeIn[units.Erlang](t, load)},
			Objectives: &scenario.Objectives{MaxBlocking: new(units.Fraction(0.01))},
			Machines:   []scenario.MachineType{{Name: "rack", Price: rangeIn[units.Price](t, "1/h")}},
		}}
	}
	a, b := plan("10"), plan("20")
	if _, err := compare.Plans(context.Background(), a, b); err != nil {
		t.Fatal(err)
	}
	if a.Answer != nil || b.Answer != nil {
		t.Error("an answer was written into what was compared")
	}
}

// Two bags on the same machines are done at other times, and no two answers are called the same
// where any figure differs.
func TestCompareSeesAllParts(t *testing.T) {
	answer := func(tasks int) *planner.PlanAnswer {
		a, err := planner.Plan(context.Background(), &planner.PlanQuestion{
			Machines: []scenario.MachineType{{Name: "node"}},
			Bag: &scenario.Bag{Tasks: units.Count(tasks), TaskTime: units.Duration(600), Machine: "node",
				Count: new(units.Count(50))},
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	differences := func(a, b *planner.PlanAnswer) (names []string) {
		c, err := compare.Plans(context.Background(), &compare.Compared{Answer: a}, &compare.Compared{Answer: b})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range c.Differences {
			names = append(names, d.Name)
		}
		if c.Same != (len(names) == 0) {
			t.Errorf("same %v with %v", c.Same, names)
		}
		return names
	}
	few, many := answer(1000), answer(2000)
	if got := differences(few, many); !slices.Contains(got, "bag.finish_p50_s") {
		t.Errorf("1000 and 2000 tasks differ in %v", got)
	}
	if got := differences(few, answer(1000)); got != nil {
		t.Errorf("the same question differs in %v", got)
	}
	half := *few.Bag
	half.Half = new(1.0)
	other := *few
	other.Bag, other.Warnings = &half, []string{"words are no figures"}
	if got := differences(few, &other); !slices.Equal(got, []string{"bag"}) {
		t.Errorf("another time of half the bag differs in %v", got)
	}
}
