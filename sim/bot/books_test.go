package bot

import (
	"math"
	"testing"

	"github.com/capplan/capplan/bags/spequlos"
)

// A worker that ends with an hour may have been billed the next one: 164 workers for tasks of 100 h ended
// so, and the run was refused for its books.
func TestHoursThatMayBeBilled(t *testing.T) {
	for _, k := range []struct{ ran, least, most float64 }{
		{1, 3600, 3600}, {3599, 3600, 3600}, {3601, 7200, 7200}, {7200, 7200, 10800}, {0, 3600, 3600},
	} {
		b := books{from: []float64{50, 100}, to: []float64{50 + k.ran, math.NaN()}}
		least, most := b.ran(100+k.ran, spequlos.ByHour)
		if least != 2*k.least || most != 2*k.most {
			t.Errorf("%v s: %v to %v s", k.ran, least, most)
		}
		if least, most := b.ran(100+k.ran, spequlos.BySecond); least != 2*k.ran || most != least {
			t.Errorf("%v s by the second: %v to %v s", k.ran, least, most)
		}
	}
}
