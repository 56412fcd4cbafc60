package children

import "testing"

func TestEnd(t *testing.T) {
	var first, second int
	gone := Add(func() { first++ })
	defer Add(func() { second++ })()
	gone()
	gone() // ended twice is ended
	last := 0
	defer Add(func() { last = 10*last + 3 })()
	defer Add(func() { last = 10*last + 4 })()
	End()
	if first != 0 || second != 1 {
		t.Errorf("ended %d and %d times, want 0 and 1", first, second)
	}
	if last != 43 {
		t.Errorf("ended in the order %d, want the last first", last)
	}
}
