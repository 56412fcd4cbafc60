package bags

import (
	"strings"
	"testing"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// Runs whose number and horizon nobody gave are given up after half of the events that all may have, which is said.
// They had four times as many where a task is done by luck now and then.
func TestHopelessRunsEnd(t *testing.T) {
	q := &SimulateQuestion{
		Bag: &bags.Bag{Name: "hopeless", Size: bags.Spread{Mean: 20}, Work: bags.Spread{Mean: 6e4}},
		Hosts: &hosts.Platform{Name: lawHosts, Count: 1000, Speed: hosts.Speed{Mean: 3},
			Up: law.Exponential{Scale: 3600}, Down: law.Exponential{Scale: 3600}},
		Seed: 1, Replications: 2,
	}
	a, err := Simulate(t.Context(), q)
	if err != nil || a.most != 0 {
		t.Fatalf("given up after %d events of two runs: %v", a.most, err)
	}
	q.Replications, q.Bag.Size.Mean = 0, 3e5
	if a, err = Simulate(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(a.Warnings, "\n"); a.Events > 51e6 || a.Unfinished != 1 ||
		!strings.Contains(all, "or after 25 million in all unless a number of replications is asked for") {
		t.Errorf("%d events, %g unfinished: %s", a.Events, a.Unfinished, all)
	}
}

// Where machines come and go so often that the runs of two designs take what a race for cheaper help may take,
// there is no race: what was found is answered with a warning. Each run of this bag has some 10^5 changes.
func TestNoRaceOfLongRuns(t *testing.T) {
	q := &FinishQuestion{
		Bag: &bags.Bag{Name: "long", Size: bags.Spread{Mean: 12}, Work: bags.Spread{Mean: 1.3e9}},
		Hosts: &hosts.Platform{Name: lawHosts, Count: 160, Speed: Desktop,
			Up: law.Exponential{Scale: 300}, Down: law.Exponential{Scale: 300}},
		Server: "checkpoint", By: new(5.5e5), CloudSpeed: new(3000.), Seed: 11,
	}
	a, err := Done(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if a.Design == nil || a.Design.Judged == nil || a.Design.Workers < 12 {
		t.Fatalf("design %+v: %q", a.Design, a.Warnings)
	}
	t.Logf("%+v %+v", *a.Design, *a.Design.Judged)
	if all := strings.Join(a.Warnings, "\n"); !strings.Contains(all, "no cheaper help was looked for by runs") {
		t.Errorf("no warning among %s", all)
	}
	if a.Design.Judged.Tried > 3 {
		t.Errorf("%d designs tried", a.Design.Judged.Tried)
	}
}
