package traffic

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// checkPlain reads a line both ways: what is plain is JSON and says the same.
func checkPlain(t *testing.T, line []byte) (plain bool) {
	t.Helper()
	got, plain := plainResult(line)
	var want result
	err := json.Unmarshal(line, &want)
	if !plain {
		return false
	}
	duration := func(r result) bool { return r.Type == "Point" && r.Metric == "http_req_duration" }
	if err != nil || want.Latencies != nil || want.Metrics != nil || want.Requests != 0 ||
		duration(got) != duration(want) || got.Data != want.Data ||
		(got.Latency == nil) != (want.Latency == nil) || got.Latency != nil && *got.Latency != *want.Latency {
		t.Errorf("%q: %+v, want %+v, %v", line, got, want, err)
	}
	return true
}

var plainLines = []string{
	`{"metric":"http_req_duration","type":"Point",` +
		`"data":{"time":"2026-11-22T10:00:00.12+01:00","value":10.25,"tags":{"a":"b","n":null}}}`,
	`{"type":"Metric","data":{"name":"http_reqs","type":"counter","thresholds":[],"sub":null},"metric":"http_reqs"}`,
	`{"attack":"","seq":0,"code":200,"latency":10000000,"bytes_in":12,"error":"","body":null,"headers":{"A":["b","c"]}}`,
	` { "latency" : -1.5e3 , "x" : [ 1 , -0.5 , true , false , null , { } , [ ] , "ü" ] } `,
	`{"latency":0,"latency":12345678901234567890}`,
	`{"data":{"value":1},"data":{"value":2},"type":"Point"}`,
	`{}`,
}

// What is not plain goes to encoding/json: other spellings of the names, escapes, and what is no JSON.
var otherLines = []string{
	`{"Latency":1}`, `{"latency":null}`, `{"type":"Po\u0069nt"}`, `{"data":{"VALUE":3}}`, `{"data":null}`, `{"data":3}`,
	`{"latency":1e999}`, `{"latency":1e-999}`, `{"requests":3}`, `{"metrics":{}}`, "{\"meſric\":\"x\"}", `{"type":3}`,
	`{"latency":01}`, `{"latency":1.}`, `{"latency":.5}`, `{"latency":+1}`, `{"latency":1e}`, `{"latency":-}`,
	`{"a":1,}`, `{"a" 1}`, `{"a":[1,]}`, `{"a":tru}`, `{"a":1}}`, `{"a":1} x`, `{"a"`, `{`, ``, `[]`, `3`,
	"{\"a\":\"\t\"}", `{"a":"}`, `{"a":1 "b":2}`, "{\"a\":1\x00}", "{\"a\":1}\x00",
}

func TestPlainResult(t *testing.T) {
	for _, line := range plainLines {
		if !checkPlain(t, []byte(line)) {
			t.Errorf("%s is not plain", line)
		}
	}
	for _, line := range otherLines {
		if checkPlain(t, []byte(line)) {
			t.Errorf("%q is plain", line)
		}
	}
	// Lines with a few bytes changed, left out or taken from elsewhere.
	rng := rand.New(rand.NewPCG(1, 2))
	plain := 0
	for range 200_000 {
		line := []byte(plainLines[rng.IntN(len(plainLines))])
		for range 1 + rng.IntN(2) {
			at := rng.IntN(len(line))
			switch rng.IntN(3) {
			case 0:
				line[at] = "\"\\{}[]:,.-+eE019 \tnutflavVdsé"[rng.IntN(30)]
			case 1:
				line = append(line[:at], line[min(len(line), at+1+rng.IntN(3)):]...)
			default:
				from := plainLines[rng.IntN(len(plainLines))]
				n := rng.IntN(len(from))
				line = append(line[:at:at], append([]byte(from[n:min(len(from), n+rng.IntN(20))]), line[at:]...)...)
			}
			if len(line) == 0 {
				break
			}
		}
		if checkPlain(t, line) {
			plain++
		}
	}
	if plain < 20_000 {
		t.Errorf("%d of 200,000 changed lines are plain: the rest shows little", plain)
	}
}

func FuzzPlainResult(f *testing.F) {
	for _, line := range append(plainLines, otherLines...) {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) { checkPlain(t, line) })
}
