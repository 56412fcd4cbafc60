package shifts

import (
	"context"
	"testing"
)

func BenchmarkPlan(b *testing.B) {
	b.Run("slots=672/types=10", func(b *testing.B) {
		for range b.N {
			a, err := Plan(context.Background(), week(80))
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(100*a.Gap, "gap%")
		}
	})
}
