package approximations

import (
	"math"
	"strings"
	"testing"
)

// The chains of curves.csv and the simulations of the same days know nothing of each
// other: the 432 differences are normal ones, but for a few counts of those who wait.
func TestChainsOfDays(t *testing.T) {
	runs, err := curves()
	if err != nil {
		t.Fatal(err)
	}
	k, n, squares := stored(), 0, 0.0
	exact := map[string]float64{}
	for _, m := range staffings {
		cases, _, err := chainDays(m.method)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			exact[c.Name] = c.Reference
		}
	}
	for _, r := range runs {
		for _, s := range r.says {
			found, truth := k[[3]string{r.study, r.name, s.figure}], exact[r.name+", "+strings.TrimSuffix(s.figure, ".wait_probability")]
			if truth == 0 || found.half == 0 {
				continue
			}
			z := 1.96 * (found.mean - truth) / found.half
			if n++; math.Abs(z) > 4.5 {
				t.Errorf("%s, %s: simulated %v ± %v, the chain has %v", r.name, s.figure, found.mean, found.half, truth)
			}
			squares += z * z
		}
	}
	if rms := math.Sqrt(squares / float64(n)); n < 400 || rms < 0.7 || rms > 1.2 {
		t.Errorf("%d differences, their mean size in standard errors %v, want 1", n, rms)
	}
}
