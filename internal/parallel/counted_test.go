package parallel

import "testing"

// What is counted is counted to its end, once a part, and what is not runs all the same.
func TestCounted(t *testing.T) {
	var counts []int
	ended := false
	ctx := WithCounter(t.Context(), func() (func(done, of int), func()) {
		return func(done, of int) { counts = append(counts, done, of) }, func() { ended = true }
	})
	ran := make([]bool, 3)
	if err := Counted(ctx, 3, func(i int) error { ran[i] = true; return nil }); err != nil {
		t.Fatal(err)
	}
	want := [6]int{1, 3, 2, 3, 3, 3}
	if len(counts) != 6 || [6]int(counts) != want || !ended || !(ran[0] && ran[1] && ran[2]) {
		t.Errorf("counted %v of %v, ended %v, want %v", counts, ran, ended, want)
	}
	calls := 0
	if err := Counted(t.Context(), 1, func(int) error { calls++; return nil }); err != nil || calls != 1 {
		t.Errorf("%d calls, %v, where nobody counts", calls, err)
	}
}
