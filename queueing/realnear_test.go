package queueing

import "testing"

// A search from the right number of servers comes to the real number of the whole search, to
// the last bit; from a wrong one as well.
func TestRealNear(t *testing.T) {
	for _, load := range []float64{0.3, 7, 53.7, 1138.2, 20000} {
		for _, scv := range [][2]float64{{2, 3}, {1, 0.5}, {0.5, 1}, {1, 1}} {
			m := GIGC{GGC{ArrivalRate: load, ServiceTime: 1, ArrivalSCV: scv[0], ServiceSCV: scv[1]}}
			for _, o := range []Objective{
				{Metric: MeanWait, Limit: 0.01}, {Metric: WaitTail, Limit: 0.05, Wait: 0.1}, {Metric: ResponseShare, Limit: 0.05, Wait: 6},
			} {
				want, err := LeastServers(m, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, off := range []float64{0, 1, -1, 5} {
					got, err := RealNear(m, o, 0, want.Servers+off)
					if err != nil || got.Servers != want.Servers || got.Real != want.Real {
						t.Errorf("load %v, SCVs %v, %v, %v off: %v, %v (%v), want %v, %v", load, scv, o, off,
							got.Servers, got.Real, err, want.Servers, want.Real)
					}
				}
			}
		}
	}
}
