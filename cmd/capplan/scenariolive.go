package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/traffic"
)

// A scenarioLive is a load and service times that a Prometheus server saw, in the
// place of those of a scenario. How days are folded, growth and all else stay the
// scenario's. A scenario itself names no server: it is read by packages that link
// no network. plan and check bind it to flags, and other commands read scenarios without it.
type scenarioLive struct {
	// Flags of plan or of check, into which these point.
	queries   *cmdline.TrafficQueries
	day, week **traffic.Level
	zone      *string
}

// flags binds the flags of the server and of how its days are folded; check has flags of the same
// names, which liveOf takes. The pointers are made here, since liveOf lets them point into flags
// that are there already.
func (l *scenarioLive) flags(s *cmdline.FlagSet) {
	l.queries, l.day, l.week, l.zone = &cmdline.TrafficQueries{}, new(*traffic.Level), new(*traffic.Level), new(string)
	l.queries.Flags(s)
	cmdline.Value(s, "day", l.day, "LEVEL",
		"fold the days of --rate-query into a typical one: a percentile over them such as p95, mean or max")
	cmdline.Value(s, "week", l.week, "LEVEL", "fold the weeks of --rate-query likewise")
	s.Text("zone", l.zone, "ZONE", "time zone in which days begin, such as Europe/Berlin (default UTC)")
	// A curve in the scenario says by itself how its days are folded.
	for _, f := range []string{"day", "week", "zone"} {
		s.Needs(f, "rate-query")
	}
}

// liveOf takes the flags of a load that stands for itself for that of a scenario.
func liveOf(f *trafficFile) *scenarioLive {
	return &scenarioLive{queries: &f.live, day: &f.Day, week: &f.Week, zone: &f.Zone}
}

// names lists the flags that say anything beside a scenario. check refuses all other flags beside a
// scenario.
func (l *scenarioLive) names() []string {
	return append(l.queries.Server.Names(), "rate-query", "service-query", "service-histogram", "day", "week", "zone")
}

// check checks the flags without a server. A level out of its domain, or folding without a record,
// is reported before the scenario is read. Errors: *ask.InputError.
func (l *scenarioLive) check() error {
	r := l.folding()
	if err := r.Check(); err != nil {
		return err
	}
	if l.queries.Rate == "" && (r.Day != nil || r.Week != nil || r.Zone != "") {
		field := "zone"
		if r.Day != nil {
			field = "day"
		} else if r.Week != nil {
			field = "week"
		}
		return &ask.InputError{Field: field, Reason: "only used with a record of traffic: want --rate-query QUERY with it"}
	}
	return nil
}

// folding is how the flags fold the record. Only these three have flags; columns and intervals
// belong to files.
func (l *scenarioLive) folding() records.Traffic {
	return records.Traffic{Day: *l.day, Week: *l.week, Zone: *l.zone}
}

// amend asks the server, and says what of the scenario gave way. It is the Amend of a
// planner.ScenarioReader: it runs when the scenario is decoded and before its fields are held to
// each other, so that the load from the server is checked like one of the file. said joins the
// warnings.
func (l *scenarioLive) amend(ctx context.Context, q *planner.PlanQuestion) (said []string, err error) {
	if !l.queries.Server.Given() {
		return nil, nil
	}
	given := ask.Value(q.Load)
	fold, field := l.folding(), func(err error) error { return err }
	// An error of the folding is one of the scenario where that says how.
	if fold.Day == nil && fold.Week == nil {
		fold.Day, fold.Week = given.Day, given.Week
		field = func(err error) error { return ask.In("load", err) }
	}
	// A zone of the command line goes before that of the scenario even where the folding is the
	// scenario's.
	fold.Zone = cmp.Or(fold.Zone, given.Zone)
	if err := fold.Check(); err != nil {
		return nil, ask.In("load", err)
	}
	zone, err := fold.Place()
	if err != nil {
		return nil, ask.In("load", err)
	}
	// Days begin in the zone, so that the window of the queries has to know it.
	record, service, err := l.queries.Read(ctx, zone)
	if err != nil {
		return nil, err
	}
	// What a file says and a server contradicts must not vanish unnoticed.
	gone := func(flag, name string, there bool) {
		if !there {
			return
		}
		if line := q.Line(name); line > 0 {
			name = fmt.Sprintf("%s (line %d)", name, line)
		}
		said = append(said, fmt.Sprintf("--%s replaces %s in the scenario", flag, name))
	}
	if record != nil {
		curve, err := fold.Curve(record, l.queries.Rate)
		if err != nil {
			return nil, field(err)
		}
		gone("rate-query", "load.rate", given.Rate != nil)
		gone("rate-query", "load.erlangs", given.Erlangs != nil)
		gone("rate-query", "load.curve", given.CurveFile != "")
		gone("rate-query", "load.log", given.LogFile != "")
		// A copy, since what the scenario gave is looked at again below.
		load := given
		load.Rate, load.Erlangs, load.CurveFile, load.LogFile = nil, nil, "", ""
		load.Columns, load.Interval, load.From, load.To = "", nil, nil, nil
		load.Day, load.Week, load.Zone, load.Curve = fold.Day, fold.Week, fold.Zone, curve
		q.Load = &load
	}
	// A service time of the server takes the place of all that the scenario says of it, but for an
	// SCV where the server knows only a mean.
	if service != nil {
		flag := "service-query"
		if l.queries.Histogram != "" {
			flag = "service-histogram"
		}
		v := ask.Value(q.Service)
		gone(flag, "service.time", v.Time != nil)
		gone(flag, "service.file", v.File != "")
		if record == nil && given.Rate != nil && given.Erlangs != nil { // both give a service time
			gone(flag, "load.erlangs", true)
			load := given
			load.Erlangs = nil
			q.Load = &load
		}
		if service.SCV != nil {
			gone(flag, "service.scv", v.SCV != nil)
			v.SCV = nil
		}
		v.Time, v.File, v.Measured = nil, "", service
		q.Service = &v
	}
	return said, nil
}
