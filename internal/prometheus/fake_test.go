package prometheus

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An asked is what a request for a range asks.
type asked struct {
	query            string
	start, end, step float64
}

// fake starts a server whose answers a function writes.
func fake(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, q asked)) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number := func(name string) float64 {
			v, _ := strconv.ParseFloat(r.FormValue(name), 64)
			return v
		}
		answer(w, r, asked{r.FormValue("query"), number("start"), number("end"), number("step")})
	}))
	t.Cleanup(s.Close)
	return s
}

// matrix writes one series for each set of labels; value returns a text such as
// 1.5 or NaN, "" for a value that is missing.
func matrix(w http.ResponseWriter, q asked, labels []string, value func(series, i int, at float64) string) {
	var all []string
	for s, l := range labels {
		var values []string
		for i := 0; ; i++ {
			at := q.start + float64(i)*q.step
			if at > q.end+q.step/1000 {
				break
			}
			if v := value(s, i, at); v != "" {
				values = append(values, fmt.Sprintf(`[%.3f,%q]`, at, v))
			}
		}
		all = append(all, fmt.Sprintf(`{"metric":{%s},"values":[%s]}`, l, strings.Join(values, ",")))
	}
	fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, strings.Join(all, ","))
}

func text(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// dial makes a client of a fake.
func dial(t *testing.T, a *Access) *Client {
	t.Helper()
	c, err := Dial(a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// noon is when the windows of tests end.
var noon = float64(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Unix())

// askRate asks a server for a rate.
func askRate(t *testing.T, a *Access) error {
	t.Helper()
	_, err := dial(t, a).Rate(context.Background(), "q", Window{End: noon, Since: 3600, Step: 60}, nil)
	return err
}
