package alloc

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func validBatch() *Batch {
	return &Batch{
		Dependencies: []string{"cpu", "net"},
		Resources: []Resource{
			{ID: "c0", Dependency: "cpu", PrimaryCapacity: 10, BackupCapacity: 5},
			{ID: "c1", Dependency: "cpu", PrimaryCapacity: 10, BackupCapacity: 5},
			{ID: "n0", Dependency: "net", PrimaryCapacity: 10, BackupCapacity: 5},
		},
		Jobs: []Job{
			{ID: "a", Levels: map[string][]Level{"cpu": {{2, 5}, {4, 9}}, "net": {{1, 1}}}},
			{ID: "b", Levels: map[string][]Level{"cpu": {{3, 7}}}},
		},
	}
}

func TestNewNamesThePlace(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*Batch)
		kind   error
		place  string
	}{
		{"dependency twice", func(b *Batch) { b.Dependencies[1] = "cpu" }, ErrDuplicateID, "dependencies[1]"},
		{"resource twice", func(b *Batch) { b.Resources[1].ID = "c0" }, ErrDuplicateID, "resources[1].id"},
		{"resource of unknown dependency", func(b *Batch) { b.Resources[2].Dependency = "disk" }, ErrUnknownDependency, "resources[2].dependency"},
		{"negative capacity", func(b *Batch) { b.Resources[0].PrimaryCapacity = -1 }, ErrOutOfRange, "resources[0].primary_capacity"},
		{"negative backup", func(b *Batch) { b.Resources[0].BackupCapacity = -1 }, ErrOutOfRange, "resources[0].backup_capacity"},
		{"capacities overflow", func(b *Batch) { b.Resources[1].PrimaryCapacity = limit - 5 }, ErrOverflow, "resources[1].primary_capacity"},
		{"speed", func(b *Batch) { b.Resources[1].Speed = math.NaN() }, ErrOutOfRange, "resources[1].speed"},
		{"speed overflows", func(b *Batch) { b.Resources[1].Speed = 1e300 }, ErrOverflow, "resources[1].primary_capacity"},
		{"job twice", func(b *Batch) { b.Jobs[1].ID = "a" }, ErrDuplicateID, "jobs[1].id"},
		{"no levels", func(b *Batch) { b.Jobs[1].Levels = nil }, ErrNoLevels, "jobs[1].levels"},
		{"empty levels", func(b *Batch) { b.Jobs[0].Levels["net"] = []Level{} }, ErrNoLevels, "jobs[0].levels.net"},
		{"levels of unknown dependency", func(b *Batch) { b.Jobs[1].Levels["disk"] = []Level{{1, 1}} }, ErrUnknownDependency, "jobs[1].levels.disk"},
		{"demand does not rise", func(b *Batch) { b.Jobs[0].Levels["cpu"][1].Demand = 2 }, ErrLevelOrder, "jobs[0].levels.cpu[1].demand"},
		{"revenue falls", func(b *Batch) { b.Jobs[0].Levels["cpu"][1].Revenue = 4 }, ErrLevelOrder, "jobs[0].levels.cpu[1].revenue"},
		{"negative demand", func(b *Batch) { b.Jobs[0].Levels["cpu"][0].Demand = -2 }, ErrOutOfRange, "jobs[0].levels.cpu[0].demand"},
		{"negative revenue", func(b *Batch) { b.Jobs[0].Levels["cpu"][0].Revenue = -2 }, ErrOutOfRange, "jobs[0].levels.cpu[0].revenue"},
		{"demand overflows", func(b *Batch) { b.Jobs[0].Levels["cpu"][1].Demand = math.MaxInt64 }, ErrOverflow, "jobs[0].levels.cpu[1].demand"},
		{"demands overflow", func(b *Batch) { b.Jobs[0].Levels["cpu"][1].Demand = limit - 1 }, ErrOverflow, "jobs[1].levels.cpu"},
		{"eligible for unknown resource", func(b *Batch) { b.Jobs[0].Eligible = map[string][]string{"cpu": {"n0"}} }, ErrUnknownResource, "jobs[0].eligible.cpu[0]"},
		{"eligible for unknown dependency", func(b *Batch) { b.Jobs[0].Eligible = map[string][]string{"disk": nil} }, ErrUnknownDependency, "jobs[0].eligible.disk"},
	} {
		b := validBatch()
		c.change(b)
		_, err := New(b)
		var e *BatchError
		if !errors.As(err, &e) || !errors.Is(err, c.kind) || e.Place != c.place {
			t.Errorf("%s: err = %v, want %v at %s", c.name, err, c.kind, c.place)
		}
	}
	if _, err := New(validBatch()); err != nil {
		t.Error(err)
	}
}

func TestChoicesRoundTrip(t *testing.T) {
	s, err := New(validBatch())
	if err != nil {
		t.Fatal(err)
	}
	want := Choices{{{0, 2}, {1, 1}}, {{2, 1}, none}}
	list := s.Assignments(want)
	if len(list) != 3 || list[0] != (Assignment{"a", "cpu", "c0", 2, 4, 9}) {
		t.Errorf("assignments = %+v", list)
	}
	got, err := s.Choices(list)
	if err != nil {
		t.Fatal(err)
	}
	for d := range want {
		for k := range want[d] {
			if got[d][k] != want[d][k] {
				t.Errorf("choice %d %d = %v, want %v", d, k, got[d][k], want[d][k])
			}
		}
	}
	for _, c := range []struct {
		change func(*Assignment)
		kind   error
	}{
		{func(a *Assignment) { a.Job = "z" }, ErrUnknownJob},
		{func(a *Assignment) { a.Resource = "z" }, ErrUnknownResource},
		{func(a *Assignment) { a.Dependency = "z" }, ErrUnknownDependency},
		{func(a *Assignment) { a.Level = 3 }, ErrOutOfRange},
		{func(a *Assignment) { *a = list[1] }, ErrDuplicateID},
	} {
		bad := append([]Assignment(nil), list...)
		c.change(&bad[0])
		if _, err := s.Choices(bad); !errors.Is(err, c.kind) {
			t.Errorf("err = %v, want %v", err, c.kind)
		}
	}
}

func TestVerifyFindsEachViolation(t *testing.T) {
	good := Choices{{{0, 2}, {1, 1}}, {{2, 1}, none}}
	backup := Choices{{{1, 2}, {0, 1}}, {none, none}}
	b := validBatch()
	if r := Verify(b, good, backup, true); !r.Feasible || r.Revenue != 17 || r.Loss != 1 || r.Unprotected != 1 {
		t.Errorf("report = %+v", r)
	}
	for _, c := range []struct {
		rule   string
		change func(p, q Choices, b *Batch)
	}{
		{"missing", func(p, q Choices, b *Batch) { p[0][1] = none }},
		{"level", func(p, q Choices, b *Batch) { p[0][0].Level = 3 }},
		{"level", func(p, q Choices, b *Batch) { p[1][1] = Choice{2, 1} }},
		{"resource", func(p, q Choices, b *Batch) { p[0][0].Resource = 2 }},
		{"resource", func(p, q Choices, b *Batch) { p[0][0].Resource = 9 }},
		{"eligible", func(p, q Choices, b *Batch) { b.Jobs[0].Eligible = map[string][]string{"cpu": {"c1"}} }},
		{"capacity", func(p, q Choices, b *Batch) { b.Resources[0].PrimaryCapacity = 3 }},
		{"capacity", func(p, q Choices, b *Batch) { b.Resources[0].Speed = 0.3 }},
		{"above primary", func(p, q Choices, b *Batch) { p[0][0].Level = 1 }},
		{"disjoint", func(p, q Choices, b *Batch) { q[0][0].Resource = 0 }},
		{"shared capacity", func(p, q Choices, b *Batch) { b.Resources[1].BackupCapacity = 3 }},
	} {
		b := validBatch()
		p := Choices{append([]Choice(nil), good[0]...), append([]Choice(nil), good[1]...)}
		q := Choices{append([]Choice(nil), backup[0]...), append([]Choice(nil), backup[1]...)}
		c.change(p, q, b)
		r := Verify(b, p, q, true)
		found := false
		for _, v := range r.Violations {
			found = found || v.Rule == c.rule
		}
		if r.Feasible || !found {
			t.Errorf("%s: violations = %+v", c.rule, r.Violations)
		}
	}
}

// FuzzNew feeds any JSON text through the checks: what passes must be solved
// or refused without a panic, and what comes out must pass Verify.
func FuzzNew(f *testing.F) {
	data, err := json.Marshal(validBatch())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(strings.ReplaceAll(string(data), "4", "9007199254740991"))
	f.Add(strings.ReplaceAll(string(data), "\"demand\":2", "\"demand\":0"))
	f.Add(`{"dependencies":["x"],"resources":[],"jobs":[{"id":"a","levels":{"x":[{"demand":0,"revenue":1}]}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var b Batch
		if json.Unmarshal([]byte(text), &b) != nil || len(b.Jobs) > 12 {
			return
		}
		s, err := New(&b)
		if err != nil {
			return
		}
		plan, err := s.Allocate(t.Context(), Options{Effort: 0.05})
		if err != nil {
			if !errors.Is(err, ErrInfeasible) && !errors.Is(err, ErrNotFound) {
				t.Fatal(err)
			}
			return
		}
		if _, err := s.Backup(t.Context(), plan.Choices, BackupOptions{Options: Options{Effort: 0.05}}); err != nil {
			t.Fatal(err)
		}
	})
}

// Levels by index of the dependency are the same batch as levels by name.
func TestNeeds(t *testing.T) {
	byName, err := Generate(context.Background(), GeneratorOptions{Jobs: 60, Resources: 4, PrimaryFactor: 0.6, BackupFactor: 0.4, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	for k := range byName.Jobs {
		delete(byName.Jobs[k].Levels, byName.Dependencies[k%4%3])
	}
	byIndex := *byName
	byIndex.Jobs = slices.Clone(byName.Jobs)
	for k := range byIndex.Jobs {
		j := &byIndex.Jobs[k]
		j.Needs = make([][]Level, len(byIndex.Dependencies))
		for d, name := range byIndex.Dependencies {
			j.Needs[d] = j.Levels[name]
		}
		j.Levels = nil
	}
	var plans [2]*Plan
	var backups [2]*BackupPlan
	for i, b := range []*Batch{byName, &byIndex} {
		s, err := New(b)
		if err != nil {
			t.Fatal(err)
		}
		if plans[i], err = s.Allocate(context.Background(), Options{}); err != nil {
			t.Fatal(err)
		}
		if backups[i], err = s.Backup(context.Background(), plans[i].Choices, BackupOptions{}); err != nil {
			t.Fatal(err)
		}
		list := s.Assignments(plans[i].Choices)
		back, err := s.Choices(list)
		if err != nil || !reflect.DeepEqual(back, plans[i].Choices) || len(list) >= 180 {
			t.Errorf("%d assignments: %v", len(list), err)
		}
	}
	if !reflect.DeepEqual(plans[0], plans[1]) || !reflect.DeepEqual(backups[0], backups[1]) {
		t.Error("the answers differ")
	}
	var e *BatchError
	for _, needs := range [][][]Level{{}, {{{1, 1}}}, {nil, nil, nil}, {nil, {}, nil}, {{{2, 1}, {1, 1}}, nil, nil}} {
		byIndex.Jobs[7].Needs = needs
		if _, err := New(&byIndex); !errors.As(err, &e) || !strings.HasPrefix(e.Place, "jobs[7].levels") {
			t.Errorf("needs %v: %v", needs, err)
		}
	}
}

// What grows with dependencies times resources is bounded: 50,000 of both would take 10 GB.
func TestManyDependenciesAreRefused(t *testing.T) {
	b := &Batch{}
	for i := range 10_001 {
		name := strconv.Itoa(i)
		b.Dependencies = append(b.Dependencies, name)
		b.Resources = append(b.Resources, Resource{ID: name, Dependency: name, PrimaryCapacity: 1})
	}
	var bad *BatchError
	if _, err := New(b); !errors.As(err, &bad) || bad.Place != "dependencies" {
		t.Errorf("%v, want an error of the dependencies", err)
	}
}
