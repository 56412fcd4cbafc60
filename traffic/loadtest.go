package traffic

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

const serviceForm = "results of vegeta (report, encode --to csv or json), k6 (what it prints, --out csv or json, " +
	"--summary-export) or wrk, or CSV with a column of durations such as latency_ms"

// maxDocument bounds a summary in JSON, in bytes.
const maxDocument = 4 << 20

// underLoad goes with every result of a load test.
const underLoad = "the times are those of the test: under load they hold waiting too, so that they are service times only where the test kept the servers nearly idle"

// ReadService reads how long requests take from the results of a load test, of
// vegeta, k6 or wrk, told apart by their content, or from CSV with a header and
// a column of durations. Results request by request give a sample; summaries
// give the mean, the percentiles they hold and, where they tell the standard
// deviation, the SCV.
//
// Whatever else is in the file gives a *FileError with line and column. name is
// used in messages only.
func ReadService(ctx context.Context, name string, in io.Reader) (*Service, error) {
	ctx = given.Context(ctx)
	lines, err := source.NewLineReader(ctx, name, in, serviceForm)
	if err != nil {
		return nil, err
	}
	r := &serviceReader{reader: reader{LineReader: lines}}
	line, err := r.next()
	for err == nil && line[0] == '#' {
		line, err = r.next()
	}
	if err == io.EOF {
		return nil, r.Fail("holds no content", source.ErrEmpty)
	}
	if err != nil {
		return nil, err
	}
	switch {
	case line[0] == '{':
		return r.json(line)
	case bytes.HasPrefix(line, []byte("Running ")):
		return r.wrk()
	case isSummaryText(line):
		return r.summaryText(line)
	}
	cells, err := csv.NewReader(bytes.NewReader(line)).Read()
	switch {
	// vegeta writes no header: a time and a latency, both whole nanoseconds, are columns 0 and 2. k6 has
	// a row for each metric of a request, in milliseconds.
	case err == nil && len(cells) >= 8 && isWhole(cells[0]) && isWhole(cells[2]):
		return r.table(line, 0, 2, "vegeta", func([]string) (float64, bool) { return 1e-9, true })
	case err == nil && slices.Contains(cells, "metric_name") && slices.Contains(cells, "metric_value"):
		metric := slices.Index(cells, "metric_name")
		return r.table(nil, len(cells), slices.Index(cells, "metric_value"), "k6", func(row []string) (float64, bool) {
			return 1e-3, row[metric] == "http_req_duration"
		})
	}
	return r.durations(line)
}

// A serviceReader reads durations; took are those of single requests.
type serviceReader struct {
	reader
	took []float64
}

// next returns the next line with content, trimmed.
func (r *serviceReader) next() ([]byte, error) {
	for {
		line, tooLong, err := r.Next()
		if err != nil {
			return nil, err
		}
		if tooLong {
			return nil, r.bad(line, 0, fmt.Sprintf("a line of more than %d bytes", source.MaxLine), serviceForm)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}

// mostReport is the number of lines of the longest report: tools print some fifty.
const mostReport = 10_000

// nextOfReport is next in a text that is a report of a tool.
func (r *serviceReader) nextOfReport() ([]byte, error) {
	if r.Line > mostReport {
		return nil, r.Fail(fmt.Sprintf("a report of more than %d lines", mostReport), source.ErrMalformed)
	}
	return r.next()
}

// keep takes the duration of one request, all of which are needed for
// percentiles.
func (r *serviceReader) keep(line []byte, seconds float64) error {
	if !(seconds >= 0 && seconds <= source.MaxSeconds) {
		return r.bad(line, 0, "a duration of "+trim(seconds)+" s", "one from 0 to 317 years")
	}
	if len(r.took) == source.MaxKept {
		return r.bad(line, 0, fmt.Sprintf("more than %d million requests", source.MaxKept/1_000_000),
			"a part of them, or a summary")
	}
	r.took = append(r.took, seconds)
	return nil
}

// sample is the service that the durations kept are a sample of.
func (r *serviceReader) sample(from string) (*Service, error) {
	s := ofSample(r.took, from)
	if s == nil || !(s.Mean > 0) {
		return nil, r.Fail("holds no duration above 0", source.ErrEmpty)
	}
	s.Notes = append(s.Notes, underLoad)
	return s, nil
}

// table reads CSV whose rows are requests, or metrics of which the wanted ones
// are; first is a row that was read already.
func (r *serviceReader) table(first []byte, width, value int, program string,
	unit func([]string) (float64, bool)) (*Service, error) {
	line, err := first, error(nil)
	if first == nil {
		line, err = r.next()
	}
	var cells []string
	for ; err == nil; line, err = r.next() {
		var fault error
		if bytes.IndexByte(line, '"') < 0 { // as a rule: a reader of its own for each row costs ten times as much
			cells = cells[:0]
			for rest, more := string(line), true; more; {
				var cell string
				cell, rest, more = strings.Cut(rest, ",")
				cells = append(cells, cell)
			}
		} else {
			cells, fault = csv.NewReader(bytes.NewReader(line)).Read()
		}
		if fault != nil || width > 0 && len(cells) != width || len(cells) <= value {
			return nil, r.bad(line, 0, "a row that is not like the first", "a result of "+program)
		}
		per, wanted := unit(cells)
		if !wanted {
			continue
		}
		v, ok := source.ParseNumber([]byte(cells[value]))
		if !ok {
			return nil, r.bad(line, 0, fmt.Sprintf("a duration of %q", cells[value]),
				"a number, as "+program+" writes it")
		}
		if err := r.keep(line, v*per); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return r.sample("requests of " + program)
}

// result is one line, or the summary, that vegeta or k6 write.
type result struct {
	Latency   *float64 `json:"latency"` // vegeta, ns
	Type      string   `json:"type"`    // k6
	Metric    string   `json:"metric"`
	Data      struct{ Value float64 }
	Requests  float64            `json:"requests"`
	Latencies map[string]float64 `json:"latencies"` // vegeta's report, ns
	Metrics   map[string]json.RawMessage
}

// json reads a summary, or the results of single requests, one a line. The first line shows which.
func (r *serviceReader) json(line []byte) (*Service, error) {
	var first result
	if json.Unmarshal(line, &first) != nil {
		// A summary over several lines: only all of them together are JSON.
		text := slices.Clone(line)
		for {
			more, err := r.next()
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, err
			}
			if text = append(append(text, '\n'), more...); len(text) > maxDocument {
				return nil, r.Fail(fmt.Sprintf("JSON of more than %d MiB", maxDocument>>20), source.ErrMalformed)
			}
		}
		if err := json.Unmarshal(text, &first); err != nil {
			return nil, r.Fail("JSON that cannot be read as a summary", source.ErrMalformed)
		}
		return r.summary(first)
	}
	if first.Latencies != nil || first.Metrics != nil {
		return r.summary(first)
	}
	program := "k6"
	if first.Latency != nil {
		program = "vegeta"
	}
	err := error(nil)
	for ; err == nil; line, err = r.next() {
		one, plain := plainResult(line)
		if !plain {
			one = result{}
			if json.Unmarshal(line, &one) != nil {
				return nil, r.bad(line, 0, "a line that is no JSON", "a result of "+program)
			}
		}
		switch {
		case one.Latency != nil:
			err = r.keep(line, *one.Latency*1e-9)
		case one.Type == "Point" && one.Metric == "http_req_duration":
			err = r.keep(line, one.Data.Value*1e-3)
		}
		if err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return r.sample("requests of " + program)
}

// summary takes vegeta's report and k6's summary.
func (r *serviceReader) summary(of result) (*Service, error) {
	if of.Latencies != nil {
		s := &Service{N: int(min(max(of.Requests, 0), 1e15)), Mean: of.Latencies["mean"] * 1e-9,
			Source: "a report of vegeta"}
		for name, p := range map[string]float64{"50th": 0.5, "90th": 0.9, "95th": 0.95, "99th": 0.99} {
			if v := of.Latencies[name]; v > 0 {
				s.Percentiles = append(s.Percentiles, Percentile{Percentile: p, Value: v * 1e-9})
			}
		}
		return r.checked(s)
	}
	raw, ok := of.Metrics["http_req_duration"]
	if !ok {
		return nil, r.Fail(`a summary without "http_req_duration"`, source.ErrMalformed)
	}
	// Of k6, handleSummary puts the values one level deeper than --summary-export, and counts likewise.
	values := map[string]float64{}
	var nested struct{ Values map[string]float64 }
	if json.Unmarshal(raw, &nested) == nil && nested.Values != nil {
		values = nested.Values
	} else {
		var plain map[string]any
		if err := json.Unmarshal(raw, &plain); err != nil {
			return nil, r.Fail(`"http_req_duration" that is not an object`, source.ErrMalformed)
		}
		for name, v := range plain {
			if f, ok := v.(float64); ok {
				values[name] = f
			}
		}
	}
	s := &Service{Mean: values["avg"] * 1e-3, Source: "a summary of k6"}
	var requests struct {
		Count  float64
		Values struct{ Count float64 }
	}
	if json.Unmarshal(of.Metrics["http_reqs"], &requests) == nil {
		s.N = int(min(max(requests.Count, requests.Values.Count, 0), 1e15))
	}
	for name, p := range map[string]float64{"med": 0.5, "p(50)": 0.5, "p(90)": 0.9, "p(95)": 0.95, "p(99)": 0.99} {
		if v := values[name]; v > 0 && !slices.ContainsFunc(s.Percentiles,
			func(q Percentile) bool { return q.Percentile == p }) {
			s.Percentiles = append(s.Percentiles, Percentile{Percentile: p, Value: v * 1e-3})
		}
	}
	return r.checked(s)
}

// checked completes a summary.
func (r *serviceReader) checked(s *Service) (*Service, error) {
	if !(s.Mean > 0 && s.Mean <= source.MaxSeconds) {
		return nil, r.Fail("a summary without a mean duration above 0", source.ErrMalformed)
	}
	sort.Slice(s.Percentiles, func(i, j int) bool { return s.Percentiles[i].Percentile < s.Percentiles[j].Percentile })
	s.Notes = append(s.Notes, underLoad)
	if s.SCV == nil {
		s.Notes = append(s.Notes,
			"a summary does not tell the spread of the times: give the SCV, or the results request by request")
	}
	return s, nil
}

var (
	wrkLatency    = pattern(`^Latency\s+(\S+)\s+(\S+)\s+(\S+)\s+\S+%$`)
	wrkPercentile = pattern(`^(\d+(?:\.\d+)?)%\s+(\S+)$`)
	wrkRequests   = pattern(`^(\d+) requests in `)
)

// wrk reads the text that wrk and wrk2 print.
func (r *serviceReader) wrk() (*Service, error) {
	s := &Service{Source: "wrk"}
	line, err := []byte(nil), error(nil)
	read := func(text []byte) float64 {
		d, fault := units.Parse[units.Duration](string(text))
		if fault != nil && err == nil {
			err = r.bad(line, 0, fmt.Sprintf("a duration of %q", text), "one such as 635.91us")
		}
		return float64(d)
	}
	for line, err = r.nextOfReport(); err == nil; line, err = r.nextOfReport() {
		if m := wrkLatency().FindSubmatch(line); m != nil && s.Mean == 0 {
			mean, deviation := read(m[1]), read(m[2])
			if mean > 0 {
				s.Mean, s.SCV = mean, new(deviation/mean*(deviation/mean))
			}
		}
		if m := wrkPercentile().FindSubmatch(line); m != nil {
			p, _ := source.ParseNumber(m[1])
			if slices.Contains([]float64{50, 75, 90, 95, 99, 99.9}, p) {
				s.Percentiles = append(s.Percentiles, Percentile{Percentile: p / 100, Value: read(m[2])})
			}
		}
		if m := wrkRequests().FindSubmatch(line); m != nil {
			n, _ := source.ParseNumber(m[1])
			s.N = int(min(n, 1e15))
		}
		if err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return r.checked(s)
}

func isWhole(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
