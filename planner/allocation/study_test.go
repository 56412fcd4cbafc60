package allocation

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"runtime"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

func study(t *testing.T, q StudyQuestion) *StudyAnswer {
	t.Helper()
	a, err := Study(context.Background(), &q)
	if err != nil {
		t.Fatalf("figure %s: %v", q.Figure, err)
	}
	return a
}

// pick returns the mean of the row that fits, which must be one.
func pick(t *testing.T, a *StudyAnswer, fits func(*StudyRow) bool) float64 {
	t.Helper()
	found := math.NaN()
	for i := range a.Rows {
		if fits(&a.Rows[i]) {
			if !math.IsNaN(found) {
				t.Fatalf("figure %s: two rows fit", a.Figure)
			}
			found = a.Rows[i].Mean
		}
	}
	if math.IsNaN(found) {
		t.Fatalf("figure %s: no row fits", a.Figure)
	}
	return found
}

// A study of one batch is what allocate says of the batch that generate makes.
func TestStudyIsAllocate(t *testing.T) {
	ctx := context.Background()
	b, err := alloc.Generate(context.Background(), alloc.GeneratorOptions{Jobs: 30, Resources: 4, PrimaryFactor: 0.6, BackupFactor: 0.2, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	s, err := alloc.New(b)
	if err != nil {
		t.Fatal(err)
	}
	a := study(t, StudyQuestion{Figure: "7a", Jobs: 30, Resources: 4, Over: []float64{0.6}, Seeds: 1, Seed: 5, Effort: 1})
	for _, m := range allMethods {
		p, err := s.Allocate(ctx, alloc.Options{Method: m, Seed: 5})
		if err != nil {
			t.Fatal(err)
		}
		if got := pick(t, a, func(r *StudyRow) bool { return r.Method == string(m) }); got != float64(p.Revenue) {
			t.Errorf("%s earns %v, allocate %d", m, got, p.Revenue)
		}
	}
	pf := 0.6
	loss := study(t, StudyQuestion{Figure: "loss", Jobs: 30, Resources: 4, PrimaryFactor: &pf, Over: []float64{0.2}, Seeds: 1, Seed: 5, Effort: 1})
	primary, err := s.Allocate(ctx, alloc.Options{Method: alloc.LPRoundPaper, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range backupMethods {
		p, err := s.Backup(ctx, primary.Choices, alloc.BackupOptions{Options: alloc.Options{Method: m, Seed: 5}})
		if err != nil {
			t.Fatal(err)
		}
		if got := pick(t, loss, func(r *StudyRow) bool { return r.Method == string(m) }); got != float64(p.Loss) {
			t.Errorf("%s loses %v, allocate %d", m, got, p.Loss)
		}
	}
}

// What is split adds up: revenue and loss over classes and dependencies, jobs
// over levels; and no method passes a bound.
func TestStudySums(t *testing.T) {
	pf, bf := 0.75, 0.15
	small := StudyQuestion{Jobs: 40, Resources: 5, Seeds: 3, Seed: 11}
	with := func(figure string, change func(*StudyQuestion)) *StudyAnswer {
		q := small
		q.Figure = figure
		if change != nil {
			change(&q)
		}
		return study(t, q)
	}
	total := with("7a", func(q *StudyQuestion) { q.Over = []float64{pf} })
	classes := with("7b", nil)
	levels := with("7c", nil)
	loss := with("8a", func(q *StudyQuestion) { q.Over = []float64{bf} })
	lossClasses := with("8c", nil)
	backups := with("8e", func(q *StudyQuestion) { q.Over = []float64{40} })
	backupLevels := with("8d", nil)
	sum := func(a *StudyAnswer, method string, fits func(*StudyRow) bool) (v float64) {
		for i := range a.Rows {
			if r := &a.Rows[i]; r.Method == method && fits(r) {
				v += r.Mean
			}
		}
		return v
	}
	all := func(r *StudyRow) bool { return r.Dependency == nil }
	each := func(r *StudyRow) bool { return r.Dependency != nil }
	close := func(what string, a, b float64) {
		t.Helper()
		if math.Abs(a-b) > 1e-9*math.Max(1, math.Abs(b)) {
			t.Errorf("%s: %v and %v", what, a, b)
		}
	}
	bound := sum(total, StudyBound, all)
	for _, m := range allMethods {
		v := sum(total, string(m), all)
		close(string(m)+" over classes", sum(classes, string(m), all), v)
		close(string(m)+" over dependencies", sum(classes, string(m), each), v)
		close(string(m)+" jobs over levels", sum(levels, string(m), each), 40)
		if v > bound {
			t.Errorf("%s earns %v, above its bound %v", m, v, bound)
		}
	}
	least := sum(loss, StudyLeastLoss, all)
	primary := sum(total, string(alloc.LPRoundPaper), all)
	for _, m := range backupMethods {
		v := sum(loss, string(m), all)
		close(string(m)+" loss over classes", sum(lossClasses, string(m), all), v)
		close(string(m)+" loss over dependencies", sum(lossClasses, string(m), each), v)
		close(string(m)+" backups and loss", sum(backups, string(m), all)+v, primary)
		close(string(m)+" backups over levels", sum(backupLevels, string(m), each), 40)
		if v < least {
			t.Errorf("%s loses %v, below the least loss %v", m, v, least)
		}
	}
	if v := sum(loss, noSharing, all); v < sum(loss, string(alloc.LPRoundPaper), all) {
		t.Errorf("without sharing the loss is %v, less than with it", v)
	}
}

// More resources, more jobs and more backup capacity are never worse for the
// bounds; and the observations of section 5.3 that hold in every batch do.
func TestStudyTrends(t *testing.T) {
	for figure, falls := range map[string]bool{"7a": false, "7f": false, "8a": true} {
		if figure == "7f" && !longtest.Wanted() {
			continue
		}
		q := StudyQuestion{Figure: figure, Seeds: 3, Seed: 1}
		if figure == "7a" {
			q.Over = []float64{0.5, 0.75, 1}
		}
		a := study(t, q)
		last := map[string]float64{}
		for _, r := range a.Rows {
			if r.Method != StudyBound && r.Method != StudyLeastLoss {
				continue
			}
			if v, ok := last[r.Method]; ok && (falls && r.Mean > v || !falls && r.Mean < v) {
				t.Errorf("figure %s: %s at %v is %v after %v", figure, r.Method, *r.X, r.Mean, v)
			}
			last[r.Method] = r.Mean
		}
	}
	a := study(t, StudyQuestion{Figure: "7c", Seeds: 3, Seed: 1})
	jobs := func(m alloc.Method, class string, level int) float64 {
		return pick(t, a, func(r *StudyRow) bool { return r.Method == string(m) && *r.Class == class && *r.Level == level })
	}
	// UNIT_BIG pushes all large jobs to the least level, MAX_BIG all small ones;
	// MRPA has most medium jobs at level 3.
	if jobs(alloc.UnitBig, "large", 1) != 10 || jobs(alloc.MaxBig, "small", 1) != 20 || jobs(alloc.LPRoundPaper, "medium", 3) < 35 {
		t.Errorf("levels are not those of figure 7c: %v large by unit-big and %v small by max-big at level 1, %v medium by lp-round-paper at level 3",
			jobs(alloc.UnitBig, "large", 1), jobs(alloc.MaxBig, "small", 1), jobs(alloc.LPRoundPaper, "medium", 3))
	}
}

// Losses and stopped jobs only grow from failure to failure, in all methods.
func TestStudyFailures(t *testing.T) {
	a := study(t, StudyQuestion{Figure: "table2", Jobs: 40, Resources: 4, Seeds: 4, Seed: 3, Over: []float64{1, 2, 3, 4, 5}})
	last := map[string]float64{}
	points := map[string]int{}
	for _, r := range a.Rows {
		k := r.Method + r.Quantity
		points[k]++
		if *r.X != float64(points[k]) {
			t.Fatalf("%s: failure %v is the %d. row", k, *r.X, points[k])
		}
		if r.Quantity != "unprotected" && r.Mean < last[k] {
			t.Errorf("%s falls to %v after %v failures", k, r.Mean, *r.X)
		}
		last[k] = r.Mean
	}
	if len(points) != 12 {
		t.Errorf("%d lines, want 3 methods of 4 quantities", len(points))
	}
}

// The points of a figure over jobs are nested batches on the same resources.
func TestStudyNested(t *testing.T) {
	q := StudyQuestion{Figure: "7f", Seed: 2}
	f, err := q.figure()
	if err != nil {
		t.Fatal(err)
	}
	if err := q.fill(f); err != nil {
		t.Fatal(err)
	}
	var before *alloc.Batch
	for _, x := range q.Over {
		b, err := (&studyCase{q: &q, f: f, seed: 2, x: x}).generate(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		count := map[string]int{}
		for _, j := range b.Jobs {
			count[j.Class]++
		}
		if len(b.Jobs) < int(x)-1 || len(b.Jobs) > int(x)+1 || math.Abs(float64(count["medium"])-0.7*x) > 1 {
			t.Errorf("at %v there are %d jobs, %v", x, len(b.Jobs), count)
		}
		if before != nil {
			ids := map[string]bool{}
			for _, j := range b.Jobs {
				ids[j.ID] = true
			}
			for _, j := range before.Jobs {
				if !ids[j.ID] {
					t.Errorf("job %s is gone at %v", j.ID, x)
				}
			}
			if before.Resources[3] != b.Resources[3] {
				t.Errorf("resources differ at %v", x)
			}
		}
		before = b
	}
	// At 100 jobs, half of these, the primary factor is 0.75.
	capacity, demand := 0.0, 0.0
	for _, r := range before.Resources {
		if r.Dependency == "compute" {
			capacity += float64(r.PrimaryCapacity)
		}
	}
	for _, j := range before.Jobs {
		for _, l := range j.Levels["compute"] {
			demand += float64(l.Demand) / 4
		}
	}
	if math.Abs(capacity/(0.75*demand/2)-1) > 1e-3 {
		t.Errorf("capacity %v for a mean demand of %v", capacity, demand)
	}
}

// Student's t of three degrees at 97.5 % is 3.182446305 (scipy.stats.t.ppf).
func TestStudyInterval(t *testing.T) {
	r := key("m", "q").row([]float64{1, 2, 3, 4}, 4)
	half := 3.182446305284263 * math.Sqrt(5.0/3/4)
	if r.Mean != 2.5 || math.Abs(*r.High-2.5-half) > 1e-9 || math.Abs(2.5-*r.Low-half) > 1e-9 {
		t.Errorf("%v in %v to %v, want 2.5 ± %v", r.Mean, *r.Low, *r.High, half)
	}
	// A batch without the key counts as 0.
	if z := key("m", "q").row([]float64{2, 2}, 4); z.Mean != 1 || math.Abs(*z.High-1-3.182446305284263*math.Sqrt(4.0/3/4)) > 1e-9 {
		t.Errorf("%v to %v for 2, 2, 0, 0", z.Mean, *z.High)
	}
	if one := key("m", "q").row([]float64{7}, 1); one.Mean != 7 || one.Low != nil {
		t.Errorf("one batch: %+v", one)
	}
}

// The same question gives the same bytes on any number of cores.
func TestStudySameBytes(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var first []byte
	for _, cores := range []int{1, 4} {
		runtime.GOMAXPROCS(cores)
		b, err := json.Marshal(study(t, StudyQuestion{Figure: "8a", Jobs: 30, Resources: 4, Seeds: 4, Seed: 1, Over: []float64{0.1, 0.2}}))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b
		} else if string(b) != string(first) {
			t.Errorf("on %d cores %s, on one %s", cores, b, first)
		}
	}
}

// After an interruption the means are those over the batches that are finished.
func TestStudyStopped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	q := StudyQuestion{Figure: "7b", Jobs: 30, Resources: 4, Seeds: 1000, Seed: 1}
	q.Done = func(part, _ int) {
		if part == 20 {
			cancel()
		}
	}
	a, err := Study(ctx, &q)
	if err != nil {
		t.Fatal(err)
	}
	if !a.Stopped || a.Seeds < 10 || a.Seeds > 100 {
		t.Fatalf("stopped %v after %d batches", a.Stopped, a.Seeds)
	}
	q.Done, q.Seeds = nil, a.Seeds
	b := study(t, q)
	for i := range a.Rows {
		if a.Rows[i].Mean != b.Rows[i].Mean {
			t.Errorf("row %d: %v, over the same batches %v", i, a.Rows[i].Mean, b.Rows[i].Mean)
		}
	}
	if _, err := Study(ctx, &q); !errors.Is(err, context.Canceled) {
		t.Errorf("nothing finished: %v", err)
	}
	// Nothing is infeasible as long as batches are left.
	ctx, cancel = context.WithCancel(context.Background())
	defer cancel()
	none := StudyQuestion{Figure: "7b", Resources: 10000, Seeds: 1000, Seed: 1, Done: func(part, _ int) {
		if part == 8 {
			cancel()
		}
	}}
	if _, err := Study(ctx, &none); !errors.Is(err, context.Canceled) {
		t.Errorf("without an assignment so far: %v", err)
	}
}

func TestStudyRefuses(t *testing.T) {
	half, none := 0.5, 0.0
	for field, q := range map[string]StudyQuestion{
		"figure":          {Figure: "9a"},
		"primary_factor":  {Figure: "7a", PrimaryFactor: &half},
		"backup_factor":   {Figure: "7b", BackupFactor: &half},
		"over":            {Figure: "7a", Over: []float64{0.5, 0.5}},
		"jobs":            {Figure: "7a", Jobs: -1},
		"resources":       {Figure: "table2", Resources: 1},
		"seeds":           {Figure: "7a", Seeds: -3},
		"methods":         {Figure: "7a", Methods: []alloc.Method{"exact"}},
		"primary_factor ": {Figure: "7b", PrimaryFactor: &none},
		"over ":           {Figure: "7b", Over: []float64{1}},
		"over  ":          {Figure: "7f", Over: []float64{1.5}},
		"over   ":         {Figure: "table2", Over: []float64{1, 3}},
		"methods ":        {Figure: "7a", Methods: []alloc.Method{alloc.MaxBig, alloc.MaxBig}},
	} {
		_, err := Study(context.Background(), &q)
		var input *ask.InputError
		for field[len(field)-1] == ' ' {
			field = field[:len(field)-1]
		}
		if !errors.As(err, &input) || input.Field != field {
			t.Errorf("%+v: %v, want an error of %s", q, err, field)
		}
	}
	low := 0.1
	_, err := Study(context.Background(), &StudyQuestion{Figure: "7b", PrimaryFactor: &low, Seeds: 2})
	if !errors.Is(err, ask.ErrInfeasible) {
		t.Errorf("no capacity: %v", err)
	}
}
