package say

import (
	"testing"
)

// An estimate has no digits below those of its standard error.
func TestDigitsOfEstimates(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{WithError(16.516, 0.29), "16.52 ± 0.29"},
		{WithError(0.97872, 0.25), "0.98 ± 0.25"},
		{WithError(0.6550, 0.011), "0.655 ± 0.011"},
		{WithError(1.2, 34), "1 ± 34"},
		{WithError(0.002, 34), "0.002 ± 34"},
		{WithError(5, 0), "5 ± 0"},
		{TimeWithError(5.068, 0.184), "5.07 s ± 0.18 s"},
		{TimeWithError(279.2*86400, 93*86400), "279 d ± 93 d"},
		{Probability(0.190591), "19.06%"},
		{Probability(0.9999873), "99.9987%"},
		{Probability(1), "100%"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
