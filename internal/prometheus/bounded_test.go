package prometheus

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// An answer of a few MB whose parts would take gigabytes is refused before it is read, and what a
// fleet answers is not.
func TestVastAnswers(t *testing.T) {
	const parts = 6 << 20
	for part, want := range map[string]bool{
		"{}": true, "null": true, `""`: true, "[]": false, `"a":1`: true, `[1764287400,"0.25"]`: false,
		`[0,"1","2","3"]`: false,
	} {
		if got := vast([]byte(strings.Repeat(part+",", parts))); got != want {
			t.Errorf("%d times %s: %v, want %v", parts, part, got, want)
		}
	}
	const series = `{"metric":{"instance":"a"},"values":[[1764287400,"0.25"]]},`
	for n, want := range map[int]bool{100_000: false, 100_002: true} {
		if got := vast([]byte(strings.Repeat(series, n))); got != want {
			t.Errorf("%d series: %v, want %v", n, got, want)
		}
	}
	s := fake(t, func(w http.ResponseWriter, _ *http.Request, _ asked) {
		fmt.Fprint(w, `{"status":"success","data":{"resultType":"matrix","result":[`)
		_, _ = io.WriteString(w, strings.Repeat("{},", parts)+"{}]}}")
	})
	err := askRate(t, &Access{URL: s.URL})
	if err == nil || !strings.Contains(err.Error(), "too many series, labels or values, want fewer series") {
		t.Error(err)
	}
}
