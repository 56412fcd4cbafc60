package prometheus

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// Rate asks for arrivals per second. Where the query gives several series they
// are added up. zone is that in which days begin; nil: UTC. Errors: *ask.InputError of rate_query;
// *Error.
func (c *Client) Rate(ctx context.Context, text string, w Window, zone *time.Location) (*traffic.Record, error) {
	r, err := c.rates(given.Context(ctx), query{"rate_query", text}, w)
	if err != nil {
		return nil, err
	}
	end, rate := r.added()
	if len(end) < 2 {
		return nil, ask.Inputf(r.field, "%s gives one value only, want a longer --since or a shorter --step", text)
	}
	s := &traffic.Series{End: end, Rate: rate, Width: r.times.step, Zone: zone}
	out, err := s.Record()
	if err != nil {
		return nil, ask.Inputf(r.field, "%s: %v", text, err)
	}
	// What the server said stands before what was found here.
	notes := slices.Concat(r.notes, r.edges(end))
	if n := len(r.series); n > 1 {
		notes = append(notes, fmt.Sprintf("%s gives %d series, which are added up", text, n))
	}
	out.Notes = append(notes, out.Notes...)
	return out, nil
}

// rates fetches numbers that are not negative. 1e15 a second is beyond what adds up exactly.
// Errors: *ask.InputError, *Error.
func (c *Client) rates(ctx context.Context, q query, w Window) (*record, error) {
	t, err := w.times()
	if err != nil {
		return nil, err
	}
	r, err := c.fetch(ctx, q, t)
	if err != nil {
		return nil, err
	}
	// An answer without series is no fault of the server: the query matches nothing.
	if len(r.series) == 0 {
		return nil, c.empty(r)
	}
	if err := c.numbers(r); err != nil {
		return nil, err
	}
	for _, s := range r.series {
		for i, v := range s.value {
			if v < 0 || v > 1e15 {
				return nil, ask.Inputf(q.field, "%s gives %s at %s, want numbers from 0 to 1e15", q.text,
					units.FormatNumber(v, 4), clock(s.end[i]))
			}
		}
	}
	return r, nil
}

// Means asks for the mean duration in seconds, moment by moment, as a quotient of
// two rates gives it. The mean over all moments weighs them by the arrivals of
// load, or equally where load is nil. What a law is beside its mean the means of
// moments do not tell. Errors: *ask.InputError of service_query; *Error.
func (c *Client) Means(ctx context.Context, text string, w Window, load *traffic.Record) (*traffic.Service, error) {
	r, err := c.rates(given.Context(ctx), query{"service_query", text}, w)
	if err != nil {
		return nil, err
	}
	// Rates add up over series, means do not.
	if n := len(r.series); n > 1 {
		return nil, ask.Inputf(r.field,
			"%s gives %d series, and means cannot be added up: want one, such as sum(rate(x_sum[5m])) / sum(rate(x_count[5m]))",
			text, n)
	}
	only := r.series[0]
	arrivals := map[int64]float64{} // by the end of their interval, in ms
	if load != nil {
		for _, v := range load.Intervals {
			// Moments of two queries are compared in whole ms, the grain of the server.
			arrivals[milliseconds(v.Start+v.Width)] = v.Rate
		}
	}
	weight, weighed := 0.0, 0
	s := &traffic.Service{Source: text + ", means of moments", Notes: slices.Concat(r.notes, r.edges(only.end))}
	for i, v := range only.value {
		p := 1.0
		if load != nil {
			p = arrivals[milliseconds(only.end[i])]
		}
		if p > 0 {
			weight, weighed = weight+p, weighed+1
			// The running mean by weights stays within the values, however many there are.
			s.Mean += (v - s.Mean) * (p / weight)
		}
	}
	switch {
	case weighed == 0:
		return nil, ask.Inputf(r.field, "%s gives no value at a moment at which anything arrives", text)
	case !(s.Mean > 0):
		return nil, ask.Inputf(r.field, "%s gives a mean of 0 s, want durations above 0", text)
	}
	return s, nil
}

func milliseconds(t float64) int64 { return int64(t*1000 + 0.5) }
