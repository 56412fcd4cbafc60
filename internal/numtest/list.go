package numtest

import (
	"strconv"
	"strings"
	"testing"
)

// List reads numbers separated by semicolons.
func List(t testing.TB, s string) []float64 {
	t.Helper()
	var out []float64
	for _, x := range strings.Split(s, ";") {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}
