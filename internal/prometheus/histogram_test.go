package prometheus

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
)

// askHistogram asks for a law over two days.
func askHistogram(t *testing.T, name string, answer func(w http.ResponseWriter, q asked)) (mean, scv float64,
	notes []string, err error) {
	t.Helper()
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) { answer(w, q) })
	law, err := dial(t, &Access{URL: s.URL}).Histogram(context.Background(), name,
		Window{End: noon, Since: 2 * 86400, Step: 300})
	if err != nil {
		return 0, 0, nil, err
	}
	return law.Mean, *law.SCV, law.Notes, nil
}

// A classic histogram is fetched a day at a time and added up; its unit is that of
// its name.
func TestClassicHistogram(t *testing.T) {
	var queries []string
	mean, scv, notes, err := askHistogram(t, `request_ms{job="api"}`, func(w http.ResponseWriter, q asked) {
		queries = append(queries, q.query)
		switch {
		case strings.Contains(q.query, "_bucket"):
			matrix(w, q, []string{`"le":"+Inf"`, `"le":"1000"`, `"le":"0"`, `"le":"2000"`},
				func(series, i int, _ float64) string {
					return []string{"100", "50", "0", "100"}[series]
				})
		case strings.Contains(q.query, "_sum"):
			matrix(w, q, []string{""}, func(int, int, float64) string { return "100000" })
		default:
			matrix(w, q, nil, nil)
		}
	})
	// Half in (0, 1] s and half in (1, 2] s with the mean 1: even, variance 1/3.
	if err != nil || math.Abs(mean-1) > 1e-12 || math.Abs(scv-1.0/3) > 1e-9 {
		t.Errorf("mean %v, SCV %v, %v", mean, scv, err)
	}
	said(t, notes, "read in ms", "SCV open from 0 to 1", "p50 1 s (0 s to 1 s)")
	if want := `sum by (le) (increase(request_ms_bucket{job="api"}[86400000ms]))`; queries[1] != want {
		t.Errorf("asks %s, want %s", queries[1], want)
	}
}

// A native histogram goes before a classic one; its zero bucket begins at 0, and
// buckets of two resolutions become those of the coarser one.
func TestNativeHistogram(t *testing.T) {
	mean, scv, notes, err := askHistogram(t, "wait_seconds", func(w http.ResponseWriter, q asked) {
		if strings.Contains(q.query, "_bucket") {
			t.Error("the classic histogram is asked for")
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[{"metric":{},"histograms":[
			[%.3f,{"count":"3","sum":"2.5","buckets":[[3,"-0.001","0.001","1"],[0,"0.5","1","2"]]}],
			[%.3f,{"count":"4","sum":"3.5","buckets":[[0,"0.5","0.75","1"],[0,"0.75","1","1"],[0,"1","2","2"]]}]]}]}}`, q.end-q.step, q.end)
	})
	if err != nil || math.Abs(mean-6.0/7) > 1e-12 || !(scv > 0) {
		t.Errorf("mean %v, SCV %v, %v", mean, scv, err)
	}
	said(t, notes, "p50 812 ms") // rank 3.5 of 7: 2.5 of the 4 in (0.5, 1]
}

func TestHistogramFaults(t *testing.T) {
	for name, c := range map[string]struct{ metric, native, bucket, want string }{
		"no name":     {"sum(x)", "", "", "not the name of a histogram"},
		"a counter":   {"x", `{"metric":{},"values":[[%d,"1"]]}`, "", "a counter or a gauge"},
		"nothing":     {"x", "", "", "gives nothing"},
		"no infinity": {"x", "", `{"metric":{"le":"1"},"values":[[%d,"1"]]}`, "+Inf"},
		"no bound":    {"x", "", `{"metric":{"le":"a"},"values":[[%d,"1"]]}`, `le="a"`},
		"nobody": {"x", "", `{"metric":{"le":"1"},"values":[[%d,"0"]]},{"metric":{"le":"+Inf"},"values":[[%d,"0"]]}`,
			"a duration that is counted"},
		"below 0": {"x", `{"metric":{},"histograms":[[%d,{"count":"1","sum":"1","buckets":[[1,"-2","-1","1"]]}]]}`, "",
			"below 0"},
		"null bucket": {"x", `{"metric":{},"histograms":[[%d,{"count":"1","sum":"1","buckets":[null]}]]}`, "", "null"},
		"all too long": {"x", "", `{"metric":{"le":"1"},"values":[[%d,"0"]]},{"metric":{"le":"+Inf"},"values":[[%d,"5"]]}`,
			"below a finite bound"},
	} {
		_, _, _, err := askHistogram(t, c.metric, func(w http.ResponseWriter, q asked) {
			result := c.native
			if strings.Contains(q.query, "_bucket") {
				result = c.bucket
			} else if strings.Contains(q.query, "_sum") {
				result = ""
			}
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`,
				strings.ReplaceAll(result, "%d", fmt.Sprint(int(noon))))
		})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
