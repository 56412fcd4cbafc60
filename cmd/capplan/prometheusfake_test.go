package main

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
)

// localPrometheus is the address of the server in the examples of the help.
const localPrometheus = "http://localhost:9090"

// fakePrometheus answers ranges of queries by words in them: a load that is
// higher by day, an exponential histogram, machines. What the real server answers
// is the subject of TestPrometheusServer.
func fakePrometheus(t testing.TB) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		number := func(name string) float64 {
			v, _ := strconv.ParseFloat(r.FormValue(name), 64)
			return v
		}
		start, end, step := number("start"), number("end"), number("step")
		var all []string
		series := func(labels string, value func(hour float64) float64) {
			var values []string
			for at := start; at <= end; at += step {
				values = append(values, fmt.Sprintf(`[%.3f,"%g"]`, at, value(math.Mod(at/3600, 24))))
			}
			all = append(all, fmt.Sprintf(`{"metric":{%s},"values":[%s]}`, labels, strings.Join(values, ",")))
		}
		even := func(v float64) func(float64) float64 { return func(float64) float64 { return v } }
		switch {
		case strings.Contains(query, "fault"):
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"status":"error","errorType":"bad_data","error":"1:1: parse error: a fault"}`)
			return
		case strings.Contains(query, "cpu"):
			for i, name := range []string{"node1:9100", "node2:9100"} {
				series(`"instance":"`+name+`"`, func(hour float64) float64 { return 0.1 + 0.02*float64(i)*hour })
			}
		case strings.Contains(query, "memory"):
			for _, name := range []string{"node1:9100", "node2:9100"} {
				series(`"instance":"`+name+`"`, even(1e9))
			}
		case strings.Contains(query, "_bucket"):
			for _, le := range []float64{0.05, 0.1, 0.2, 0.4, 0.8, 1.6, math.Inf(1)} {
				series(fmt.Sprintf(`"le":"%g"`, le), even(1e5*-math.Expm1(-le/0.2)))
			}
		case strings.Contains(query, "duration_seconds_sum"):
			series("", even(1e5*0.2))
		case strings.Contains(query, "requests_total"):
			series("", func(hour float64) float64 { return 20 + 15*math.Sin((hour-8)/24*2*math.Pi) })
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[%s]}}`, strings.Join(all, ","))
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// shellWords parts a line at blanks outside of single quotes.
func shellWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 0 {
			words = append(words, strings.Fields(part)...)
			continue
		}
		words = append(words, part)
	}
	return words
}
