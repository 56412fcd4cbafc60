package bags

import (
	"math"
	"slices"
	"testing"
)

// Hours that are told above a limit are above it, and others are those of all courses.
func TestHoursUpToALimit(t *testing.T) {
	c := Cloud{Speed: 3000, Boot: 120, Look: 60}
	at := slices.IndexFunc(Bags(), func(b Bag) bool { return b.Name == "random" })
	for _, server := range []Server{BOINC, Checkpoint} {
		f, err := Finish(onTrace(t, "nd", Setup{Server: server, Bag: Bags()[at]}))
		if err != nil {
			t.Fatal(err)
		}
		w := f.helping(0.4, c, false, nil)
		w.leastEach(math.Inf(1))
		for _, n := range []int{1, 7, 50, 400} {
			all := w.helped(Help{0.4, n}, Target{}).Hours
			for _, share := range []float64{0.3, 0.9, 0.999, 1.001, 2} {
				switch got := w.hours(n, share*all); {
				case share < 1 && !(got > share*all), share > 1 && math.Abs(got-all) > 1e-12*all:
					t.Errorf("%v: %d workers for %v hours, up to %v, want %v", server, n, got, share*all, all)
				}
			}
		}
	}
}
