package bags

import (
	"math"
	"testing"

	"github.com/capplan/capplan/law"
)

// The branches in which help is followed have shares of one in all: of 1000 ± 200 tasks that
// arrive late under BOINC they were 1.0004, and so was the chance of designs.
func TestSharesOfSizes(t *testing.T) {
	f, err := Finish(onTrace(t, "seti", Setup{Server: BOINC, Bag: Bag{
		Size: Spread{Mean: 1000, SD: 200}, Work: Spread{Mean: 6e4, SD: 1e4}, Arrival: law.Weibull{Shape: 0.57, Scale: 91.98}}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(f.early, f) {
		sum := 0.0
		for _, b := range f.branches {
			sum += b.share
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("shares of %v in all", sum)
		}
		if last := f.law.Last(); last > 1 {
			t.Errorf("a chance of %v", last)
		}
	}
	by := f.Quantile(0.5)
	h := f.With(Help{Start: 0.999, Workers: 1}, Cloud{Speed: 3000, Boot: 120, Look: 60})
	if got := h.Chance(by); got > 1 {
		t.Errorf("with help a chance of %v by %v s", got, by)
	}
}
