package bot

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/sim"
)

// A run whose horizon nobody gave is given up after many events without a task done, or by its study in all, and told
// as unfinished; with a horizon, or while tasks are done, it is followed to its end.
func TestRunsAreGivenUp(t *testing.T) {
	c := &Case{
		Bag: bags.Bag{Size: bags.Spread{Mean: 20}, Work: bags.Spread{Mean: 180}},
		Hosts: &hosts.Platform{Count: 100, Speed: hosts.Speed{Mean: 1},
			Up: law.Exponential{Scale: 60}, Down: law.Exponential{Scale: 60}},
		Credits: -1,
	}
	follow := func(c *Case) *Outcome {
		t.Helper()
		o, err := Simulate(c, func(entity ...uint64) *rand.Rand { return sim.Stream(1, 0, entity...) }, nil)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	f := c.followed()
	if f.most != ManyEvents || c.most != 0 {
		t.Errorf("followed for %d events, the case itself for %d", f.most, c.most)
	}
	f.most = 20_000
	whole := follow(f)
	if !whole.Done() || whole.Events < 5000 {
		t.Fatalf("%+v", whole)
	}
	f.Bag.Work.Mean = 36_000
	if o := follow(f); o.Done() || o.Events < f.most || math.Abs(o.End-72_000) > 60 {
		t.Errorf("given up: %+v", o)
	}
	// Tasks that are done by luck, each after some 150,000 events, do not let a run go on for ever.
	lucky := c.followed()
	lucky.Bag.Work.Mean, lucky.Bag.Size.Mean, lucky.Hosts.Count = 600, 1000, 1
	lucky.all = 50_000
	if o := follow(lucky); o.Done() || o.Events != lucky.all || o.Completed == 0 {
		t.Errorf("given up for its events: %+v", o)
	}
	with := *c
	with.Horizon = 1e9
	if f := with.followed(); f.most != 0 {
		t.Errorf("with a horizon: followed for %d events", f.most)
	}
}

// A run that is given up after its events is told to take no longer than these.
func TestPaceOfGivenUpRuns(t *testing.T) {
	s, err := NewStudy(&Case{
		Bag: bags.Bag{Size: bags.Spread{Mean: 3e5}, Work: bags.Spread{Mean: 18_000}},
		Hosts: &hosts.Platform{Count: 1000, Speed: hosts.Speed{Mean: 1},
			Up: law.Exponential{Scale: 3600}, Down: law.Exponential{Scale: 3600}},
	})
	if err != nil {
		t.Fatal(err)
	}
	all := s.Seconds(0)
	s.Most = 100_000
	if most := s.Seconds(0); !(most <= 0.1 && all > 0.5) {
		t.Errorf("%g s, up to 100,000 events %g s", all, most)
	}
}
