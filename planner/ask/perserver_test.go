package ask

import (
	"math"
	"testing"
)

// A load per server that is no number a reader would know is told in words: no servers, be it 0 or -0.
func TestPerServerWithoutServers(t *testing.T) {
	want := perServer(math.Inf(1))
	if got := perServer(1 / math.Copysign(0, -1)); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
