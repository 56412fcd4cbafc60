package prometheus

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A series is what one set of labels was seen to be. It has values or histograms, never both.
type series struct {
	labels     model.Metric
	end        []float64 // s, Unix time, strictly increasing
	value      []float64
	histograms []*model.SampleHistogram // instead of values
}

// A record is what a query gave over a window. Moments that are missing are missing in a series.
type record struct {
	query
	times  times
	series []*series // in the order of their labels
	lost   int       // values that are not finite
	notes  []string
}

// fetch asks for a window, piece by piece, and puts the pieces of a series
// together. It is an *ask.InputError where the server has nothing to say. Other errors: *Error;
// that of the context. A server answers at most 11,000 moments at once, so that a long window is
// asked in pieces.
func (c *Client) fetch(ctx context.Context, q query, t times) (*record, error) {
	// An answer of 128 MiB takes seconds to read.
	return parallel.Await(ctx, func() (*record, error) { return c.fetched(ctx, q, t) })
}

// fetched is fetch that looks at the context only while it asks.
func (c *Client) fetched(ctx context.Context, q query, t times) (*record, error) {
	values := 0
	r := &record{query: q, times: t}
	// A series is known again by its labels in the next piece.
	known := map[model.Fingerprint]*series{}
	said := map[string]bool{}
	for _, piece := range t.pieces() {
		m, notes, err := c.ask(ctx, q, piece.first, piece.at(piece.n-1), piece.step)
		if err != nil {
			return nil, err
		}
		// The same warning comes with every piece, and is reported once.
		for _, n := range notes {
			if !said[n] {
				said[n] = true
				r.notes = append(r.notes, n)
			}
		}
		for _, stream := range m {
			if stream == nil {
				return nil, c.malformed("a series that is null")
			}
			print := stream.Metric.Fingerprint()
			s := known[print]
			if s == nil {
				s = &series{labels: stream.Metric}
				known[print], r.series = s, append(r.series, s)
			}
			before := len(s.end)
			if err := c.add(r, s, stream, piece); err != nil {
				return nil, err
			}
			values += len(s.end) - before
			// The bound is looked at after each series: a query without an aggregation may give
			// thousands.
			if values > mostValues {
				return nil, ask.Inputf(q.field,
					"gives more than %s values: want fewer series, such as sum(...), or a longer --step",
					units.FormatNumber(mostValues, 3))
			}
		}
	}
	// A server may give its series in another order in each piece; what is added up in one order
	// has the same last digit each time.
	slices.SortFunc(r.series, func(a, b *series) int {
		switch {
		case a.labels.Before(b.labels):
			return -1
		case b.labels.Before(a.labels):
			return 1
		}
		return 0
	})
	// A series of which nothing is a number is none.
	r.series = slices.DeleteFunc(r.series, func(s *series) bool { return len(s.end) == 0 })
	if r.lost > 0 {
		r.notes = append(r.notes, fmt.Sprintf("%s gives %d values that are not finite numbers: they count as missing",
			r.text, r.lost))
	}
	return r, nil
}

// add takes the values of a piece into a series. A server may answer on its own clock by less than
// half a step. Errors: *Error for what was not asked.
func (c *Client) add(r *record, s *series, stream *model.SampleStream, piece times) error {
	take := func(at model.Time) (float64, error) {
		end := float64(at) / 1000
		if end < piece.first-piece.step/2 || end > piece.at(piece.n-1)+piece.step/2 {
			return 0, c.malformed("a value of " + at.Time().UTC().Format(time.RFC3339) + ", which was not asked for")
		}
		// Half a step is less than any two moments of one grid are apart.
		if n := len(s.end); n > 0 && !(end-s.end[n-1] >= piece.step/2) {
			return 0, c.malformed("values that are not in order of time")
		}
		return end, nil
	}
	for _, v := range stream.Values {
		end, err := take(v.Timestamp)
		if err != nil {
			return err
		}
		if x := float64(v.Value); !math.IsNaN(x) && !math.IsInf(x, 0) {
			s.end, s.value = append(s.end, end), append(s.value, x)
		} else {
			r.lost++
		}
	}
	for _, v := range stream.Histograms {
		end, err := take(v.Timestamp)
		if err != nil {
			return err
		}
		if v.Histogram == nil || len(s.value) > 0 {
			return c.malformed("a series of numbers and histograms")
		}
		s.end, s.histograms = append(s.end, end), append(s.histograms, v.Histogram)
	}
	return nil
}

// malformed is the error of an answer that no server should give.
func (c *Client) malformed(what string) error {
	return &Error{Server: c.server, Problem: "answers " + what, Want: wantURL}
}

// empty is the error of a query that gives nothing.
func (c *Client) empty(r *record) error {
	text := r.text + " gives nothing in the " + units.FormatDuration(float64(r.times.n)*r.times.step, 3) +
		" up to " + clock(r.times.at(r.times.n-1))
	if r.lost > 0 {
		text = r.text + " gives no finite number"
	}
	return ask.Inputf(r.field, "%s: want a query that gives a number now, as the page of %s shows",
		text, c.server)
}

// numbers refuses a query that gives histograms.
func (c *Client) numbers(r *record) error {
	for _, s := range r.series {
		if s.histograms != nil {
			return ask.Inputf(r.field, "%s gives histograms, want numbers, such as histogram_count(...) of it", r.text)
		}
	}
	return nil
}

// added adds the series up, moment by moment: each is a part of the whole. A moment at which one of
// the series is missing has the sum of the others. Moments are matched by the nearest of the grid,
// as servers round them.
func (r *record) added() (end, value []float64) {
	if len(r.series) == 1 {
		return r.series[0].end, r.series[0].value
	}
	sum, seen := make([]float64, r.times.n), make([]bool, r.times.n)
	for _, s := range r.series {
		for i, at := range s.end {
			k := min(max(int(math.Round((at-r.times.first)/r.times.step)), 0), r.times.n-1)
			sum[k], seen[k] = sum[k]+s.value[i], true
		}
	}
	for k := range sum {
		if seen[k] {
			end, value = append(end, r.times.at(k)), append(value, sum[k])
		}
	}
	return end, value
}

// edges notes a record that begins later than it was asked for, or ends earlier. A step and a half
// leaves room for the rounding of moments.
func (r *record) edges(end []float64) []string {
	var notes []string
	first, last := r.times.at(0), r.times.at(r.times.n-1)
	if late := end[0] - first; late > 1.5*r.times.step {
		notes = append(notes, fmt.Sprintf("%s begins at %s, %s later than requested", r.text,
			clock(end[0]-r.times.step), units.FormatDuration(late, 3)))
	}
	if early := last - end[len(end)-1]; early > 1.5*r.times.step {
		notes = append(notes, fmt.Sprintf("%s ends at %s, %s before the last moment requested", r.text,
			clock(end[len(end)-1]), units.FormatDuration(early, 3)))
	}
	return notes
}

// clock writes a Unix time.
func clock(unix float64) string {
	return time.UnixMilli(int64(math.Round(unix * 1000))).UTC().Format("2006-01-02 15:04 UTC")
}
