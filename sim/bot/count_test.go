package bot

import (
	"errors"
	"math"
	"testing"
)

// A count that no memory holds is refused before it is begun.
func TestCountMoments(t *testing.T) {
	for _, moments := range []int{math.MinInt, 1, mostMoments + 1, math.MaxInt} {
		var domain *DomainError
		if _, _, err := (&Count{Moments: moments}).Series(nil, 10, nil); !errors.As(err, &domain) {
			t.Errorf("%d moments: %v", moments, err)
		}
	}
}
