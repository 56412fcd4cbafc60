package prometheus

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
)

func said(t *testing.T, notes []string, want ...string) {
	t.Helper()
	all := strings.Join(notes, "\n")
	for _, w := range want {
		if !strings.Contains(all, w) {
			t.Errorf("no %q in the notes:\n%s", w, all)
		}
	}
}

// A value is that of the step before it; series are added up; what is missing, is
// no number or begins late is said.
func TestRate(t *testing.T) {
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		matrix(w, q, []string{`"i":"a"`, `"i":"b"`}, func(series, i int, at float64) string {
			switch {
			case i < 5, i == 20 || i == 21 || i == 22:
				return "" // late; a gap
			case series == 1 && i == 30:
				return "NaN"
			case series == 1 && i == 31:
				return "+Inf"
			}
			return text(float64(series + 1))
		})
	})
	r, err := dial(t, &Access{URL: s.URL}).Rate(context.Background(), "q", Window{End: noon + 17, Since: 3600, Step: 60},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	// 60 moments up to noon; the sixth is of the minute from 11:05.
	if len(r.Intervals) != 52 || r.Intervals[0].Start != noon-3600+5*60 || r.Intervals[0].Width != 60 {
		t.Errorf("%d intervals, the first %+v", len(r.Intervals), r.Intervals[0])
	}
	last := r.Intervals[len(r.Intervals)-1]
	if last.Start+last.Width != noon || last.Rate != 3 || r.Intervals[30-5-3].Rate != 1 {
		t.Errorf("the last %+v, that without a number %+v", last, r.Intervals[22])
	}
	if len(r.Gaps) != 1 || r.Gaps[0].End-r.Gaps[0].Start != 180 {
		t.Errorf("gaps %+v", r.Gaps)
	}
	said(t, r.Notes, "gives 2 series, which are added up", "2 values that are not finite numbers",
		"begins at 2026-11-20 11:05 UTC", "rows are missing")
}

// Windows of more values than a server gives at a time come in pieces that meet.
func TestPieces(t *testing.T) {
	var got []asked
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		got = append(got, q)
		matrix(w, q, []string{""}, func(_, _ int, at float64) string { return text(at - (noon - 30000)) })
	})
	r, err := dial(t, &Access{URL: s.URL}).Rate(context.Background(), "q", Window{End: noon, Since: 30000, Step: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || len(r.Intervals) != 30000 || len(r.Gaps) != 0 {
		t.Fatalf("%d queries, %d intervals, %d gaps", len(got), len(r.Intervals), len(r.Gaps))
	}
	for i, q := range got {
		if n := math.Round((q.end-q.start)/q.step) + 1; n > 11000 {
			t.Errorf("query %d asks for %v values", i, n)
		}
	}
	for i, v := range r.Intervals {
		if v.Rate != float64(i+1) {
			t.Fatalf("interval %d has the rate %v", i, v.Rate)
		}
	}
}

// The mean over moments weighs them by those who arrive.
func TestMeans(t *testing.T) {
	s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
		matrix(w, q, []string{""}, func(_, i int, _ float64) string {
			first := i < 30
			switch {
			case q.query == "rate" && first:
				return "9"
			case q.query == "rate":
				return "1"
			case q.query == "nobody":
				return "0"
			case first:
				return "0.1"
			}
			return "0.5"
		})
	})
	c := dial(t, &Access{URL: s.URL})
	w := Window{End: noon, Since: 3600, Step: 60}
	load, err := c.Rate(context.Background(), "rate", w, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Means(context.Background(), "mean", w,
		load); err != nil || math.Abs(m.Mean-0.14) > 1e-12 || m.SCV != nil {
		t.Errorf("%+v %v, want a mean of (9*0.1+1*0.5)/10", m, err)
	}
	if m, err := c.Means(context.Background(), "mean", w, nil); err != nil || math.Abs(m.Mean-0.3) > 1e-12 {
		t.Errorf("%+v %v, want 0.3", m, err)
	}
	if load, err = c.Rate(context.Background(), "nobody", w, nil); err != nil {
		t.Fatal(err)
	}
	if m, err := c.Means(context.Background(), "mean", w, load); err == nil {
		t.Errorf("%+v, want an error", m)
	}
}

// What a query gives that no rate can be is an error of the query.
func TestNoRate(t *testing.T) {
	for name, c := range map[string]struct {
		answer, want string
	}{
		"negative":   {`{"metric":{},"values":[[%d,"1"],[%d,"-1"]]}`, "-1 at 2026-11-20 12:00 UTC"},
		"one":        {`{"metric":{},"values":[[%d,"1"]]}`, "one value only"},
		"none":       {``, "gives nothing"},
		"NaN":        {`{"metric":{},"values":[[%d,"NaN"]]}`, "no finite number"},
		"histograms": {`{"metric":{},"histograms":[[%d,{"count":"1","sum":"1","buckets":[]}]]}`, "histogram_count"},
	} {
		s := fake(t, func(w http.ResponseWriter, r *http.Request, q asked) {
			text := strings.Replace(strings.Replace(c.answer, "%d", fmt.Sprint(int(noon-60)), 1), "%d", fmt.Sprint(int(noon)), 1)
			fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, text)
		})
		if err := askRate(t, &Access{URL: s.URL}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
