package survival

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/tally"
	"github.com/capplan/capplan/units"
)

func replicas(t *testing.T, q *ReplicasQuestion) *ReplicasAnswer {
	t.Helper()
	a, err := Replicas(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// wantInput fails unless err is an *ask.InputError on the field.
func wantInput(t *testing.T, what string, err error, field string) {
	t.Helper()
	var e *ask.InputError
	if !errors.As(err, &e) || e.Field != field {
		t.Errorf("%s: %v, want an input error on %q", what, err, field)
	}
}

// wantInfeasible fails unless err is infeasible and says all of the words.
func wantInfeasible(t *testing.T, what string, err error, words ...string) {
	t.Helper()
	if !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("%s: %v, want infeasible", what, err)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q lacks %q", what, err, w)
		}
	}
}

// PCU 4.6: MTTF 5 min, MTTR 2 min, 95 %: 2.39130, so 3; with p = 5/7.
func TestReplicasPCU(t *testing.T) {
	a := replicas(t, &ReplicasQuestion{MTTF: new(300.0), MTTR: new(120.0), Target: 0.95, Explain: true})
	if a.Replicas != 3 || a.Interval != nil || a.Start != nil || len(a.Alternatives) != 3 {
		t.Errorf("got %+v", a)
	}
	numtest.Close(t, "real", *a.ReplicasReal, math.Log(0.05)/math.Log(2.0/7), 1e-14)
	numtest.Close(t, "one", *a.AvailabilityOne, 5.0/7, 1e-15)
	numtest.Close(t, "all", a.AvailabilityAll, 1-8.0/343, 1e-15)
	numtest.Close(t, "all down", a.AllDown, 8.0/343, 1e-14)
	numtest.Close(t, "rate", *a.AllDownRate, 3*8.0/343/120, 1e-14)
	numtest.Close(t, "mean", *a.AllDownTime, 40, 1e-14)
	numtest.Close(t, "log10", *a.Log10AllDown, math.Log10(8.0/343), 1e-13)
	for i, u := range []float64{4.0 / 49, 8.0 / 343, 16.0 / 2401} {
		numtest.Close(t, "alternative", a.Alternatives[i].Unavailability, u, 1e-14)
		if a.Alternatives[i].Met != (i > 0) {
			t.Errorf("alternative %d: met %v", i, a.Alternatives[i].Met)
		}
	}
}

// Values of the hand-made generators' matrix exponentials, mpmath 40 digits.
func TestReplicasWindow(t *testing.T) {
	a := replicas(t, &ReplicasQuestion{MTTF: new(7200.0), MTTR: new(600.0), Target: 0.999, Crews: new(int64(2)), Window: new(3600.0)})
	numtest.Close(t, "interval", *a.Interval, 0.993893574706978572, 1e-12)
	numtest.Close(t, "interval, steady", *a.IntervalSteady, 0.991472602425301582, 1e-12)
	numtest.Close(t, "point", a.AvailabilityAll, 0.99931740614334471, 1e-12)
	numtest.Close(t, "all down", a.AllDown, 0.000682593856655290102, 1e-12)
	numtest.Close(t, "rate", *a.AllDownRate, 2.27531285551763367e-6, 1e-12)
	if *a.Start != "all-up" {
		t.Errorf("start %s", *a.Start)
	}
	// Two of k needed: by the same generators 4 replicas are up with 0.927, 5
	// with 0.974; 6 come through the window with 0.883, 7 with 0.953.
	b := replicas(t, &ReplicasQuestion{MTTF: new(300.0), MTTR: new(120.0), Target: 0.95, Needed: 2, Window: new(600.0)})
	if b.Replicas != 5 || *b.WindowReplicas != 7 || b.ReplicasReal != nil {
		t.Errorf("got %+v", b)
	}
	numtest.Close(t, "interval", *b.Interval, 0.736928788882901574, 1e-12)
	numtest.Close(t, "outages", *b.OutageRate, 0.00079332024354931477, 1e-12)
	numtest.Close(t, "all down", b.AllDown, 0.00190396858451835545, 1e-12)
	// A window of no length, begun in the steady state, is a moment.
	c := replicas(t, &ReplicasQuestion{MTTF: new(300.0), MTTR: new(120.0), Target: 0.95, Window: new(0.0), Start: StartSteady})
	numtest.Close(t, "moment", *c.Interval, c.AvailabilityAll, 1e-14)
}

// Of replicas that are hardly ever up the chain takes minutes to follow: it is left out with a warning,
// and the number that comes through a window from all up is found all the same.
func TestReplicasOfALongChain(t *testing.T) {
	a := replicas(t, &ReplicasQuestion{
		MTTF: new(3600.0), MTTR: new(4000 * 3600.0), Target: 0.999, Window: new(5 * 3600.0)})
	if a.Interval != nil || a.WindowReplicas == nil || *a.WindowReplicas != 991 ||
		!slices.ContainsFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "change too often") }) {
		t.Errorf("%d replicas, %v for the window, chance %v: %q", a.Replicas, a.WindowReplicas, a.Interval, a.Warnings)
	}
}

func TestReplicasCorrelated(t *testing.T) {
	// β = 10 % of u = 2/7: the floor is 2/70.
	a := replicas(t, &ReplicasQuestion{MTTF: new(5.0), MTTR: new(2.0), Target: 0.9, Beta: new(0.1), Window: new(1.0)})
	numtest.Close(t, "floor", *a.UnavailableFloor, 2.0/70, 1e-14)
	if a.Interval != nil || a.AllDownRate != nil || len(a.Warnings) != 1 {
		t.Errorf("a common cause has no duration: %+v", a)
	}
	_, err := Replicas(context.Background(), &ReplicasQuestion{MTTF: new(5.0), MTTR: new(2.0), Target: 0.99, Beta: new(0.1)})
	wantInfeasible(t, "beyond the common cause", err, "0.99", "0.9714286", "beta")
	// Two groups, one replica each: (s1 + (1-s1)u)(s2 + (1-s2)u), u = 1/11.
	g := replicas(t, &ReplicasQuestion{MTTF: new(10.0), MTTR: new(1.0), Target: 0.98, Groups: []RiskGroup{{"a", 0.01, 3}, {"b", 0.02, 2}}, Explain: true})
	u := 1.0 / 11
	numtest.Close(t, "groups", g.Unavailability, (0.01+0.99*u)*(0.02+0.98*u), 1e-13)
	if g.Replicas != 2 || len(g.Groups) != 2 || g.Groups[1] != (GroupShare{"b", 1}) {
		t.Errorf("placement %+v", g.Groups)
	}
	_, err = Replicas(context.Background(), &ReplicasQuestion{MTTF: new(10.0), MTTR: new(1.0), Target: 0.9999, Groups: []RiskGroup{{"a", 0.01, 3}}})
	wantInfeasible(t, "beyond the groups", err, "groups")
	_, err = Replicas(context.Background(), &ReplicasQuestion{MTTF: new(1.0), MTTR: new(1.0), Target: 0.7, Crews: new(int64(1))})
	wantInfeasible(t, "beyond the crew", err, "crew", "0.6321206")
}

func TestReplicasPool(t *testing.T) {
	pool := []PoolMachine{
		{Name: "a", Availability: new(0.9), Cost: units.Cost{Number: 3}}, {Name: "b", MTTF: new(4.0), MTTR: new(1.0), Cost: units.Cost{Number: 1}},
		{Name: "c", MTTF: new(3.0), MTTR: new(1.0), Cost: units.Cost{Number: 1}}, {Name: "d", Availability: new(0.99), Cost: units.Cost{Number: 5}},
	}
	// b and c: 1 - 0.2·0.25 = 0.95, the only set below cost 3 that meets 0.94.
	a := replicas(t, &ReplicasQuestion{Pool: pool, Target: 0.94, Explain: true})
	if a.Replicas != 2 || *a.Cost != 2 || !*a.Exact || a.Chosen[0].Name != "b" || a.Chosen[1].Name != "c" {
		t.Errorf("got %+v", a)
	}
	numtest.Close(t, "availability", a.AvailabilityAll, 0.95, 1e-14)
	// All down: 0.05 of the time, ended at rate 1 + 1.
	numtest.Close(t, "rate", *a.AllDownRate, 0.05*2, 1e-13)
	numtest.Close(t, "mean", *a.AllDownTime, 0.5, 1e-13)
	_, err := Replicas(context.Background(), &ReplicasQuestion{Pool: pool, Target: 0.999999})
	wantInfeasible(t, "beyond the pool", err, "0.99995")
	// Beyond 30 machines the bound is reported: all alike, 2 of them needed.
	var many []PoolMachine
	for range 200 {
		many = append(many, PoolMachine{Availability: new(0.9), Cost: units.Cost{Number: 1}})
	}
	b := replicas(t, &ReplicasQuestion{Pool: many, Target: 0.985})
	if *b.Cost != 2 || *b.LowerBound > 2 || *b.LowerBound < 1.8 {
		t.Errorf("cost %v, bound %v", *b.Cost, *b.LowerBound)
	}
	plots, err := a.Plots(context.Background())
	if c := plots[0].Curves[0]; err != nil || len(c.X) != 2 || math.Abs(c.Y[1]-0.95) > 1e-14 {
		t.Errorf("curve %+v, %v", c, err)
	}
}

func TestReplicasTrace(t *testing.T) {
	f := &tally.Fleet{Machines: 2, Spells: tally.Spells{MTTF: new(300.0), MTTR: new(120.0)}}
	a := replicas(t, &ReplicasQuestion{Trace: f, Target: 0.95})
	if a.Replicas != 3 || *a.MTTF != 300 || a.Trace != f {
		t.Errorf("got %+v", a)
	}
	_, err := Replicas(context.Background(), &ReplicasQuestion{Trace: &tally.Fleet{}, Target: 0.95})
	wantInput(t, "no failure seen", err, "trace")
}

func TestReplicasRefuses(t *testing.T) {
	base := func() *ReplicasQuestion {
		return &ReplicasQuestion{MTTF: new(5.0), MTTR: new(2.0), Target: 0.9}
	}
	for field, change := range map[string]func(*ReplicasQuestion){
		"mttf":      func(q *ReplicasQuestion) { q.MTTF = new(0.0) },
		"mttr":      func(q *ReplicasQuestion) { q.MTTR = nil },
		"target":    func(q *ReplicasQuestion) { q.Target = 0 },
		"needed":    func(q *ReplicasQuestion) { q.Needed = -1 },
		"crews":     func(q *ReplicasQuestion) { q.Crews = new(int64(0)) },
		"beta":      func(q *ReplicasQuestion) { q.Beta = new(2.0) },
		"placement": func(q *ReplicasQuestion) { q.Groups = []RiskGroup{{"a", 2, 1}} },
		"start":     func(q *ReplicasQuestion) { q.Start = StartSteady },
		"window":    func(q *ReplicasQuestion) { q.Window = new(-1.0) },
		"pool":      func(q *ReplicasQuestion) { q.Pool = []PoolMachine{{}} },
		"trace":     func(q *ReplicasQuestion) { q.Trace = &tally.Fleet{} },
	} {
		q := base()
		change(q)
		_, err := Replicas(context.Background(), q)
		wantInput(t, field, err, field)
	}
	q := base()
	q.Target = 1
	_, err := Replicas(context.Background(), q)
	wantInfeasible(t, "target 1", err, "no number of replicas is enough")
	q = &ReplicasQuestion{MTTF: new(1e-300), MTTR: new(1e10), Target: 0.9}
	_, err = Replicas(context.Background(), q)
	wantInfeasible(t, "too many", err, "2^53")
}

// Points that would lie along the top of an axis of availability are drawn by what is missing, and
// what lies below by availability, whatever the target.
func TestReplicasPlotOfLittleMissing(t *testing.T) {
	for _, c := range []struct {
		q    ReplicasQuestion
		want string
	}{
		{ReplicasQuestion{MTTF: new(180.0), MTTR: new(1.0), Target: 0.99}, "Unavailability"},
		{ReplicasQuestion{MTTF: new(180.0), MTTR: new(1.0), Target: 0.5}, "Unavailability"},
		{ReplicasQuestion{MTTF: new(180.0), MTTR: new(1.0), Target: 0.5, Window: new(100.0)}, "Availability"},
		{ReplicasQuestion{MTTF: new(5.0), MTTR: new(2.0), Target: 0.95}, "Availability"},
		{ReplicasQuestion{MTTF: new(1e300), MTTR: new(1e-300), Target: 0.5}, "Availability"}, // never down
	} {
		plots, err := replicas(t, &c.q).Plots(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if got := plots[0].Title; got != c.want+" against replicas" {
			t.Errorf("%+v: %s", c.q, got)
		}
	}
}

// The curve holds the answer and falls, or rises where it is of availability.
func TestReplicasPlots(t *testing.T) {
	for _, q := range []*ReplicasQuestion{
		{MTTF: new(5.0), MTTR: new(2.0), Target: 0.999, Window: new(1.0)},
		{MTTF: new(1.0), MTTR: new(1000.0), Target: 0.99},
		{MTTF: new(5.0), MTTR: new(2.0), Target: 0.9, Beta: new(0.1)},
		{MTTF: new(5.0), MTTR: new(2.0), Target: 0.9, Crews: new(int64(2)), Needed: 2},
		{MTTF: new(10.0), MTTR: new(1.0), Target: 0.98, Groups: []RiskGroup{{"a", 0.01, 3}, {"b", 0.02, 2}}},
	} {
		a := replicas(t, q)
		plots, err := a.Plots(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		c, want, sign := plots[0].Curves[0], a.Unavailability, 1.0
		if q.Target < 0.99 {
			want, sign = a.AvailabilityAll, -1
		}
		found := false
		for i, k := range c.X {
			found = found || k == float64(a.Replicas) && numtest.RelErr(c.Y[i], want) < 1e-9
			if i > 0 && sign*c.Y[i] >= sign*c.Y[i-1] {
				t.Errorf("%+v: the wrong way at %v", q, k)
			}
		}
		if !found || len(c.X) > 130 || (len(plots[0].Curves) == 1) != (q.Window == nil) {
			t.Errorf("%+v: curve %+v", q, c)
		}
	}
}

// A target so small that log(1 − P) is no number is explained as all others: it ended in an internal error.
func TestReplicasOfTinyTarget(t *testing.T) {
	mttf, mttr := 300.0, 3.6
	q := &ReplicasQuestion{MTTF: &mttf, MTTR: &mttr, Target: 5e-324, Explain: true}
	if a, err := Replicas(context.Background(), q); err != nil || a.Replicas != 1 || a.Explanation == nil {
		t.Errorf("%+v, %v", a, err)
	}
}
