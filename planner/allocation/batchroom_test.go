package allocation

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
)

// A million jobs of four levels on as many resources as there may be are within; 0.6 million of three dependencies,
// which took over 1 GB, are not.
func TestBatchRoom(t *testing.T) {
	job := func(dependencies, levels int) int {
		j := BatchJob{}
		for range dependencies {
			j.Levels = append(j.Levels, Dependent[[]BatchLevel]{Value: make([]BatchLevel, levels)})
		}
		return roomOf(reflect.ValueOf([]BatchJob{j}))
	}
	resources := roomOf(reflect.ValueOf([]BatchResource{{}})) * MostResources
	if n := resources + MostJobs*job(1, 4); n > MostBatchRoom {
		t.Errorf("four levels: %d, want at most %d", n, MostBatchRoom)
	}
	if n := 600_000 * job(3, 4); n <= MostBatchRoom {
		t.Errorf("three dependencies: %d, want more than %d", n, MostBatchRoom)
	}
	long := strings.Repeat("x", 3000) // 0.4 million took 1.7 GB
	if n := 400_000 * roomOf(reflect.ValueOf([]BatchJob{{ID: long}})); n <= MostBatchRoom {
		t.Errorf("long names: %d, want more than %d", n, MostBatchRoom)
	}
	// Of 64 bytes they took 1.1 GB.
	name := long[:64]
	if n := 1_000_000 * (roomOf(reflect.ValueOf([]BatchResource{{ID: name}})) +
		roomOf(reflect.ValueOf([]BatchJob{{ID: name}})) + needRoom + 4*levelRoom); n <= MostBatchRoom*5/4 {
		t.Errorf("names of 64 bytes: %d, want far more than %d", n, MostBatchRoom)
	}
	if n := roomOf(reflect.ValueOf([]BatchResource{{ID: long, RiskGroup: long}})); n < 6000 {
		t.Errorf("a resource of long names: %d, want at least 6000", n)
	}
}

// What was read goes once it is laid out, from whatever form.
func TestBatchIsLetGo(t *testing.T) {
	const (
		jobs      = "job,dependency,demand,revenue\na,cpu,1,1\n"
		resources = "id,dependency,primary_capacity\nR,cpu,1\n"
		lines     = `{"dependencies": ["cpu"]}` + "\n" +
			`{"resource": {"id": "R", "dependency": "cpu", "primary_capacity": 1}}` + "\n" +
			`{"job": {"id": "a", "levels": {"cpu": [{"demand": 1, "revenue": 1}]}}}` + "\n"
	)
	ctx := context.Background()
	for form, read := range map[string]func() (*BatchFile, error){
		"lines": func() (*BatchFile, error) { return ReadBatch(ctx, "b", strings.NewReader(lines)) },
		"tables": func() (*BatchFile, error) {
			return ReadBatchTables(ctx, "j", strings.NewReader(jobs), "r", strings.NewReader(resources))
		},
	} {
		b, err := read()
		if err != nil {
			t.Fatal(err)
		}
		gone := make(chan string, 2)
		runtime.AddCleanup(&b.Jobs[0], func(name string) { gone <- name }, "jobs")
		runtime.AddCleanup(&b.Resources[0], func(name string) { gone <- name }, "resources")
		a, err := Allocate(ctx, &Question{Batch: b})
		if err != nil {
			t.Fatal(err)
		}
		b = nil
		for range cap(gone) {
			runtime.GC()
			select {
			case <-gone:
			case <-time.After(5 * time.Second):
				t.Fatalf("%s: the batch is held", form)
			}
		}
		if plots, err := a.Plots(ctx); err != nil || len(plots) != 1 {
			t.Errorf("%s: %d plots, %v", form, len(plots), err)
		}
	}
}

// Ten million levels in 25 packed megabytes took 2 GB.
func TestLevelsAreBounded(t *testing.T) {
	levels := make([]string, 100)
	for i := range levels {
		levels[i] = fmt.Sprintf(`{"demand": %d, "revenue": %d}`, i+1, i)
	}
	line := `{"job": {"id": "j%d", "levels": {"cpu": [` + strings.Join(levels, ",") + `]}}}` + "\n"
	head := `{"dependencies": ["cpu"]}` + "\n" +
		`{"resource": {"id": "R", "dependency": "cpu", "primary_capacity": 1}}` + "\n"
	_, err := ReadBatch(context.Background(), "batch.json", resourcesOf(100_000, head, line, ""))
	if err == nil || !strings.Contains(err.Error(), tooMuchBatch) {
		t.Errorf("%.200v", err)
	}
}
