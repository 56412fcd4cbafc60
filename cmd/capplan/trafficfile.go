package main

import (
	"cmp"
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
)

// A trafficFile is a load that stands in a record of traffic, and service times
// that stand in one or in the results of a load test, or what a server saw of both. size, check,
// shifts, capacity and simulate station take loads by it.
type trafficFile struct {
	records.Traffic
	set *cmdline.FlagSet
	// path is a record of arrivals, service one of durations; empty: there is none.
	path     string
	service  string
	live     cmdline.TrafficQueries
	rateOnly bool // the service time is what is asked for: the file's durations are none of its answer
}

// flags binds a record of arrivals, how its days are folded, and a record of durations; a server
// that is asked takes the place of either.
func (f *trafficFile) flags(s *cmdline.FlagSet) {
	f.set = s
	s.Text("load-curve",
		&f.path, "FILE.csv", "load over one day or many: a CSV with a header such as time_s,rate_per_s or time,count")
	s.Text("columns", &f.Columns, "ROLE=NAME,...",
		"roles of the columns of --load-curve, if their names do not tell: time, date, count, rate, duration, such "+
			"as time=ts,count=hits")
	cmdline.Value(s, "day", &f.Day, "LEVEL",
		"fold the days of --load-curve or --rate-query into a typical one: a percentile over them such as p95, mean "+
			"or max")
	cmdline.Value(s, "week", &f.Week, "LEVEL", "fold the weeks of --load-curve or --rate-query likewise")
	s.Text("zone",
		&f.Zone, "ZONE", "time zone in which days begin, such as Europe/Berlin (default: as the times are written, "+
			"else UTC)")
	cmdline.Value(s, "interval", &f.Interval,
		"TIME", "interval in which --load-curve is counted, if each of its rows is one request (default 1s to 5min)")
	f.live.Flags(s)
	s.Text("service-file", &f.service,
		"FILE", "measured service times, whose mean and SCV are used: results of vegeta, k6 or wrk, or a CSV column "+
			"of durations")
}

// read puts what stands in the files, or what the server says, into the load. A
// service time that is given beside a file wins. Errors: *ask.InputError where two sources say the
// same; *source.FileError of a file.
func (f *trafficFile) read(ctx context.Context, s *cmdline.Streams, t *sizing.Traffic) error {
	record, service, err := f.load(ctx, s)
	if err != nil {
		return err
	}
	if record != nil {
		if t.Curve, err = f.Curve(record, cmp.Or(f.path, f.live.Rate)); err != nil {
			return err
		}
		// A record of requests may hold their durations too; what was asked for by name goes before
		// them.
		service = cmp.Or(service, record.Service)
	}
	if f.service != "" {
		read, err := cmdline.Read(ctx, s, f.service, records.ServiceForm, traffic.ReadService)
		if err != nil {
			return err
		}
		service = read
	}
	if service == nil {
		return nil
	}
	// A file that was named for its times and a number contradict each other; durations that a load
	// curve happens to hold give way in silence.
	if asked := f.asked(); asked != "" && t.ServiceTime != nil {
		return ask.Inputf(asked, "the service time is given twice: leave --service-time or --%s out", asked)
	}
	if t.ServiceTime != nil || f.rateOnly && f.asked() == "" {
		return nil // the file's durations are not asked for
	}
	records.Serve(t, service)
	return nil
}

// asked is the flag that asks for a service time; "" for none. The names are those of the flags,
// for messages.
func (f *trafficFile) asked() string {
	switch {
	case f.service != "":
		return "service-file"
	case f.live.Service != "":
		return "service-query"
	case f.live.Histogram != "":
		return "service-histogram"
	}
	return ""
}

// load reads the file or asks the server; either result may be nil.
func (f *trafficFile) load(ctx context.Context, s *cmdline.Streams) (*traffic.Record, *traffic.Service, error) {
	if f.path == "" {
		// These say how a table is read and mean nothing of a server.
		if err := f.set.Misplaced("only used with a record of traffic: want --load-curve FILE.csv with it",
			"columns", "interval"); err != nil {
			return nil, nil, err
		}
	}
	if f.path == "" && f.live.Rate == "" {
		// These say how days are folded, and a record of either kind has days.
		if err := f.set.Misplaced(
			"only used with a record of traffic: want --load-curve FILE.csv or --rate-query QUERY with it",
			"day", "week", "zone"); err != nil {
			return nil, nil, err
		}
	}
	if f.path != "" && f.live.Rate != "" {
		return nil, nil, &ask.InputError{Field: "rate-query",
			Reason: "the load is given more than once: leave --load-curve or --rate-query out"}
	}
	if f.service != "" && (f.live.Service != "" || f.live.Histogram != "") {
		return nil, nil, ask.Inputf("service-file", "the service time is given twice: in a file and by --prometheus")
	}
	// A time zone that does not exist is reported before a server is asked.
	zone, err := f.Place()
	if err != nil {
		return nil, nil, err
	}
	var record *traffic.Record
	var service *traffic.Service
	if f.live.Server.Given() {
		if record, service, err = f.live.Read(ctx, zone); err != nil {
			return nil, nil, err
		}
	}
	if f.path != "" {
		f.Open = source.OpenOptions{Stdin: s.In, Want: records.TrafficForm, Wrap: s.Progress(f.path)}
		if record, err = f.Traffic.Read(ctx, f.path); err != nil {
			return nil, nil, err
		}
	}
	return record, service, nil
}
