package priority

import (
	"testing"
)

func BenchmarkPriority(b *testing.B) {
	q := Queue{Servers: 8, Preemptive: true}
	for range 100 {
		q.Classes = append(q.Classes, Class{"", .07, 1, 2})
	}
	b.Run("classes=100", func(b *testing.B) {
		for b.Loop() {
			if _, err := q.Figures(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
