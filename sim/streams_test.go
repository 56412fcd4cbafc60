package sim

import "testing"

// Streams that take the memory of others give the same numbers as new ones, also beyond a block.
func TestStreamsAgain(t *testing.T) {
	var s Streams
	for run := range 3 {
		s.Reset()
		for i := range uint64(2*streamBlock + 1) {
			got, want := s.Stream(7, run, 5, i), Stream(7, run, 5, i)
			got.Uint64()
			want.Uint64()
			if a, b := got.NormFloat64(), want.NormFloat64(); a != b {
				t.Fatalf("run %d, stream %d: %v, want %v", run, i, a, b)
			}
		}
	}
	if n := len(s.blocks); n != 3 {
		t.Errorf("%d blocks are held, want 3", n)
	}
}
