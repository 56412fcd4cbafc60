package approximations

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math"
	"os"
	"sync"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/networks"
)

var update = flag.Bool("update", false, "write queueing/internal/measured/measured.go and docs/APPROXIMATIONS.md")

// once holds the measures.
var once = sync.OnceValues(func() ([]Measure, error) {
	// The chains of priorities are half of it; CI measures them, and -update does.
	return Ask(context.Background(), &Question{unchained: !longtest.Wanted() && !*update})
})

func measured(t *testing.T) []Measure {
	t.Helper()
	all, err := once()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What the models quote of themselves, and what the docs have, is what the
// references say.
func TestMeasuredIsCurrent(t *testing.T) {
	all := measured(t)
	code, err := source(all)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{"../../queueing/internal/measured/measured.go": code, "../../docs/APPROXIMATIONS.md": document(all)} {
		if *update {
			if err := os.WriteFile(name, want, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(name)
		if err != nil || longtest.Wanted() && !bytes.Equal(got, want) {
			t.Errorf("%s is not what the references say: go generate ./planner/approximations, and look at the difference", name)
		}
		has := map[string]bool{}
		for line := range bytes.Lines(got) {
			has[string(line)] = true
		}
		for line := range bytes.Lines(want) {
			if !has[string(line)] {
				t.Errorf("%s does not say %sgo generate ./planner/approximations, and look at the difference", name, line)
			}
		}
	}
}

// No other method is better than the default over its whole regime.
func TestDefaultsAreBest(t *testing.T) {
	by := map[string]*Measure{}
	all := measured(t)
	for i := range all {
		by[all[i].Key] = &all[i]
	}
	for _, c := range []struct{ standard, other string }{
		{"FittedInterpolatedWait", "AllenCunneenWait"},
		{"FittedInterpolatedWait", "WhittWait"},
		{"FittedInterpolatedWait", "LangenbachBelzWait"},
		{"FittedInterpolatedPercentile", "AllenCunneenPercentile"},
		{"FittedInterpolatedPercentile", "WhittPercentile"},
		{"EquivalentRandom", "HaywardPeaked"},
		{"StaffingMOL", "StaffingSIPP"},
		{"StaffingMOL", "StaffingLagged"},
	} {
		d, o := by[c.standard], by[c.other]
		if d == nil || o == nil || !d.Default || o.Default {
			t.Errorf("%s and %s: %v, %v", c.standard, c.other, d, o)
			continue
		}
		if o.Most < d.Most && o.Median < d.Median && o.Low >= d.Low && o.High <= d.High {
			t.Errorf("%s is better than the default %s everywhere", c.other, c.standard)
		}
	}
}

// A range is the worst of its groups, outwards; what is too unsure is left out.
func TestJudge(t *testing.T) {
	m := Measure{groups: [][]Case{
		{{"a", 1.101, 1, 0}, {"b", 0.5, 1, 0.05}, {"unsure", 9, 1, 0.2}, {"none", 1, 0, 0}},
		{{"c", 1.25, 1, 0}, {"nan", math.NaN(), 1, 0}},
	}}
	m.judge()
	if m.Cases != 3 || m.Low != -0.5 || m.High != 0.25 || m.Most != 0.5 || m.Worst.Name != "b" {
		t.Errorf("%+v", m)
	}
	numtest.Close(t, "median", m.Median, 0.25, 1e-12)
}

// The sum over states of one link is Erlang's formula, and of a route through two
// links the known one of its state space.
func TestExactLoss(t *testing.T) {
	one := networks.Loss{Links: []networks.Link{{Servers: 10}}, Routes: []networks.Route{{Load: 3, Links: []int{0}}, {Load: 4, Links: []int{0}}}}
	loss, err := exactLoss(context.Background(), &one)
	if err != nil {
		t.Fatal(err)
	}
	b, err := queueing.ErlangB(10, 7)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range loss {
		numtest.Close(t, "one link", v, b, 1e-12)
	}
	// One server on each of two links: states empty, first, second, both by two
	// routes, both by the third: 1 + a + b + ab + c.
	two := networks.Loss{Links: []networks.Link{{Servers: 1}, {Servers: 1}}, Routes: []networks.Route{
		{Load: 2, Links: []int{0}}, {Load: 3, Links: []int{1}}, {Load: 5, Links: []int{0, 1}},
	}}
	if loss, err = exactLoss(context.Background(), &two); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{(2. + 6 + 5) / 17, (3. + 6 + 5) / 17, (2. + 3 + 6 + 5) / 17} {
		numtest.Close(t, "two links", loss[i], want, 1e-12)
	}
}

func TestRefusedSeeds(t *testing.T) {
	var input *ask.InputError
	for _, n := range []int{-1, 1, 1e9} {
		if _, err := Ask(context.Background(), &Question{Seeds: n}); !errors.As(err, &input) {
			t.Errorf("%d seeds: %v", n, err)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := Ask(ctx, &Question{Seeds: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}
