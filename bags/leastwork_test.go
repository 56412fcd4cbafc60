package bags

import (
	"errors"
	"testing"
)

// Work that a division by a speed makes 0 is refused: its flow had cells of no
// length. The least that is taken has an answer under every server.
func TestLeastWork(t *testing.T) {
	for _, server := range []Server{XWHEP, Checkpoint, BOINC} {
		for _, own := range []bool{false, true} {
			finish := func(work float64) error {
				bag := Bag{Size: Spread{50, 0}, Work: Spread{work, 0}}
				if own {
					bag = Bag{Tasks: []Task{{Arrival: 30, Work: work}, {Arrival: 60, Work: work}}}
				}
				_, err := Finish(&Setup{Bag: bag, Hosts: exponential(200), Server: server})
				return err
			}
			var domain *DomainError
			for _, work := range []float64{5e-324, 1e-101} {
				if err := finish(work); !errors.As(err, &domain) {
					t.Errorf("%v, own %v, work %g: error %v, want a domain error", server, own, work, err)
				}
			}
			if err := finish(LeastWork); err != nil {
				t.Errorf("%v, own %v: %v", server, own, err)
			}
		}
	}
}
