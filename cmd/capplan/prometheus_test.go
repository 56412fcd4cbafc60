package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	client "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func clientTrusting(t *testing.T, cert []byte) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(cert) {
		t.Fatal("no certificate")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// runWords runs a command line whose words hold blanks.
func runWords(t *testing.T, words ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(context.Background(), append([]string{"capplan"}, words...), strings.NewReader(""), &out, &errs)
	return out.String(), errs.String(), code
}

// number asks the server itself for one number at a time.
func (s *realServer) number(t *testing.T, query string, at time.Time) float64 {
	t.Helper()
	resp, err := s.get("/api/v1/query?" + url.Values{"query": {query}, "time": {at.Format(time.RFC3339)}}.Encode())
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var r struct {
		Data struct {
			Result []struct {
				Value [2]any `json:"value"`
			} `json:"result"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&r); err != nil {
		t.Fatal(err)
	}
	if len(r.Data.Result) == 0 {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(fmt.Sprint(r.Data.Result[0].Value[1]), 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Commands take from the real server what they take from files that hold the
// same.
func TestPrometheusServer(t *testing.T) {
	registry := client.NewRegistry()
	native := client.NewHistogram(client.HistogramOpts{Name: "native_seconds", Help: "h",
		NativeHistogramBucketFactor: 1.1})
	registry.MustRegister(native)
	target := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer target.Close()
	s := startPrometheus(t, strings.TrimPrefix(target.URL, "http://"))
	end := s.first.Add(7 * 24 * time.Hour)
	at := []string{"--prometheus", s.url, "--prometheus-config", s.config, "--ending", end.Format(time.RFC3339),
		"--since", "7d"}

	var rows strings.Builder
	rows.WriteString("time,rate_per_s\n")
	for i, r := range s.rates {
		fmt.Fprintf(&rows, "%s,%v\n", s.first.Add(time.Duration(i)*5*time.Minute).Format(time.RFC3339), r)
	}
	file := t.TempDir() + "/week.csv"
	if err := os.WriteFile(file, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("load as of a file", func(t *testing.T) {
		asked := []string{"size", "--service-time", "3s", "--max-wait", "500ms", "--day", "p95", "-o", "json"}
		live, stderr, code := runWords(t, append(append(asked, at...), "--rate-query",
			"sum(rate(http_requests_total[5m]))")...)
		if code != 0 {
			t.Fatal(stderr)
		}
		filed, stderr, code := runWords(t, append(asked, "--load-curve", file)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if got, want := staffed(t, live), staffed(t, filed); !slices.Equal(got, want) {
			t.Errorf("staffing %v\nthat of the file %v", got, want)
		}
	})
	t.Run("a scenario's load as of a file", func(t *testing.T) {
		const rest = `
service: {time: 3s}
objectives: {max_blocking: 1%}
machines: [{name: rack, price: 1/h}, {name: big, price: 1.5/h, speed: 1.6}]
`
		scenario := func(load string) string {
			path := filepath.Join(filepath.Dir(file), "scenario.yaml")
			if err := os.WriteFile(path, []byte("load: "+load+rest), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}
		planned := func(words ...string) (machines, load string) {
			stdout, stderr, code := runWords(t, append([]string{"plan", "-o", "json"}, words...)...)
			if code != 0 {
				t.Fatal(stderr)
			}
			var a struct {
				Load struct {
					Rate float64 `json:"arrival_rate_per_s"`
				} `json:"load"`
				Mix struct {
					Machines []struct {
						Name  string `json:"name"`
						Count int    `json:"count"`
					} `json:"machines"`
				} `json:"mix"`
			}
			if err := json.Unmarshal([]byte(stdout), &a); err != nil || len(a.Mix.Machines) != 2 {
				t.Fatalf("%v: %s", err, stdout)
			}
			return fmt.Sprint(a.Mix.Machines), fmt.Sprintf("%.9g", a.Load.Rate)
		}
		want, wantRate := planned(scenario("{curve: week.csv, day: p95}"))
		got, rate := planned(append([]string{scenario("{rate: 1/min}"), "--rate-query",
			"sum(rate(http_requests_total[5m]))", "--day", "p95"}, at...)...)
		if got != want || rate != wantRate {
			t.Errorf("machines %s for %s/s, those of the file are %s for %s/s", got, rate, want, wantRate)
		}
	})
	t.Run("machines added up", func(t *testing.T) {
		_, stderr, code := runWords(t, append([]string{"size", "--service-time", "3s", "--max-wait", "500ms",
			"--rate-query", "rate(http_requests_total[5m])"}, at...)...)
		if code != 0 || !strings.Contains(stderr, "gives 2 series, which are added up") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("classic histogram", func(t *testing.T) {
		_, stderr, code := runWords(t, append([]string{"size", "--rate-query", "sum(rate(http_requests_total[5m]))",
			"--service-histogram", "http_request_duration_seconds",
			"--max-wait", "50ms"}, at...)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		if !strings.Contains(stderr, "service time 120 ms from http_request_duration_seconds") || !strings.Contains(stderr,
			"leave the SCV open from") {
			t.Error(stderr)
		}
		for _, p := range []float64{0.5, 0.95} {
			want := s.number(t, fmt.Sprintf("histogram_quantile(%v, sum by (le) (increase(http_request_duration_seconds_bucket[7d])))", p), end)
			if text := fmt.Sprintf("p%g %.3g ms (", 100*p, 1000*want); !strings.Contains(stderr, text) {
				t.Errorf("no %q in %s", text, stderr)
			}
		}
	})
	t.Run("means", func(t *testing.T) {
		stdout, stderr, code := runWords(t, append([]string{"capacity", "--servers", "40", "--max-wait", "100ms", "-o",
			"json", "--service-query",
			"sum(rate(http_request_duration_seconds_sum[5m]))/sum(rate(http_request_duration_seconds_count[5m]))"}, at...)...)
		if code != 0 || !strings.Contains(stderr, "service time 120 ms") || !strings.Contains(stdout, "max_rate_per_s") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("machines", func(t *testing.T) {
		asked := []string{"availability", "rank", "--day", "weekday", "--start", "08:00", "--window", "4h", "--days", "5",
			"-o", "json",
			"--cpu-query", "cpu_busy", "--memory-query", "memory_available_bytes", "--working-set", "256MB"}
		stdout, stderr, code := runWords(t, append(asked, at...)...)
		if code != 0 || !strings.Contains(stdout, `"node1:9100"`) || !strings.Contains(stdout, `"node2:9100"`) {
			t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
		}
		stdout, stderr, code = runWords(t, append([]string{"availability", "label", "--host", "node2:9100", "-o", "json",
			"--cpu-query", "cpu_busy"}, at...)...)
		if code != 0 || !strings.Contains(stdout, "S5") {
			t.Errorf("exit %d: %s\n%s", code, stderr, stdout)
		}
	})
	t.Run("bad query", func(t *testing.T) {
		_, stderr, code := runWords(t, append([]string{"size", "--service-time", "3s", "--max-wait", "1s", "--rate-query",
			"sum(rate("}, at...)...)
		if code != 2 || !strings.Contains(stderr, "--rate-query") || !strings.Contains(stderr, "parse error") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		_, stderr, code = runWords(t, append([]string{"size", "--service-time", "3s", "--max-wait", "1s", "--rate-query",
			"no_such_series"}, at...)...)
		if code != 2 || !strings.Contains(stderr, "gives nothing") {
			t.Errorf("exit %d: %s", code, stderr)
		}
		_, stderr, code = runWords(t, "size", "--service-time", "3s", "--max-wait", "1s", "--rate-query", "up",
			"--prometheus", s.url)
		if code != 1 || !strings.Contains(stderr, "certificate") {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
	t.Run("native histogram", func(t *testing.T) {
		// A law that is known: 5 of 6 take about 100 ms, the sixth 700 ms; SCV 1.25.
		seen := 0
		for range 300 {
			for i := range 600 {
				native.Observe([]float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.7}[i%6])
			}
			if !math.IsNaN(s.number(t, "count(native_seconds)", time.Now())) {
				if seen++; seen > 25 {
					break
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
		_, stderr, code := runWords(t, "capacity", "--servers", "40", "--max-wait", "100ms", "--service-histogram",
			"native_seconds",
			"--prometheus", s.url, "--prometheus-config", s.config, "--since", "10s", "--step", "1s")
		if code != 0 || !nativeLaw.MatchString(stderr) {
			t.Errorf("exit %d: %s", code, stderr)
		}
	})
}

// nativeLaw is the law of the native histogram, as far as its buckets and a scrape
// between two observations leave it.
var nativeLaw = regexp.MustCompile(`service time (19[6-9]|20[0-4]) ms from native_seconds .*SCV 1\.2`)

// staffed are the servers of each interval of an answer.
func staffed(t *testing.T, answer string) []int64 {
	t.Helper()
	var a struct {
		Servers  int64 `json:"servers"`
		Staffing struct {
			Intervals []struct {
				Servers int64 `json:"servers_mol"`
			} `json:"intervals"`
		} `json:"staffing"`
	}
	if err := json.Unmarshal([]byte(answer), &a); err != nil {
		t.Fatal(err)
	}
	all := []int64{a.Servers}
	for _, v := range a.Staffing.Intervals {
		all = append(all, v.Servers)
	}
	if len(all) < 2 {
		t.Fatalf("no staffing in %s", answer)
	}
	return all
}
