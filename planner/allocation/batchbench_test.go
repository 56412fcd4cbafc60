package allocation

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/capplan/capplan/units"
)

// BenchmarkReadBatch reads 10,000 jobs with 3 dependencies and 4 levels. The
// whole command, and on how many bytes, is in CONTRIBUTING.md.
func BenchmarkReadBatch(b *testing.B) {
	f := &BatchFile{Dependencies: []string{"compute", "network", "storage"}}
	for _, d := range f.Dependencies {
		f.Resources = append(f.Resources, BatchResource{ID: d + "-00", Dependency: d, PrimaryCapacity: 1e9})
	}
	for i := range 10_000 {
		j := BatchJob{ID: fmt.Sprintf("job%05d", i), Class: "medium"}
		for _, d := range f.Dependencies {
			var levels []BatchLevel
			for n := range 4 {
				levels = append(levels, BatchLevel{units.Count(100*n + i%97), units.Count(1000*n + i%89)})
			}
			j.Levels = append(j.Levels, Dependent[[]BatchLevel]{d, levels})
		}
		f.Jobs = append(f.Jobs, j)
	}
	var doc, lines, jobs, resources bytes.Buffer
	if err := WriteBatch(&doc, f, f.AllJobs(), false); err != nil {
		b.Fatal(err)
	}
	if err := WriteBatch(&lines, f, f.AllJobs(), true); err != nil {
		b.Fatal(err)
	}
	if err := WriteBatchTables(&jobs, &resources, f, f.AllJobs()); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for _, c := range []struct {
		name string
		size int
		read func() (*BatchFile, error)
	}{
		{"format=json", doc.Len(), func() (*BatchFile, error) { return ReadBatch(ctx, "batch", bytes.NewReader(doc.Bytes())) }},
		{"format=jsonl", lines.Len(), func() (*BatchFile, error) { return ReadBatch(ctx, "batch", bytes.NewReader(lines.Bytes())) }},
		{"format=csv", jobs.Len(), func() (*BatchFile, error) {
			return ReadBatchTables(ctx, "jobs", bytes.NewReader(jobs.Bytes()), "resources", bytes.NewReader(resources.Bytes()))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				got, err := c.read()
				if err != nil || len(got.Jobs) != len(f.Jobs) {
					b.Fatal(err)
				}
			}
		})
	}
}

// What WriteBatch writes is read again as it was, in all formats.
func TestWriteBatch(t *testing.T) {
	want, err := readBatchText(batchLines)
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range []bool{false, true} {
		var buf bytes.Buffer
		if err := WriteBatch(&buf, want, want.AllJobs(), lines); err != nil {
			t.Fatal(err)
		}
		got, err := ReadBatch(context.Background(), "written", &buf)
		if err != nil || fmt.Sprintf("%+v", got.Jobs) != fmt.Sprintf("%+v", want.Jobs) || len(got.Resources) != 2 || got.Comment != want.Comment {
			t.Errorf("lines %v: %+v, %v", lines, got, err)
		}
	}
	for _, spoil := range []func(f *BatchFile){
		func(f *BatchFile) { f.Jobs[0].ID = "a\nb" },
		func(f *BatchFile) { f.Dependencies[0], f.Dependencies[1] = f.Dependencies[1], f.Dependencies[0] },
		func(f *BatchFile) { f.Jobs[0].Eligible[0].Value[0] = "two words" },
		func(f *BatchFile) { f.Resources[0].ID = " r" },
	} {
		f, err := readBatchText(batchLines)
		if err != nil {
			t.Fatal(err)
		}
		spoil(f)
		var a, b bytes.Buffer
		if err := WriteBatchTables(&a, &b, f, f.AllJobs()); err == nil || a.Len()+b.Len() > 0 {
			t.Errorf("%v: written", err)
		}
	}
}
