package parallel

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"
)

// A sort ends with its context: of a million values in no order it compares a few more.
func TestSort(t *testing.T) {
	values := func() []int {
		s := make([]int, 1<<20)
		for i := range s {
			s[i] = i * 7919 % (1 << 20)
		}
		return s
	}
	s, all := values(), 0
	err := Sort(t.Context(), s, func(a, b int) int { all++; return cmp.Compare(a, b) })
	if err != nil || !slices.IsSorted(s) {
		t.Errorf("%v, sorted %v", err, slices.IsSorted(s))
	}
	ctx, cancel := context.WithCancel(t.Context())
	s, seen := values(), 0
	err = Sort(ctx, s, func(a, b int) int {
		if seen++; seen == all/10 {
			cancel()
		}
		return cmp.Compare(a, b)
	})
	if !errors.Is(err, context.Canceled) || seen > all/10+4096 {
		t.Errorf("%v, %d comparisons after the end", err, seen-all/10)
	}
}
