package leases

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/units"
)

func example(t *testing.T) *Question {
	t.Helper()
	data, err := os.ReadFile("../../testdata/leases.yaml")
	if err != nil {
		t.Fatal(err)
	}
	f, err := read(t, string(data))
	if err != nil {
		t.Fatal(err)
	}
	return &Question{File: *f, Seed: 1, Replications: 2, Horizon: 3600}
}

// Every figure has a mean, leases add up over all policies, and the bounds of the
// utilizations hold.
func TestAsk(t *testing.T) {
	came := 0.0
	for _, p := range Policies() {
		q := example(t)
		q.Policy, q.Explain = p, true
		calls := 0
		q.Progress = func(done, of int) { calls++ }
		a, err := Ask(context.Background(), q)
		if err != nil {
			t.Fatal(p, err)
		}
		f := a.Figures
		for name, v := range map[string]simulate.Interval{
			"vms": f.VMsPreempted, "leases": f.LeasesPreempted, "moved": f.ReservationsMoved, "printed": f.UtilizationPrinted,
			"utilization": f.Utilization, "overhead": f.Overhead, "awrt": f.AWRT, "response": f.Response, "migration": f.MigrationRate,
			"rejection": f.RejectionRate, "local": f.LocalRejectionRate, "failure": f.MigratableFailure,
		} {
			if v.Mean == nil || v.Low == nil || v.High == nil || *v.Low > *v.Mean || *v.High < *v.Mean {
				t.Errorf("%s: %s is %+v", p, name, v)
			}
		}
		if u := *f.Utilization.Mean; !(u > 0.05 && u < 1) || *f.UtilizationPrinted.Mean > 1 {
			t.Errorf("%s: utilization %v, as printed %v", p, u, *f.UtilizationPrinted.Mean)
		}
		sum, vms := 0.0, 0.0
		for _, o := range a.Leases {
			for _, v := range []simulate.Interval{o.Completed, o.Cancelled, o.Rejected, o.Failed, o.Unfinished} {
				sum += *v.Mean
			}
			if o.VMsPreempted != nil {
				vms += *o.VMsPreempted.Mean
			}
		}
		if came == 0 {
			came = sum
		}
		if sum != came || math.Abs(vms-*f.VMsPreempted.Mean) > 1e-9*vms {
			t.Errorf("%s: %v leases of %v, %v VMs preempted of %v", p, sum, came, vms, *f.VMsPreempted.Mean)
		}
		if calls != 2 || a.Explanation == nil || (len(a.Split) == 3) == (p == "least-work-left") {
			t.Errorf("%s: %d calls, split %v", p, calls, a.Split)
		}
	}
}

func TestAskRefuses(t *testing.T) {
	for _, c := range []struct {
		change func(*Question)
		field  string
		says   string
	}{
		{func(q *Question) { q.Policy = "best" }, "policy", `"best" is not one of [pap-rtdp`},
		{func(q *Question) { q.Victim = "fattest" }, "victim", "not one of"},
		{func(q *Question) { q.Sequence = "random" }, "sequence", "only used with policies rr, lrf and bcf"},
		{func(q *Question) { q.SplitAsPrinted, q.Policy = true, "rr" }, "split_as_printed", "only used with"},
		{func(q *Question) { q.Horizon = 1e11 }, "horizon", "means about"},
		{func(q *Question) { q.Horizon = -1 }, "horizon", "above 0"},
		{func(q *Question) { q.Horizon = 8e8; q.File.External.Gap.Scale = 1; q.Policy = "rr" }, "horizon", "GB of memory"},
		{func(q *Question) { q.Replications = -1 }, "replications", "within"},
		{func(q *Question) { q.Precision = 2 }, "precision", "want"},
	} {
		q := example(t)
		c.change(q)
		_, err := Ask(context.Background(), q)
		var input *ask.InputError
		if !errors.As(err, &input) || input.Field != c.field || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s: %s", err, c.field, c.says)
		}
	}
}

// PAP has no split where local requests alone are too many, and where all are.
func TestAskInfeasible(t *testing.T) {
	for constraint, change := range map[string]func(*Question){
		"utilization": func(q *Question) { q.File.LocalShare = nil },
		"rate":        func(q *Question) { q.File.External.Gap.Scale = 1 },
	} {
		q := example(t)
		change(q)
		_, err := Ask(context.Background(), q)
		var infeasible *ask.InfeasibleError
		if !errors.As(err, &infeasible) || infeasible.Constraint != constraint {
			t.Errorf("%v, want the constraint %s", err, constraint)
		}
		q.Policy = "rr"
		a, err := Ask(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if q.Horizon > 0 && constraint == "utilization" && !(*a.Figures.LocalRejectionRate.Mean > 0.1) {
			t.Errorf("%v of the local requests are rejected in overload", *a.Figures.LocalRejectionRate.Mean)
		}
	}
}

// Queues that grow are warned of.
func TestAskWarnsOfGrowingQueues(t *testing.T) {
	q := example(t)
	q.Policy, q.Horizon = "rr", 6*3600
	q.File.External.Gap.Scale = units.Duration(0.4)
	a, err := Ask(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Warnings) == 0 || !strings.Contains(a.Warnings[0], "queues grow") {
		t.Errorf("warnings %v", a.Warnings)
	}
}
