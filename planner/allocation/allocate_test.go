package allocation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

func batchOf(t testing.TB, data []byte) *BatchFile {
	t.Helper()
	f, err := ReadBatch(context.Background(), "batch", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func readAnswer(t testing.TB, v any) *BatchAnswer {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	a, err := ReadBatchAnswer(context.Background(), "answer", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The four named bounds of four batches against an independent solver of the
// explicit programs, to 1e-9; the answer lies between the best known and them.
func TestAllocateBounds(t *testing.T) {
	for _, name := range []string{"i02", "i06", "i13", "i17"} {
		data, err := os.ReadFile(filepath.Join("..", "..", "testdata", "alloc", name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		answers, err := os.ReadFile(filepath.Join("..", "..", "testdata", "alloc", name+".answers.json"))
		if err != nil {
			t.Fatal(err)
		}
		var want struct {
			MRPA map[string]struct {
				LP        float64 `json:"lp_bound"`
				Published float64 `json:"lp_bound_published"`
				Eligible  float64 `json:"lp_bound_eligible"`
				Known     float64 `json:"mip_objective"`
				Bound     float64 `json:"mip_best_bound"`
			} `json:"mrpa"`
		}
		if err := json.Unmarshal(answers, &want); err != nil {
			t.Fatal(err)
		}
		a, err := Allocate(context.Background(), &Question{Batch: batchOf(t, data), Seed: 1, Backup: alloc.Soft, Explain: true})
		if err != nil {
			t.Fatal(err)
		}
		var lp, published, eligible float64
		for _, d := range a.Dependencies {
			w := want.MRPA[d.Dependency]
			lp, published, eligible = lp+w.LP, published+w.Published, eligible+w.Eligible
			for _, c := range [][2]float64{{d.LP, w.LP}, {*d.Published, w.Published}, {d.Eligible, w.Eligible}} {
				if e := numtest.RelErr(c[0], c[1]); e > 1e-9 {
					t.Errorf("%s %s: bound %v, want %v", name, d.Dependency, c[0], c[1])
				}
			}
			if v := float64(*d.Revenue); v > w.Bound || v < w.Known*(1-3e-3) {
				t.Errorf("%s %s: revenue %v, best known %v, bound %v", name, d.Dependency, v, w.Known, w.Bound)
			}
			if d.Integer != nil && (float64(*d.Integer) > w.Eligible*(1+1e-9) || float64(*d.Integer) < w.Known) {
				t.Errorf("%s %s: integer bound %d", name, d.Dependency, *d.Integer)
			}
			if a.ShadowPrice[d.Dependency] != d.ShadowPrice {
				t.Errorf("%s: two shadow prices", name)
			}
		}
		for _, c := range [][2]float64{{a.LP, lp}, {*a.Published, published}, {a.Eligible, eligible}} {
			if e := numtest.RelErr(c[0], c[1]); e > 1e-9 {
				t.Errorf("%s: bound %v, want %v", name, c[0], c[1])
			}
		}
		v, err := Verify(batchOf(t, data), readAnswer(t, a))
		if err != nil {
			t.Fatal(err)
		}
		if !v.Feasible || v.Revenue != *a.Revenue || *v.Loss != a.Backup.Loss || *v.Unprotected != a.Backup.Unprotected || len(v.Warnings) > 0 {
			t.Errorf("%s: %+v", name, v)
		}
		if a.Explanation == nil || len(a.Explanation.Steps) < 6 {
			t.Errorf("%s: no explanation", name)
		}
	}
}

// Small batches against all combinations (testdata/allocate.py): revenue,
// infeasibility, and the loss of backups for given primaries.
func TestAllocateAgainstEnumeration(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "allocate.json"))
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Batch       json.RawMessage `json:"batch"`
		Revenue     *int64          `json:"revenue"`
		Loss        *int64          `json:"loss"`
		Assignments []any           `json:"assignments"`
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	infeasible := 0
	for i, c := range cases {
		f := batchOf(t, c.Batch)
		a, err := Allocate(context.Background(), &Question{Batch: f, Seed: 1})
		if c.Revenue == nil {
			infeasible++
			var e *ask.InfeasibleError
			if !errors.As(err, &e) {
				t.Errorf("case %d: %v, want infeasible", i, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("case %d: %v", i, err)
			continue
		}
		if *a.Revenue != *c.Revenue || !*a.Optimal || *a.Gap < 0 {
			t.Errorf("case %d: revenue %d (optimal %v, gap %v), want %d", i, *a.Revenue, *a.Optimal, *a.Gap, *c.Revenue)
		}
		given := readAnswer(t, map[string]any{"assignments": c.Assignments})
		b, err := Allocate(context.Background(), &Question{Batch: f, Primary: given, Seed: 1})
		if err != nil {
			t.Errorf("case %d: %v", i, err)
			continue
		}
		if !b.PrimaryGiven || *b.Revenue != *c.Revenue || b.Backup.Loss != *c.Loss || b.Backup.Mode != alloc.Soft {
			t.Errorf("case %d: revenue %d, loss %d, want %d, %d", i, *b.Revenue, b.Backup.Loss, *c.Revenue, *c.Loss)
		}
	}
	if infeasible == 0 || infeasible == len(cases) {
		t.Errorf("%d of %d cases infeasible", infeasible, len(cases))
	}
}

const tinyBatch = `{"dependencies": ["cpu"], "resources": [
 {"id": "R1", "dependency": "cpu", "primary_capacity": 10, "backup_capacity": 4, "risk_group": "rack"},
 {"id": "R2", "dependency": "cpu", "primary_capacity": 6, "backup_capacity": 4}],
 "jobs": [{"id": "a", "levels": {"cpu": [{"demand": 4, "revenue": 10}, {"demand": 9, "revenue": 30}]}},
          {"id": "b", "levels": {"cpu": [{"demand": 5, "revenue": 12}]}}]}`

// By hand: a at level 2 on R1 and b on R2 earn 42; a is saved at level 1 on R2
// (loss 20), b fits no backup (loss 12). R1 fails: 20 lost.
func TestAllocateByHand(t *testing.T) {
	q := &Question{Batch: batchOf(t, []byte(tinyBatch)), Backup: alloc.Soft, Fail: []string{"R1"}, Seed: 1}
	a, err := Allocate(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	b := a.Backup
	if *a.Revenue != 42 || b.Loss != 32 || b.Unprotected != 1 || b.NoBackupSite != 1 || b.UnprotectedJobs[0] != "b" {
		t.Errorf("revenue %d, %+v", *a.Revenue, b)
	}
	if c := b.Assignments[1]; c.Resource != nil || c.Level != 0 {
		t.Errorf("unprotected: %+v", c)
	}
	if len(a.Failures) != 1 || a.Failures[0].StepLoss != 20 || a.Failures[0].Stopped != 0 {
		t.Errorf("failures: %+v", a.Failures)
	}
	q = &Question{Batch: q.Batch, Backup: alloc.Strict, Seed: 1}
	_, err = Allocate(context.Background(), q)
	if !errors.Is(err, ask.ErrInfeasible) || !strings.Contains(err.Error(), "b") {
		t.Errorf("strict: %v", err)
	}
	plots, err := a.Plots(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	// Corners: 9 units hold both least levels and earn 22, 14 hold all and 42.
	c, at := plots[0].Curves[0], plots[0].Marks[0]
	if c.X[0] != 9 || c.Y[0] != 22 || c.X[1] != 14 || c.Y[1] != 42 || at.X != 16 || c.Y[len(c.Y)-1] != 42 {
		t.Errorf("curve %+v", c)
	}
}

func TestAllocateContradictions(t *testing.T) {
	zero := units.Duration(0)
	f := batchOf(t, []byte(tinyBatch))
	for _, q := range []*Question{
		{Batch: f, BoundOnly: true, Backup: alloc.Soft},
		{Batch: f, BoundOnly: true, Method: alloc.MaxBig},
		{Batch: f, TimeLimit: &zero},
		{Batch: f, Fail: []string{"R9"}},
		{Batch: f, Fail: []string{"R2", "R2"}},
		{Batch: f, Method: "best"},
		{Batch: f, Primary: readAnswer(t, map[string]any{"assignments": []any{}})},
	} {
		var e *ask.InputError
		if _, err := Allocate(context.Background(), q); !errors.As(err, &e) {
			t.Errorf("%+v: %v, want *InputError", q, err)
		}
	}
	a, err := Allocate(context.Background(), &Question{Batch: f, BoundOnly: true})
	if err != nil || a.Revenue != nil || a.Gap != nil || a.Method != nil || a.LP != 42 || a.ProvenBound != 42 {
		t.Errorf("bounds only: %+v, %v", a, err)
	}
	if len(a.Curves) != len(a.Dependencies) {
		t.Fatalf("%d curves for %d dependencies", len(a.Curves), len(a.Dependencies))
	}
	for i, c := range a.Curves {
		if c.Dependency != a.Dependencies[i].Dependency || c.Bound != a.Dependencies[i].LP || c.At != float64(a.Dependencies[i].Capacity) {
			t.Errorf("curve %+v of %+v", c, a.Dependencies[i])
		}
		slope := math.Inf(1)
		for k := 1; k < len(c.Capacity); k++ {
			s := (c.Revenue[k] - c.Revenue[k-1]) / (c.Capacity[k] - c.Capacity[k-1])
			if s > slope*(1+1e-12) || s < 0 {
				t.Errorf("%s: slope %g after %g: not concave or falling", c.Dependency, s, slope)
			}
			slope = s
		}
	}
}

// The loss over failures is that of each resource failing first, and of two at
// once at least that of the worse of them.
func TestAllocateLosses(t *testing.T) {
	file, err := os.Open("../../testdata/alloc/i02.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	f, err := ReadBatch(context.Background(), "i02.json", file)
	if err != nil {
		t.Fatal(err)
	}
	a, err := Allocate(context.Background(), &Question{Batch: f, Losses: true, Pairs: MaxPairs, Seed: 1})
	if err != nil || a.Backup == nil || a.Losses == nil || !a.Losses.Single.Complete || !a.Losses.Pairs.Complete {
		t.Fatalf("%+v, %v", a, err)
	}
	single := map[string]int64{}
	var sum int64
	for _, l := range a.Losses.Single.Losses {
		single[l.Failed[0]], sum = l.Loss, sum+l.Loss
	}
	// Every job fails once with its primary, on a resource of its own failing.
	if sum != a.Backup.Loss {
		t.Errorf("single failures lose %d in all, the backups %d", sum, a.Backup.Loss)
	}
	if n := len(single); len(a.Losses.Pairs.Losses) != n*(n-1)/2 {
		t.Errorf("%d pairs of %d", len(a.Losses.Pairs.Losses), n)
	}
	for _, l := range a.Losses.Pairs.Losses {
		if l.Loss < single[l.Failed[0]]+single[l.Failed[1]] {
			t.Errorf("%v lose %d together, %d and %d alone", l.Failed, l.Loss, single[l.Failed[0]], single[l.Failed[1]])
		}
	}
	var input *ask.InputError
	for _, q := range []*Question{{Batch: f, Pairs: 3}, {Batch: f, Losses: true, Pairs: MaxPairs + 1}, {Batch: f, Losses: true, BoundOnly: true}} {
		if _, err := Allocate(context.Background(), q); !errors.As(err, &input) {
			t.Errorf("%+v: %v", q, err)
		}
	}
}

// Each rule, broken once.
func TestVerifyAllocation(t *testing.T) {
	type choice = map[string]any
	good := func() (primary, backup []choice) {
		return []choice{{"job": "a", "dependency": "cpu", "resource": "R1", "level": 2, "demand": 9, "revenue": 30}, {"job": "b", "dependency": "cpu", "resource": "R2", "level": 1}},
			[]choice{{"job": "a", "dependency": "cpu", "resource": "R2", "level": 1}, {"job": "b", "dependency": "cpu", "resource": nil, "level": 0}}
	}
	for _, c := range []struct {
		rule   string
		break_ func(primary, backup []choice)
	}{
		{"", func(p, b []choice) {}},
		{"dependency", func(p, b []choice) { p[0]["dependency"] = "gpu" }},
		{"job", func(p, b []choice) { p[0]["job"] = "z" }},
		{"twice", func(p, b []choice) { p[1]["job"] = "a" }},
		{"level", func(p, b []choice) { p[0]["level"] = 3 }},
		{"level", func(p, b []choice) { p[0]["level"] = -1 }},
		{"level", func(p, b []choice) { b[1]["resource"] = "R1" }},
		{"missing", func(p, b []choice) { p[0]["level"], p[0]["resource"] = 0, nil }},
		{"resource", func(p, b []choice) { p[0]["resource"] = "R9" }},
		{"resource", func(p, b []choice) { p[0]["resource"] = nil }},
		{"stated demand", func(p, b []choice) { p[0]["demand"] = 8 }},
		{"stated revenue", func(p, b []choice) { p[0]["revenue"] = 31 }},
		{"capacity", func(p, b []choice) { p[1]["resource"] = "R1" }},
		{"disjoint", func(p, b []choice) { b[0]["resource"] = "R1" }},
		{"above primary", func(p, b []choice) {
			p[0]["level"], b[0]["level"] = 1, 2
			delete(p[0], "demand")
			delete(p[0], "revenue")
		}},
		{"shared capacity", func(p, b []choice) { b[1]["resource"], b[1]["level"] = "R1", 1 }},
	} {
		p, b := good()
		c.break_(p, b)
		v, err := Verify(batchOf(t, []byte(tinyBatch)), readAnswer(t, map[string]any{"revenue": 42, "assignments": p, "backup": map[string]any{"loss": 32, "assignments": b}}))
		if err != nil {
			t.Fatal(err)
		}
		found := c.rule == ""
		for _, x := range v.Violations {
			found = found || x.Rule == c.rule
		}
		if v.Feasible != (c.rule == "") || !found {
			t.Errorf("%q: %+v", c.rule, v)
		}
		if c.rule == "" && (v.Revenue != 42 || *v.Loss != 32 || len(v.Warnings) != 0) {
			t.Errorf("the right one: %+v", v)
		}
	}
}

func TestGenerateBatch(t *testing.T) {
	q := &GenerateQuestion{Jobs: 20, Resources: 5, PrimaryFactor: 0.6, BackupFactor: 0.4, Mix: [3]float64{20, 70, 10}, Seed: 7}
	b, err := GenerateBatch(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	f := batchOf(t, data)
	if len(f.Jobs) != 20 || len(f.Resources) != 15 || !strings.HasSuffix(f.Comment, `"seed":7}`) {
		t.Errorf("%d jobs, %d resources, %q", len(f.Jobs), len(f.Resources), f.Comment)
	}
	q.PrimaryFactor = 0
	var e *ask.InputError
	if _, err := GenerateBatch(context.Background(), q); !errors.As(err, &e) || e.Field != "primary_factor" {
		t.Errorf("%v", err)
	}
}

// A batch of more jobs than are held at once is made as it is read, the same
// twice.
func TestStreamBatch(t *testing.T) {
	q := &GenerateQuestion{Jobs: 1_000_000, Resources: 2, PrimaryFactor: 0.6, Mix: [3]float64{20, 70, 10}, FeeFactor: 0.1}
	var e *ask.InputError
	if _, err := GenerateBatch(context.Background(), q); !errors.As(err, &e) || e.Field != "jobs" {
		t.Errorf("%v", err)
	}
	b, err := StreamBatch(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	var first [2][]byte
	for i := range first {
		n := 0
		for j, err := range b.Jobs(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			if n++; n > 100 {
				break
			}
			if first[i], err = j.AppendJSON(first[i]); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(first[0]) < 100*200 || !bytes.Equal(first[0], first[1]) {
		t.Errorf("%d and %d bytes of 100 jobs, want the same", len(first[0]), len(first[1]))
	}
	// The capacity is 0.6 of the mean demand of all jobs, which table 1 gives to
	// within a thousandth for so many.
	want := 0.6 * 1e6 * (0.2*(60+150+300+450)/4 + 0.7*(300+450+1250+3500)/4 + 0.1*(1500+3500+6500+9000)/4)
	got := float64(b.Resources[0].PrimaryCapacity + b.Resources[1].PrimaryCapacity)
	if math.Abs(got/want-1) > 0.005 {
		t.Errorf("capacity %v, want about %v", got, want)
	}
	for _, jobs := range []int{0, alloc.MostGenerated + 1} {
		q.Jobs = jobs
		if _, err := StreamBatch(context.Background(), q); !errors.As(err, &e) || e.Field != "jobs" {
			t.Errorf("%d jobs: %v", jobs, err)
		}
	}
}
