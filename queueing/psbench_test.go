package queueing

import "testing"

// BenchmarkLeastSharing is the size of a fleet by a percentile of responses under
// sharing, 100 erl.
func BenchmarkLeastSharing(b *testing.B) {
	for b.Loop() {
		o := Objective{Metric: ResponseShare, Limit: 0.05, Wait: 9}
		if _, err := LeastNear(MMCPS{100, 1}, o, 0, 120); err != nil {
			b.Fatal(err)
		}
	}
}
