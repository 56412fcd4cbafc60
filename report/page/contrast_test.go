package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// Texts stand out from what is behind them by 4.5 to 1, curves and the borders of fields by 3 to 1, by
// day, by night and in print. Source: WCAG 2.2, success criteria 1.4.3 and 1.4.11, level AA.
func TestContrast(t *testing.T) {
	themes := regexp.MustCompile(`:root \{([^}]*)\}`).FindAllStringSubmatch(Style(), -1)
	if len(themes) != 3 {
		t.Fatalf("%d themes, want those of day, night and print", len(themes))
	}
	for _, theme := range themes {
		colors := map[string]float64{}
		for _, m := range regexp.MustCompile(`--(\w+): (#[0-9a-f]{6})`).FindAllStringSubmatch(theme[1], -1) {
			colors[m[1]] = luminance(t, m[2])
		}
		apart := func(least float64, over string, names ...string) {
			for _, name := range names {
				a, b := colors[name], colors[over]
				if r := (max(a, b) + 0.05) / (min(a, b) + 0.05); r < least {
					t.Errorf("%s over %s stands out by %.2f to 1, want %g:%s", name, over, r, least, theme[1])
				}
			}
		}
		for _, over := range []string{"page", "card", "tint"} {
			apart(4.5, over, "ink", "pale", "accent", "warn")
		}
		for name := range colors {
			if strings.HasPrefix(name, "c") && len(name) == 2 {
				apart(3, "card", name)
			}
		}
	}
}

// luminance is the relative luminance of a color such as #005a8d, as WCAG defines it.
func luminance(t *testing.T, color string) float64 {
	t.Helper()
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(color[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
