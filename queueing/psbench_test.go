package queueing

import (
	"fmt"
	"testing"
)

// BenchmarkLeastSharing is the size of a fleet by a percentile of responses under
// sharing.
func BenchmarkLeastSharing(b *testing.B) {
	for _, load := range []float64{100, 1e4, 1e6} {
		b.Run(fmt.Sprintf("load=%g", load), func(b *testing.B) {
			for b.Loop() {
				o := Objective{Metric: ResponseShare, Limit: 0.01, Wait: 4.65}
				if _, err := LeastServers(MMCPS{load, 1}, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
