package records

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/traffic"
	"github.com/capplan/capplan/units"
)

// Traffic says how a record of traffic is read, and folded.
type Traffic struct {
	Columns   string         // ROLE=NAME, by commas, where the names do not tell; see [traffic.Roles]
	Day, Week *traffic.Level // of the days, or weeks, that stands for them all; nil: as it stands
	Zone      string         // in which its days begin; empty: as its times are written, else UTC
	Interval  *units.Duration
	Open      trace.OpenOptions
}

// TrafficForm is what a record of traffic looks like, for messages.
const TrafficForm = "CSV with a header such as time_s,rate_per_s or time,count"

// ServiceForm is what a file of service times looks like.
const ServiceForm = "results of vegeta, k6 or wrk, or CSV with a column of durations"

// Check looks at the options without a file.
func (t *Traffic) Check() error {
	_, err := t.options()
	if err == nil && t.Day != nil && t.Week != nil {
		return &ask.InputError{
			Field:  "week",
			With:   "day",
			Reason: "a record is folded into a day or a week",
			Want:   "day or week, not both",
		}
	}
	return err
}

// Place is the zone in which days begin, nil where none is given. Local is
// refused, which would give another answer on another machine.
func (t *Traffic) Place() (*time.Location, error) {
	if t.Zone == "" {
		return nil, nil
	}
	zone, err := time.LoadLocation(t.Zone)
	if err != nil || t.Zone == "Local" {
		return nil, ask.Inputf("zone", "%s is not a known time zone, want one such as Europe/Berlin or UTC",
			spell.Quote(t.Zone))
	}
	return zone, nil
}

// options are those of the reader, checked.
func (t *Traffic) options() (o traffic.Options, err error) {
	if t.Interval != nil {
		if *t.Interval <= 0 || float64(*t.Interval) > source.MaxSeconds {
			return o, &ask.InputError{Field: "interval", Reason: "want a time above 0 such as 5min"}
		}
		o.Interval = float64(*t.Interval)
	}
	if o.Columns, err = columnRoles(t.Columns); err != nil {
		return o, err
	}
	o.Zone, err = t.Place()
	return o, err
}

// Read reads a record of traffic. Its Service is what its durations say of the
// service, nil where it has none.
func (t *Traffic) Read(ctx context.Context, path string) (*traffic.Record, error) {
	o, err := t.options()
	if err != nil {
		return nil, err
	}
	src, err := source.Open(ctx, path, t.Open)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	return traffic.Read(ctx, src.Name, src, o)
}

// Curve is a record as it stands, or folded; from is where it comes from. A
// record of several days that is not folded gets a note, since sizing would take
// it for one long cycle.
func (t *Traffic) Curve(r *traffic.Record, from string) (*traffic.Curve, error) {
	var c *traffic.Curve
	var err error
	name := "day"
	switch {
	case r == nil:
		return nil, ask.NoQuestion()
	case t.Day != nil && t.Week != nil:
		return nil, t.Check()
	case t.Day != nil:
		c, err = r.Day(*t.Day)
	case t.Week != nil:
		name = "week"
		c, err = r.Week(*t.Week)
	default:
		c = r.Curve()
		if r.Dated && r.Days() > 2 {
			note := "%d days are used as one cycle, unfolded: day p95 or week p95 folds them"
			c.Notes = append(c.Notes, fmt.Sprintf(note, r.Days()))
		}
	}
	if err != nil {
		return nil, &ask.InputError{Field: name, Reason: from + ": " + err.Error()}
	}
	if n := len(c.Start); n > mostIntervals {
		return nil, ask.Inputf("load_curve", "%s: has %d intervals, want at most %d: fold its days into one, such as p95, "+
			"or count it in longer intervals", from, n, mostIntervals)
	}
	return c, nil
}

// mostIntervals are a year of minutes, sized in some 2 s and 350 MB.
const mostIntervals = 600_000

// columnRoles reads time=ts,count=hits. A role is one of [traffic.Roles]; a name
// that is nearly one is suggested.
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
			return ask.Inputf("columns", "%s, want a list such as time=ts,count=hits with the roles %s", reason,
				strings.Join(words, ", "))
		}
		switch {
		case !ok || name == "":
			return nil, fail(spell.Quote(part) + " names no column")
		case !strings.Contains(" "+strings.Join(words, " ")+" ", " "+role+" "):
			return nil, fail(spell.Quote(role) + " is not a role" + spell.Aside(role, words))
		case roles[traffic.Role(role)] != "":
			return nil, fail(spell.Quote(role) + " is named twice")
		}
		roles[traffic.Role(role)] = name
	}
	return roles, nil
}

// Serve puts the service law that durations show into a load that has no
// service time: their mean, and their SCV where none is given and the model has
// one. A note says where the figures come from. Nothing is put in where either is
// nil.
func Serve(t *sizing.Traffic, s *traffic.Service) {
	if t == nil || s == nil {
		return
	}
	t.ServiceTime = new(units.Point(units.Duration(s.Mean)))
	note := fmt.Sprintf("service time %s from %s", units.FormatDuration(s.Mean, 3), s.Source)
	if s.N > 0 {
		note += fmt.Sprintf(" (%d requests)", s.N)
	}
	// A model with patience takes exponential services and refuses an SCV.
	if s.SCV != nil && t.ServiceSCV == nil && t.Patience == nil {
		t.ServiceSCV, t.SCVMeasured = new(units.Number(*s.SCV)), true
		note += fmt.Sprintf(", SCV %s", units.FormatNumber(*s.SCV, 3))
	}
	for _, p := range s.Percentiles {
		if p.Low == nil && p.High == nil { // of a histogram they are ends of buckets
			note += fmt.Sprintf(", %s within %s", units.FormatFraction(p.Percentile, 3),
				units.FormatDuration(p.Value, 3))
		}
	}
	t.Notes = append(append(t.Notes, note), s.Notes...)
}
