package numeric

import (
	"slices"
	"testing"
)

func TestIndices(t *testing.T) {
	if got := Indices[int32](3); !slices.Equal(got, []int32{0, 1, 2}) {
		t.Errorf("%v, want 0, 1, 2", got)
	}
	if got := Indices[int](0); len(got) != 0 {
		t.Errorf("%v, want none", got)
	}
}
