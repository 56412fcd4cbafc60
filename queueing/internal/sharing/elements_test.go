package sharing

import (
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/queueing/internal/erlang"
)

// By elements the shares are those of the chain, state by state.
func TestSharingElements(t *testing.T) {
	for _, v := range []struct{ load, servers float64 }{
		{0.5, 1}, {0.98, 1}, {0.999, 1}, {0.3, 0.7}, {1.9, 2.5}, {9.99, 10}, {30, 31}, {120, 200}, {99.9, 100.3},
		{1000, 1003}, {1e4, 10033}, {1e4, 10500},
	} {
		states := &Law{Service: 1, Mean: 1 + erlang.C(v.servers, v.load)/(v.servers-v.load), Load: v.load, Servers: v.servers}
		states.begin()
		elements := &Law{Service: 1, gamma: states.gamma}
		w := newWeights(v.load, v.servers)
		states.from(newChain(w, states.gamma))
		elements.from(newElements(w, states.gamma))
		for _, at := range []float64{0.01, 0.3, 1, 5, 16} {
			numtest.Close(t, "share by elements", elements.Tail(at), states.Tail(at), 1e-9)
		}
	}
}
