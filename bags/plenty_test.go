package bags

import (
	"math"
	"testing"
)

// Of fewer tasks than machines, so short that who asks first takes another before all have
// asked, the first to ask do all: 300 tasks of .78, 3.1 and 12.4 s on 824 machines have a median of
// 6.4, 13.8 and 32.7 s in 60 runs of package sim/bot. It was 3.5, 1.8 and 1.14 times as much.
func TestShortTasksOfPlenty(t *testing.T) {
	for _, k := range []struct{ seconds, want float64 }{{0.777, 6.39}, {3.11, 13.8}, {12.4, 32.7}} {
		s := onTrace(t, "spot100", Setup{Bag: Bag{Size: Spread{Mean: 300}}})
		s.Bag.Work.Mean = k.seconds * s.Hosts.Speed.Mean
		f, err := Finish(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Quantile(0.5); math.Abs(got/k.want-1) > 0.05 {
			t.Errorf("tasks of %v s: median %.2f s, simulated %.1f s", k.seconds, got, k.want)
		}
	}
}
