package machines

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/smp"
)

const repairKernel = `{"step_s": 3600, "states": ["U", "V", "D", "E"], "failure": ["D", "E"], "initial": "U",
 "kernel": {"U": {"V": [0.3, 0.2], "D": [0, 0, 0.5]}, "V": {"U": [0.6], "D": [0, 0.4]},
            "D": {"U": [0.5, 0, 0, 0.25], "V": [0, 0.25]}}}`

// Figures of a machine that comes back, against a chain of (state, age) by
// testdata/repair.py. The state E is never reached and keeps nothing from having a
// law of the long run.
func TestSolveRepairs(t *testing.T) {
	k, err := ReadKernel(context.Background(), "k.json", strings.NewReader(repairKernel))
	if err != nil {
		t.Fatal(err)
	}
	a, err := Solve(context.Background(), &SolveQuestion{Kernel: k, Window: 7 * 3600, Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	r := a.Repair
	if r == nil || len(r.States) != 4 {
		t.Fatalf("%+v", r)
	}
	for _, c := range []struct {
		name string
		got  *float64
		want float64
	}{
		{"at the end", r.Up, 0.623812},
		{"interval", r.Share, 0.7662571428571427},
		{"long run", r.LongRun, 0.6709753231485},
		{"mean up", r.MeanUp, 4.07857142857 * 3600},
		{"mean down", r.MeanDown, 2 * 3600},
		{"failures", r.Failures, 3.94829612220},
		{"entries of V", r.States[1].Entries, 0.28089887640},
		{"time in V", r.States[1].Time, 0.20564042303},
		{"stay in U", r.States[0].Sojourn, (0.3 + 0.4 + 1.5) * 3600},
		{"recovery from D", r.States[2].Recovery, (0.5 + 1 + 0.5) * 3600},
	} {
		if c.got == nil || math.Abs(*c.got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if r.States[3].Recovery != nil || r.States[3].Time != nil {
		t.Errorf("E: %+v", r.States[3])
	}
	if len(a.Explanation.Steps) < 5 {
		t.Errorf("%d steps explained", len(a.Explanation.Steps))
	}
}

// A kernel without rows of failure states has no repairs, and one whose state keeps
// the machine says which.
func TestSolveWithoutRepairs(t *testing.T) {
	for _, c := range []struct{ from, to, reason string }{
		{`"D": {"U": [0.5, 0, 0, 0.25], "V": [0, 0.25]}`, `"D": {}`, "none"},
		{`"V": {"U": [0.6], "D": [0, 0.4]}`, `"V": {"U": [0.6]}`, "V is not always left"},
	} {
		k, err := ReadKernel(context.Background(), "k.json",
			strings.NewReader(strings.Replace(repairKernel, c.from, c.to, 1)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := Solve(context.Background(), &SolveQuestion{Kernel: k, Window: 3600, Elapsed: 0})
		if err != nil {
			t.Fatal(err)
		}
		if c.reason == "none" {
			if a.Repair != nil {
				t.Errorf("%+v", a.Repair)
			}
		} else if a.Repair == nil || a.Repair.Reason != c.reason || a.Repair.LongRun != nil {
			t.Errorf("%+v", a.Repair)
		}
	}
}

// Times up and down of a whole record: two failures and two repairs in ten steps,
// counted by hand. What the record begins and ends with counts by its time.
func TestLabelRepairs(t *testing.T) {
	period := 300.0
	h := &Trace{Name: "m"}
	for i, load := range []float64{0.9, 0.1, 0.3, 0.9, 0.9, 0.1, 0.1, 0.1, 0.9, 0.9} {
		h.Samples = append(h.Samples, smp.Sample{Time: float64(i) * period, Load: load, FreeMemory: math.NaN()})
	}
	a, err := Label(&LabelQuestion{Host: h, Labelling: Labelling{Period: &period}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Failures != 2 || a.Repairs != 2 || a.Availability != 0.5 || *a.MeanUp != 750 || *a.MeanDown != 750 {
		t.Errorf("%d failures, %d repairs, %v, %v, %v", a.Failures, a.Repairs, a.Availability, *a.MeanUp, *a.MeanDown)
	}
}
