package allocation

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

const batchYAML = `dependencies: [compute, "net.work"]
resources:
  - {id: c0, dependency: compute, primary_capacity: 1457, backup_capacity: 582, risk_group: rack-1}
  - {id: n0, dependency: net.work, primary_capacity: 1e3, speed: 1.5}
jobs:
  - id: job0
    class: medium
    levels:
      compute: [{demand: 396, revenue: 3079}, {demand: 445, revenue: 5848}]
      net.work:
        - {demand: 1, revenue: 0}
    eligible: {compute: [c0]}
`

// readBatchText reads a text one line after the other.
func readBatchText(text string) (*BatchFile, error) {
	return readBatch(context.Background(), "batch", strings.NewReader(text), splitting{})
}

func TestReadBatch(t *testing.T) {
	f, err := readBatchText(batchYAML)
	if err != nil {
		t.Fatal(err)
	}
	backup, speed := units.Count(582), units.Number(1.5)
	want := &BatchFile{
		Dependencies: []string{"compute", "net.work"},
		Resources: []BatchResource{
			{ID: "c0", Dependency: "compute", PrimaryCapacity: 1457, BackupCapacity: &backup, RiskGroup: "rack-1"},
			{ID: "n0", Dependency: "net.work", PrimaryCapacity: 1000, Speed: &speed},
		},
		Jobs: []BatchJob{{
			ID: "job0", Class: "medium",
			Levels:   ByDependency[[]BatchLevel]{{"compute", []BatchLevel{{396, 3079}, {445, 5848}}}, {"net.work", []BatchLevel{{1, 0}}}},
			Eligible: ByDependency[[]string]{{"compute", []string{"c0"}}},
		}},
	}
	if d := cmp.Diff(want, f, cmpopts.IgnoreUnexported(BatchFile{})); d != "" {
		t.Error(d)
	}
}

// Places of a checked batch lead to line and column, in YAML and in JSON.
func TestBatchPlaces(t *testing.T) {
	f, err := readBatchText(batchYAML)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		place        string
		line, column int
	}{
		{"jobs[0].levels.compute[1].demand", 9, 56},
		{"jobs[0].levels.compute", 9, 7},
		{"jobs[0].levels.net.work[0].revenue", 11, 32},
		{"jobs[0].levels.net.work", 10, 7},
		{"jobs[0].eligible.compute[0]", 12, 26},
		{"resources[1].dependency", 4, 26},
		{"resources[0].risk_group", 3, 93},
		{"dependencies[1]", 1, 25},
		{"resources[1].backup_capacity", 4, 5},
		{"jobs[7].id", 5, 1},
		{"failures[0]", 1, 1},
		{"[", 1, 1},
		{"jobs[x]", 5, 1},
	} {
		e := f.At(c.place, "wrong", "right")
		if e.Line != c.line || e.Column != c.column {
			t.Errorf("%s: %d:%d, want %d:%d", c.place, e.Line, e.Column, c.line, c.column)
		}
	}
	j, err := readBatchText("{\n \"dependencies\": [\"c\"], \"resources\": [{\"id\": \"r\", \"dependency\": \"c\", \"primary_capacity\": 1}],\n \"jobs\": [{\"id\": \"a\",\n  \"levels\": {\"c\": [{\"demand\": 1, \"revenue\": 2}]}}]}")
	if err != nil {
		t.Fatal(err)
	}
	if e := j.At("jobs[0].levels.c[0].demand", "", ""); e.Line != 4 || e.Column != 31 {
		t.Errorf("%d:%d, want 4:31", e.Line, e.Column)
	}
}

func TestReadBatchRefuses(t *testing.T) {
	for _, c := range []struct {
		from, to     string
		line, column int
		want         string
	}{
		{"risk_group", "risk_grup", 3, 81, "did you mean risk_group?"},
		{"revenue: 3079", "revenu: 3079", 9, 31, "did you mean revenue?"},
		{"demand: 396", "demand: -396", 9, 26, "demand = -396"},
		{"demand: 396", "demand: 3.5", 9, 26, "not whole"},
		{"demand: 396", "demand: 1e30", 9, 26, "2^63-1"},
		{"{demand: 396, revenue: 3079}, ", "{demand: 396}, ", 9, 17, `has no field "revenue"`},
		{"id: job0", `id: ""`, 6, 9, "a job without an id"},
		{"id: c0", `id: ""`, 3, 10, "a resource without an id"},
		{"speed: 1.5", "speed: 0", 4, 66, "speed = 0"},
		{"levels:", "levels: 3 #", 0, 0, ""},
		{"eligible: {compute: [c0]}", "eligible: {compute: }", 12, 0, "compute"},
		{"[compute, \"net.work\"]", "[]", 1, 15, "no dependencies"},
		{"[compute, \"net.work\"]", `[compute, ""]`, 1, 25, "without a name"},
		{"class: medium", "id: job1", 7, 5, `field "id" is given twice (first on line 6)`},
	} {
		text := strings.Replace(batchYAML, c.from, c.to, 1)
		if text == batchYAML {
			t.Fatalf("%q is not in the file", c.from)
		}
		_, err := readBatchText(text)
		var e *source.FileError
		if !errors.As(err, &e) {
			t.Errorf("%q: %v, want a *FileError", c.to, err)
			continue
		}
		if c.line != 0 && e.Line != c.line || c.column != 0 && e.Column != c.column || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %d:%d and %q", c.to, err, c.line, c.column, c.want)
		}
	}
}

func TestReadBatchAnswer(t *testing.T) {
	read := func(text string) (*BatchAnswer, error) {
		return ReadBatchAnswer(context.Background(), "answer", strings.NewReader(text))
	}
	a, err := read(`{"method": "x", "revenue": 7, "assignments": [{"job": "a", "dependency": "c", "resource": "r", "level": 2, "demand": 4}], "backup": {"loss": -3, "mode": "soft", "assignments": [{"job": "a", "dependency": "c", "resource": null, "level": 0}]}}`)
	if err != nil {
		t.Fatal(err)
	}
	if *a.Revenue != 7 || *a.Loss != -3 || !a.HasBackups || a.Assignments[0].Level != 2 || *a.Assignments[0].Demand != 4 || a.Assignments[0].Revenue != nil || a.Backups[0].Resource != nil {
		t.Errorf("%+v", a)
	}
	if e := a.At("assignments[0].level", "", ""); e.Line != 1 || e.Column != 105 {
		t.Errorf("%d:%d", e.Line, e.Column)
	}
	for text, want := range map[string]string{
		"[]":                           "a list",
		"{}":                           `no field "assignments"`,
		`{"assignments": {}}`:          "a mapping",
		`{"assignments": [{"jb": 1}]}`: "did you mean job?",
		`{"assignments": [{"job": "a", "dependency": "c", "resource": "r", "level": 1.5}]}`: "not a whole number",
		`{"assignments": [], "backup": {}}`:                                                 "backup has no field",
		`{"assignments": [], "revenue": "much"}`:                                            "not a whole number",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
