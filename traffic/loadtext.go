package traffic

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"
	"strings"
	"sync"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/units"
)

var (
	// vegeta report: the columns are named in the line itself, in an order that
	// differs by version.
	vegetaLatencies = pattern(`^Latencies\s+\[([^\]]+)\]\s+(.+)$`)
	vegetaRequests  = pattern(`^Requests\s+\[total[^\]]*\]\s+(\d+)`)

	// k6 at the end of a test: its banner, or without it the first of its figures.
	k6Begins   = pattern(`^(/\\|█|[A-Za-z_ ]+\.{3,}:)`)
	k6Duration = pattern(`^http_req_duration\.*:\s+(.+)$`)
	k6Requests = pattern(`^http_reqs\.*:\s+(\d+)`)
)

// pattern compiles an expression when it is first asked for: a program that reads no load test
// need not wait for eight of them.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

// summaryLevels are the names that summaries have for percentiles.
var summaryLevels = map[string]float64{
	"50": 0.5, "90": 0.9, "95": 0.95, "99": 0.99, // vegeta
	"med": 0.5, "p(90)": 0.9, "p(95)": 0.95, "p(99)": 0.99, // k6
}

// isSummaryText reports whether a file that begins with the line is what vegeta
// report or k6 print for people.
func isSummaryText(line []byte) bool {
	return vegetaRequests().Match(line) || k6Begins().Match(line)
}

// summaryText reads what vegeta report and k6 print for people.
func (r *serviceReader) summaryText(line []byte) (*Service, error) {
	s := &Service{}
	var err error
	for ; err == nil; line, err = r.nextOfReport() {
		if m := vegetaRequests().FindSubmatch(line); m != nil {
			s.N = whole(m[1])
		}
		if m := k6Requests().FindSubmatch(line); m != nil {
			s.N = whole(m[1])
		}
		var names, values []string
		if m := vegetaLatencies().FindSubmatch(line); m != nil {
			s.Source = "a report of vegeta"
			names, values = strings.Split(string(m[1]), ","), strings.Split(string(m[2]), ",")
		} else if m := k6Duration().FindSubmatch(line); m != nil && s.Mean == 0 {
			s.Source = "a summary of k6"
			for _, pair := range strings.Fields(string(m[1])) {
				name, value, _ := strings.Cut(pair, "=")
				names, values = append(names, name), append(values, value)
			}
		}
		if len(names) != len(values) {
			return nil, r.bad(line, 0, fmt.Sprintf("%d names and %d durations", len(names), len(values)), "as many")
		}
		for i, name := range names {
			name = strings.TrimSpace(name)
			level, known := summaryLevels[name]
			if !known && name != "mean" && name != "avg" {
				continue
			}
			d, fault := units.Parse[units.Duration](strings.TrimSpace(values[i]))
			if fault != nil {
				return nil, r.bad(line, 0, fmt.Sprintf("a duration of %q", values[i]), "one such as 635.91us")
			}
			if !known {
				s.Mean = float64(d)
			} else if d > 0 {
				s.Percentiles = append(s.Percentiles, Percentile{Percentile: level, Value: float64(d)})
			}
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return r.checked(s)
}

// whole is a count that a regular expression found.
func whole(digits []byte) int {
	n, _ := source.ParseNumber(bytes.TrimSpace(digits))
	return int(math.Min(n, 1e15))
}
