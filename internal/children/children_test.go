package children

import "testing"

func TestEnd(t *testing.T) {
	var first, second int
	gone := Add(func() { first++ })
	defer Add(func() { second++ })()
	gone()
	gone() // ended twice is ended
	End()
	if first != 0 || second != 1 {
		t.Errorf("ended %d and %d times, want 0 and 1", first, second)
	}
}
