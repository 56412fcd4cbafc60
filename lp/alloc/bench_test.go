package alloc

import (
	"context"
	"fmt"
	"testing"
)

func generated(t testing.TB, jobs, resources int, pf, bf float64, seed uint64) *System {
	t.Helper()
	b, err := Generate(context.Background(), GeneratorOptions{Jobs: jobs, Resources: resources, PrimaryFactor: pf, BackupFactor: bf, Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// BenchmarkBound is the linear bound of one dependency: 4 levels.
func BenchmarkBound(b *testing.B) {
	for _, jobs := range []int{1e4, 1e5, 1e6} {
		b.Run(fmt.Sprintf("jobs=%.0e", float64(jobs)), func(b *testing.B) {
			g, err := Generate(context.Background(), GeneratorOptions{Dependencies: []string{"compute"}, Jobs: jobs, Resources: 100, PrimaryFactor: 0.6, Seed: 1})
			if err != nil {
				b.Fatal(err)
			}
			s, err := New(g)
			if err != nil {
				b.Fatal(err)
			}
			p := s.deps[0].primaryProblem()
			capacity := sum(p.cap)
			b.ResetTimer()
			for b.Loop() {
				p.relax(capacity)
			}
		})
	}
}

// BenchmarkAllocate is bounds, primaries and soft backups of three
// dependencies; the gap in percent is reported beside the time.
func BenchmarkAllocate(b *testing.B) {
	for _, size := range [][2]int{{100, 10}, {300, 10}, {1000, 30}, {2000, 100}, {100_000, 1000}} {
		s := generated(b, size[0], size[1], 0.6, 0.3, 1)
		b.Run(fmt.Sprintf("jobs=%d/resources=%d", size[0], size[1]), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				plan, err := s.Allocate(context.Background(), Options{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*plan.Gap, "gap-%")
			}
		})
		b.Run(fmt.Sprintf("backup/jobs=%d/resources=%d", size[0], size[1]), func(b *testing.B) {
			plan, err := s.Allocate(context.Background(), Options{Effort: 0.1})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			b.ResetTimer()
			for b.Loop() {
				backup, err := s.Backup(context.Background(), plan.Choices, BackupOptions{})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(100*backup.Gap, "gap-%")
				b.ReportMetric(float64(backup.Loss), "loss")
			}
		})
	}
}
