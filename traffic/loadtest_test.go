package traffic_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/source/sourcetest"
	"github.com/capplan/capplan/traffic"
)

// Three requests of 10, 20 and 60 ms as each program writes them: mean 30 ms,
// SCV (400+100+900)/2/900 = 7/9.
func TestReadService(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		scv  float64 // NaN: not told
		n    int
	}{
		"vegeta csv": {"1700000000000000000,200,10000000,0,12,,,a,0,GET,http://x/,\n1700000000100000000,200,20000000,0,12,,,a,1,GET,http://x/,\n" +
			"1700000000200000000,500,60000000,0,12,oops,,a,2,GET,http://x/,\n", 7.0 / 9, 3},
		"vegeta json": {`{"attack":"","seq":0,"code":200,"timestamp":"2026-11-22T10:00:00Z","latency":10000000}
{"attack":"","seq":1,"code":200,"timestamp":"2026-11-22T10:00:01Z","latency":20000000}
{"attack":"","seq":2,"code":200,"timestamp":"2026-11-22T10:00:02Z","latency":60000000}
`, 7.0 / 9, 3},
		"vegeta report": {`{"latencies":{"total":90000000,"mean":30000000,"50th":20000000,"90th":60000000,"95th":60000000,"99th":60000000,"max":60000000,"min":10000000},"requests":3,"rate":1}`, math.NaN(), 3},
		"vegeta report for people": {`Requests      [total, rate, throughput]  3, 120.00, 65.87
Duration      [total, attack, wait]      10.094965987s, 9.949883921s, 145.082066ms
Latencies     [min, mean, 50, 90, 95, 99, max]  10ms, 30ms, 20ms, 52ms, 56ms, 59.2ms, 60ms
Success       [ratio]                    55.42%
`, math.NaN(), 3},
		"k6 for people": {`

         /\      Grafana   /‾‾/
    /\  /  \     |\  __   /  /

  execution: local

     http_req_duration..............: avg=30ms min=10ms med=20ms max=60ms p(90)=52ms p(95)=56ms
       { expected_response:true }...: avg=31ms min=10ms med=20ms max=60ms p(90)=52ms p(95)=56ms
     http_reqs......................: 3   119.8/s
`, math.NaN(), 3},
		"k6 json": {`{"type":"Metric","data":{"name":"http_req_duration"},"metric":"http_req_duration"}
{"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-22T10:00:00Z","value":10,"tags":{"status":"200"}}}
{"metric":"http_reqs","type":"Point","data":{"time":"2026-11-22T10:00:00Z","value":1}}
{"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-22T10:00:01Z","value":20}}
{"metric":"http_req_duration","type":"Point","data":{"time":"2026-11-22T10:00:02Z","value":60}}
`, 7.0 / 9, 3},
		"k6 csv": {`metric_name,timestamp,metric_value,check,error
http_reqs,1700000000,1,,
http_req_duration,1700000000,10,,
"http_req_duration",1700000001,20,,"x, y"
http_req_duration,1700000002,60,,
`, 7.0 / 9, 3},
		"k6 summary": {"{\n \"metrics\": {\n  \"http_req_duration\": {\"avg\": 30, \"min\": 10, \"med\": 20, \"max\": 60, \"p(90)\": 52, \"p(95)\": 56},\n" +
			"  \"http_reqs\": {\"count\": 3, \"rate\": 1}\n }\n}\n", math.NaN(), 3},
		"k6 handled summary": {`{"metrics":{"http_req_duration":{"type":"trend","contains":"time","values":{"avg":30,"med":20,"p(95)":56}},"http_reqs":{"values":{"count":3}}}}`, math.NaN(), 3},
		"wrk": {`Running 30s test @ http://127.0.0.1:8080/index.html
  12 threads and 400 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency    30.00ms   15.00ms  60.00ms   93.69%
    Req/Sec    56.20k     8.07k   62.00k    86.54%
  Latency Distribution
     50%   20.00ms
     99%   60.00ms
  22464657 requests in 30.00s, 17.76GB read
Requests/sec: 748868.53
Transfer/sec:    606.33MB
`, 0.25, 22464657},
		"csv":           {"host,latency_ms\na,10\n# more\nb,20\nc,\nd,60\n", 7.0 / 9, 3},
		"decimal comma": {"duration_s;host\n0,010;a\n0,02;b\n0,06;c\n", 7.0 / 9, 3},
		"with units":    {"duration\n10ms\n0.02 s\n60000us\n", 7.0 / 9, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := traffic.ReadService(context.Background(), "f", strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			numtest.Close(t, "mean", s.Mean, 0.03, 1e-12)
			if s.N != c.n {
				t.Errorf("%d requests, want %d", s.N, c.n)
			}
			switch {
			case math.IsNaN(c.scv) != (s.SCV == nil):
				t.Errorf("SCV %v", s.SCV)
			case s.SCV != nil:
				numtest.Close(t, "SCV", *s.SCV, c.scv, 1e-9)
			}
			numtest.Close(t, "median", s.Percentiles[0].Value, 0.02, 1e-9)
			last := s.Percentiles[len(s.Percentiles)-1]
			if !(last.Value > 0.05 && last.Value <= 0.0600001) {
				t.Errorf("percentiles %+v", s.Percentiles)
			}
		})
	}
}

func TestReadServiceErrors(t *testing.T) {
	for _, c := range []struct {
		name, text string
		err        error
		say        []string
	}{
		{"no duration", "time,count\n1,2\n", source.ErrMalformed, []string{"f:1", "no column of durations", "vegeta"}},
		{"half a line", `{"latency":1}` + "\n" + `{"latency":`, source.ErrMalformed, []string{"f:2", "no JSON"}},
		{"other JSON", `{"a":1}`, source.ErrEmpty, []string{"no duration above 0"}},
		{"cut summary", "{\n\"metrics\": {", source.ErrMalformed, []string{"cannot be read as a summary"}},
		{"no mean", `{"latencies":{"max":5}}`, source.ErrMalformed, []string{"without a mean"}},
		{"other metrics", `{"metrics":{"vus":{"value":5}}}`, source.ErrMalformed, []string{`without "http_req_duration"`}},
		{"wrk without", "Running 30s test\n", source.ErrMalformed, []string{"without a mean"}},
		{"vegeta report cut", "Requests [total, rate, throughput] 3, 1, 1\nLatencies [min, mean] 1ms\n", source.ErrMalformed, []string{"f:2", "2 names and 1 durations"}},
		{"k6 without", "checks.........: 100%\n", source.ErrMalformed, []string{"without a mean"}},
		{"vegeta cut", "1700000000000000000,200,10000000,0,12,,,a,0\n1700,200\n", source.ErrMalformed, []string{"f:2", "not like the first"}},
		{"negative", "latency_ms\n-5\n", source.ErrMalformed, []string{"f:2:1"}},
		{"ambiguous", "latency_ms;a\n1.234;2\n", source.ErrMalformed, []string{"f:2", "a thousand times more"}},
		{"empty", "", source.ErrEmpty, []string{"no content"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := traffic.ReadService(context.Background(), "f", strings.NewReader(c.text))
			sourcetest.CheckFileError(t, err, "f", c.err, append(c.say, "want")...)
		})
	}
}

// Whatever is read has a mean above 0 and percentiles in order.
func FuzzReadService(f *testing.F) {
	for _, text := range []string{
		"1700000000000000000,200,10000000,0,12,,,a,0\n",
		`{"latency":10000000}` + "\n",
		`{"metric":"http_req_duration","type":"Point","data":{"value":10}}`,
		`{"latencies":{"mean":30000000,"50th":20000000},"requests":3}`,
		"metric_name,metric_value\nhttp_req_duration,10\n",
		"Running\n Latency 1ms 2ms 3ms 9%\n 50% 1ms\n",
		"a;duration\n1;1,5ms\n",
		"Requests [total] 3\nLatencies [mean, 50] 2ms, 1ms\n",
		"http_req_duration...: avg=2ms med=1ms\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := traffic.ReadService(context.Background(), "f", strings.NewReader(string(data)))
		if err != nil {
			return
		}
		if !(s.Mean > 0) || s.SCV != nil && !(*s.SCV >= 0) {
			t.Errorf("%+v", s)
		}
	})
}

// Lines of a report without end took 1.7 GB.
func TestReportsAreShort(t *testing.T) {
	for _, text := range []string{
		"Requests      [total, rate, throughput] 1, 1, 1\n" +
			strings.Repeat("Latencies     [min, mean, 50, 90, 95, 99, max]  1s, 1s, 1s, 1s, 1s, 1s, 1s\n", 10_001),
		"Running 30s test\n" + strings.Repeat("50% 1ms\n", 10_001),
	} {
		_, err := traffic.ReadService(context.Background(), "report", strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), "a report of more than 10000 lines") {
			t.Errorf("%.10s: %v", text, err)
		}
	}
}
