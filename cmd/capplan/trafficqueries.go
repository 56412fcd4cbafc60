package main

import (
	"context"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/traffic"
)

// trafficQueries ask a Prometheus server for a load and its service times.
type trafficQueries struct {
	server                   cmdline.Prometheus
	rate, service, histogram string
}

func (q *trafficQueries) flags(s *cmdline.FlagSet) {
	q.server.Flags(s, "rate-query", "service-query", "service-histogram")
	s.Text("rate-query", &q.rate,
		"QUERY", "for arrivals per second at --prometheus, such as 'sum(rate(http_requests_total[5m]))': a load curve")
	s.Text("service-query", &q.service, "QUERY", "for the mean service time in seconds at --prometheus")
	s.Text("service-histogram", &q.histogram, "NAME",
		"of a histogram of service times at --prometheus, such as http_request_duration_seconds, with {matchers} if need be: their mean and SCV")
}

// read asks the server; either result may be nil.
func (q *trafficQueries) read(ctx context.Context, zone *time.Location) (*traffic.Record, *traffic.Service, error) {
	if q.service != "" && q.histogram != "" {
		return nil, nil, &ask.InputError{Field: "service-histogram",
			Reason: "the service time is asked for twice: leave --service-query or --service-histogram out"}
	}
	client, w, err := q.server.Dial(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	var load *traffic.Record
	if q.rate != "" {
		if load, err = client.Rate(ctx, q.rate, w, zone); err != nil {
			return nil, nil, err
		}
	}
	var service *traffic.Service
	switch {
	case q.service != "":
		service, err = client.Means(ctx, q.service, w, load)
	case q.histogram != "":
		service, err = client.Histogram(ctx, q.histogram, w)
	}
	return load, service, err
}
