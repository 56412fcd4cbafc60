package allocation

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/lp/alloc"
)

// Unprotected are jobs with some dependency that has no backup, each once,
// wherever it is said: in the answer of allocate, its check, the failures in
// succession and the study of them. Pairs of job and dependency are said apart.
func TestUnprotectedIsOfJobs(t *testing.T) {
	ctx := context.Background()
	const jobs, resources, seed = 60, 6, 3
	b, err := alloc.Generate(ctx, alloc.GeneratorOptions{
		Jobs:          jobs,
		Resources:     resources,
		PrimaryFactor: 0.75,
		BackupFactor:  0.15,
		Seed:          seed,
	})
	if err != nil {
		t.Fatal(err)
	}
	s, err := alloc.New(b)
	if err != nil {
		t.Fatal(err)
	}
	o := alloc.Options{Method: alloc.LPRoundPaper, Effort: 0.1, Seed: seed}
	primary, err := s.Allocate(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Backup(ctx, primary.Choices, alloc.BackupOptions{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	bare, pairs := map[int]bool{}, 0
	for d := range plan.Choices {
		for k, c := range plan.Choices[d] {
			if c.Level == 0 {
				bare[k] = true
				pairs++
			}
		}
	}
	if pairs <= len(bare) || len(bare) == 0 || len(bare) == jobs {
		t.Fatalf("%d pairs of %d jobs: the test says little", pairs, len(bare))
	}
	shown := presentBackup(s, plan)
	checked := alloc.Verify(b, primary.Choices, plan.Choices, true)
	byDependency := 0
	for _, d := range plan.Dependencies {
		byDependency += d.Unprotected
	}
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"allocate", shown.Unprotected, len(bare)},
		{"allocate, its list", len(shown.UnprotectedJobs), len(bare)},
		{"allocate, pairs", shown.UnprotectedPairs, pairs},
		{"allocate, by dependency", byDependency, pairs},
		{"verify", checked.Unprotected, len(bare)},
		{"verify, pairs", checked.UnprotectedPairs, pairs},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d unprotected, want %d", c.what, c.got, c.want)
		}
	}

	// The study lets the resources fail that this seed draws.
	var names []string
	for _, i := range rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15)).Perm(len(b.Resources))[:4] {
		names = append(names, b.Resources[i].ID)
	}
	steps, err := s.FailInSuccession(ctx, primary.Choices, plan.Choices, names, alloc.BackupOptions{Options: o})
	if err != nil {
		t.Fatal(err)
	}
	a := study(t, StudyQuestion{Figure: "table2", Jobs: jobs, Resources: resources, Seeds: 1, Seed: seed})
	for i, step := range steps {
		got := pick(t, a, func(r *StudyRow) bool {
			return r.Method == string(alloc.LPRoundPaper) && r.Quantity == "unprotected" && *r.X == float64(i+1)
		})
		if got != float64(step.Unprotected) || step.Unprotected > jobs {
			t.Errorf("after %d failures: %v unprotected in the study, %d in succession", i+1, got, step.Unprotected)
		}
	}
}

// The printed rows want every job protected. Three jobs of 4, 3 and 1 units earn 21, 2 and 9 on a
// resource that 6 units back up: without a backup of the second 2 are lost, and the printed rows say
// that 10.5 are lost at least.
func TestPrintedRowsAreNoBoundOnSoftBackups(t *testing.T) {
	b := batchOf(t, []byte(`
dependencies: [cpu]
resources:
  - {id: a, dependency: cpu, primary_capacity: 20}
  - {id: b, dependency: cpu, primary_capacity: 0, backup_capacity: 6}
jobs:
  - {id: first, levels: {cpu: [{demand: 1, revenue: 1}, {demand: 4, revenue: 21}]}}
  - {id: second, levels: {cpu: [{demand: 3, revenue: 2}]}}
  - {id: third, levels: {cpu: [{demand: 1, revenue: 9}]}}
`))
	a, err := Allocate(context.Background(), &Question{Batch: b, Backup: alloc.Soft})
	if err != nil {
		t.Fatal(err)
	}
	if a.Backup.Loss != 2 || a.Backup.PublishedBound != nil {
		t.Errorf("loss %d with a bound of the printed rows %v, want 2 and none", a.Backup.Loss, a.Backup.PublishedBound)
	}
}
