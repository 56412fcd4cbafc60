package cmdline

import (
	"context"
	"time"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/traffic"
)

// TrafficQueries ask a Prometheus server for a load and its service times. The texts are in PromQL,
// empty where they were not given.
type TrafficQueries struct {
	Server                   Prometheus
	Rate, Service, Histogram string
}

// Flags gives a command the flags of the queries.
func (q *TrafficQueries) Flags(s *FlagSet) {
	q.Server.Flags(s, "rate-query", "service-query", "service-histogram")
	s.Text("rate-query", &q.Rate,
		"QUERY", "query for arrivals per second at --prometheus, such as 'sum(rate(http_requests_total[5m]))'; "+
			"gives a load curve")
	s.Text("service-query", &q.Service, "QUERY", "query for the mean service time in seconds at --prometheus")
	s.Text("service-histogram", &q.Histogram, "NAME",
		"name of a histogram of service times at --prometheus, such as http_request_duration_seconds, with "+
			"{matchers} if needed; its mean and SCV are used")
}

// Read asks the server; either result may be nil. zone is where days of the load begin. Errors:
// *ask.InputError; those of the server.
func (q *TrafficQueries) Read(ctx context.Context, zone *time.Location) (*traffic.Record, *traffic.Service, error) {
	if q.Service != "" && q.Histogram != "" {
		return nil, nil, &ask.InputError{Field: "service-histogram",
			Reason: "the service time is asked for twice: leave --service-query or --service-histogram out"}
	}
	client, w, err := q.Server.Dial(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer client.Close()
	var load *traffic.Record
	if q.Rate != "" {
		if load, err = client.Rate(ctx, q.Rate, w, zone); err != nil {
			return nil, nil, err
		}
	}
	var service *traffic.Service
	switch {
	case q.Service != "":
		service, err = client.Means(ctx, q.Service, w, load)
	case q.Histogram != "":
		service, err = client.Histogram(ctx, q.Histogram, w)
	}
	return load, service, err
}
