package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// A trafficFile is a load that stands in a record of traffic, and service times
// that stand in one or in the results of a load test, or what a server saw of both.
type trafficFile struct {
	path      string
	columns   string
	day, week *traffic.Level
	zone      string
	interval  *units.Duration
	service   string
	live      trafficQueries
	rateOnly  bool // the service time is what is asked for: the file's durations are none of its answer
}

func (f *trafficFile) flags(s *cmdline.FlagSet) {
	s.Text("load-curve", &f.path, "FILE.csv", "with a header such as time_s,rate_per_s or time,count: a load over the day or many days")
	s.Text("columns", &f.columns, "ROLE=NAME,...", "of --load-curve where their names do not tell: time, date, count, rate, duration, as in time=ts,count=hits")
	cmdline.Value(s, "day", &f.day, "LEVEL", "fold the days of --load-curve or --rate-query into a typical one: a percentile over them such as p95, mean or max")
	cmdline.Value(s, "week", &f.week, "LEVEL", "fold their weeks likewise")
	s.Text("zone", &f.zone, "ZONE", "in which days begin, such as Europe/Berlin (default: as its times are written, else UTC)")
	cmdline.Value(s, "interval", &f.interval, "TIME", "in which --load-curve is counted where each of its rows is one request (default 1s to 5min)")
	f.live.flags(s)
	s.Text("service-file", &f.service, "FILE", "results of vegeta, k6 or wrk, or a CSV column of durations: their mean and SCV are the service time's")
}

// read puts what stands in the files, or what the server says, into the load. A
// service time that is given beside a file wins.
func (f *trafficFile) read(ctx context.Context, s *cmdline.Streams, t *sizing.Traffic) error {
	record, service, err := f.load(ctx, s)
	if err != nil {
		return err
	}
	if record != nil {
		if t.Curve, err = f.curve(record); err != nil {
			return err
		}
		if service == nil {
			service = record.Service
		}
	}
	if f.service != "" {
		read, err := readService(ctx, f.service, s)
		if err != nil {
			return err
		}
		service = read
	}
	if service == nil {
		return nil
	}
	if asked := f.asked(); asked != "" && t.ServiceTime != nil {
		return &ask.InputError{Field: asked, Reason: "the service time is given twice: leave --service-time or --" + asked + " out"}
	}
	if t.ServiceTime != nil || f.rateOnly && f.asked() == "" {
		return nil // the file's durations are not asked for
	}
	mean := units.Point(units.Duration(service.Mean))
	t.ServiceTime = &mean
	note := fmt.Sprintf("service time %s from %s", units.FormatDuration(service.Mean, 3), service.Source)
	if service.N > 0 {
		note += fmt.Sprintf(" (%d requests)", service.N)
	}
	if service.SCV != nil && t.ServiceSCV == nil && t.Patience == nil {
		scv := units.Number(*service.SCV)
		t.ServiceSCV = &scv
		note += fmt.Sprintf(", SCV %s", units.FormatNumber(*service.SCV, 3))
	}
	t.Notes = append(append(t.Notes, note), service.Notes...)
	return nil
}

// asked is the flag that asks for a service time; "" for none.
func (f *trafficFile) asked() string {
	switch {
	case f.service != "":
		return "service-file"
	case f.live.service != "":
		return "service-query"
	case f.live.histogram != "":
		return "service-histogram"
	}
	return ""
}

// load reads the file or asks the server; either result may be nil.
func (f *trafficFile) load(ctx context.Context, s *cmdline.Streams) (*traffic.Record, *traffic.Service, error) {
	ofFile := map[string]bool{
		"columns":  f.columns != "",
		"interval": f.interval != nil,
	}
	ofBoth := map[string]bool{
		"day":  f.day != nil,
		"week": f.week != nil,
		"zone": f.zone != "",
	}
	for _, o := range []struct {
		flags map[string]bool
		want  string
		there bool
	}{
		{ofFile, "--load-curve FILE.csv", f.path != ""},
		{ofBoth, "--load-curve FILE.csv or --rate-query QUERY", f.path != "" || f.live.rate != ""},
	} {
		for _, name := range slices.Sorted(maps.Keys(o.flags)) {
			if o.flags[name] && !o.there {
				return nil, nil, &ask.InputError{Field: name, Reason: "belongs to a record of traffic: want " + o.want + " with it"}
			}
		}
	}
	if f.path != "" && f.live.rate != "" {
		return nil, nil, &ask.InputError{Field: "rate-query", Reason: "the load is given more than once: leave --load-curve or --rate-query out"}
	}
	if f.service != "" && (f.live.service != "" || f.live.histogram != "") {
		return nil, nil, &ask.InputError{Field: "service-file", Reason: "the service time is given twice: in a file and by --prometheus"}
	}
	zone, err := f.place()
	if err != nil {
		return nil, nil, err
	}
	var record *traffic.Record
	var service *traffic.Service
	if f.live.server.Given() {
		if record, service, err = f.live.read(ctx, zone); err != nil {
			return nil, nil, err
		}
	}
	if f.path != "" {
		if record, err = f.record(ctx, s, zone); err != nil {
			return nil, nil, err
		}
	}
	return record, service, nil
}

// place is the zone in which days begin, nil where none is given.
func (f *trafficFile) place() (*time.Location, error) {
	if f.zone == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(f.zone)
	if err != nil || f.zone == "Local" {
		return nil, &ask.InputError{Field: "zone", Reason: spell.Quote(f.zone) + " is no time zone that is known here, want one such as Europe/Berlin or UTC"}
	}
	return zone, nil
}

// record reads the record of traffic; "-" is stdin.
func (f *trafficFile) record(ctx context.Context, s *cmdline.Streams, zone *time.Location) (*traffic.Record, error) {
	o := traffic.Options{Zone: zone}
	if f.interval != nil {
		if *f.interval <= 0 || float64(*f.interval) > source.MaxSeconds {
			return nil, &ask.InputError{Field: "interval", Reason: "want a time above 0 such as 5min"}
		}
		o.Interval = float64(*f.interval)
	}
	var err error
	if o.Columns, err = columnRoles(f.columns); err != nil {
		return nil, err
	}
	src, err := source.Open(ctx, f.path, source.OpenOptions{Stdin: s.In, Want: "CSV with a header such as time_s,rate_per_s or time,count", Wrap: s.Progress(f.path)})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return traffic.Read(ctx, src.Name, src, o)
}

// curve is the record as it stands, or folded.
func (f *trafficFile) curve(r *traffic.Record) (*traffic.Curve, error) {
	var c *traffic.Curve
	var err error
	name := "day"
	switch {
	case f.day != nil && f.week != nil:
		return nil, &ask.InputError{Field: "week", Reason: "want --day or --week, not both"}
	case f.day != nil:
		c, err = r.Day(*f.day)
	case f.week != nil:
		name = "week"
		c, err = r.Week(*f.week)
	default:
		c = r.Curve()
		if r.Dated && r.Days() > 2 {
			c.Notes = append(c.Notes, fmt.Sprintf("%d days are taken as one cycle, as they stand: --day p95 or --week p95 folds them", r.Days()))
		}
	}
	if err != nil {
		from := f.path
		if from == "" {
			from = f.live.rate
		}
		return nil, &ask.InputError{Field: name, Reason: from + ": " + err.Error()}
	}
	return c, nil
}

// columnRoles reads time=ts,count=hits.
func columnRoles(text string) (map[traffic.Role]string, error) {
	if text == "" {
		return nil, nil
	}
	roles := map[traffic.Role]string{}
	words := make([]string, len(traffic.Roles))
	for i, r := range traffic.Roles {
		words[i] = string(r)
	}
	for part := range strings.SplitSeq(text, ",") {
		role, name, ok := strings.Cut(part, "=")
		role = strings.TrimSpace(role)
		fail := func(reason string) error {
			return &ask.InputError{Field: "columns", Reason: reason + ", want such as time=ts,count=hits with the roles " + strings.Join(words, ", ")}
		}
		switch {
		case !ok || name == "":
			return nil, fail(spell.Quote(part) + " names no column")
		case !strings.Contains(" "+strings.Join(words, " ")+" ", " "+role+" "):
			near := ""
			if n := spell.Nearest(role, words); n != "" {
				near = " (did you mean " + n + "?)"
			}
			return nil, fail(spell.Quote(role) + " is no role" + near)
		case roles[traffic.Role(role)] != "":
			return nil, fail(spell.Quote(role) + " is named twice")
		}
		roles[traffic.Role(role)] = name
	}
	return roles, nil
}

// readService reads service times; "-" is stdin.
func readService(ctx context.Context, path string, s *cmdline.Streams) (*traffic.Service, error) {
	return cmdline.Read(ctx, s, path, "results of vegeta, k6 or wrk, or CSV with a column of durations", traffic.ReadService)
}
