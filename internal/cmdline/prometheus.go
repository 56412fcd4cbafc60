package cmdline

import (
	"context"
	"time"

	"github.com/capplan/capplan/internal/prometheus"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Prometheus holds the flags of a server that is asked for what files hold
// elsewhere. Credentials have no flag: all users of a machine see its command
// lines. A nil or empty field is one that was not given, whose default the client has.
type Prometheus struct {
	url, config, ending  string
	since, step, timeout *units.Duration
}

// Flags adds them; at least one of the flags queries must be given with them.
func (p *Prometheus) Flags(s *FlagSet, queries ...string) {
	s.Text("prometheus", &p.url, "URL", "address of the Prometheus server to ask, such as http://localhost:9090")
	Value(s, "since", &p.since, "TIME", "length of the record that --prometheus is asked for, up to now (default 14d)")
	s.Text("ending", &p.ending, "TIME", "time at which --since ends, such as 2026-11-22T15:00:00Z (default now)")
	Value(s, "step", &p.step, "TIME",
		"time between the values of --prometheus; each value stands for the step before it, so use the range of the "+
			"query's rate(...[5m]) (default 5min)")
	s.Text("prometheus-config", &p.config, "FILE",
		"file with credentials and certificates, in the form of Prometheus's own HTTP configuration; or set the "+
			"environment variables "+
			prometheus.ConfigVariable+", "+prometheus.TokenVariable+", or "+prometheus.UserVariable+" and "+
			prometheus.PasswordVariable)
	Value(s, "prometheus-timeout", &p.timeout, "TIME", "time limit of one answer of the server (default 30s)")
	// A server that is named and asked nothing is a mistake, and so is a query without one.
	s.Needs("prometheus", queries...)
	for _, q := range queries {
		s.Needs(q, "prometheus")
	}
	for _, f := range prometheusOptions {
		s.Needs(f, "prometheus")
	}
}

// prometheusOptions say how the server is asked.
var prometheusOptions = [...]string{"since", "ending", "step", "prometheus-config", "prometheus-timeout"}

// Names lists its flags.
func (p *Prometheus) Names() []string { return append([]string{"prometheus"}, prometheusOptions[:]...) }

// Given reports whether a server is named.
func (p *Prometheus) Given() bool { return p.url != "" }

// Dial returns a client of the server, to be closed, and what it is asked for. Times of the window
// are unix seconds. Errors: *ask.InputError of a flag; those of the credentials' file.
func (p *Prometheus) Dial(ctx context.Context) (*prometheus.Client, prometheus.Window, error) {
	// The moment is that of the first question: points of a sweep share it.
	w := prometheus.Window{End: float64(prometheus.Now(ctx).UnixMilli()) / 1000}
	for _, f := range []struct {
		name string
		from *units.Duration
		into *float64
	}{{"since", p.since, &w.Since}, {"step", p.step, &w.Step}} {
		if f.from == nil {
			continue
		}
		if *f.into = float64(*f.from); *f.into <= 0 {
			return nil, w, ask.Inputf(f.name, "is %s, want a time above 0 such as 5min", *f.from)
		}
	}
	if p.ending != "" {
		// A date alone is its beginning, in UTC.
		t, err := time.Parse(time.RFC3339, p.ending)
		if err != nil {
			if t, err = time.Parse(time.DateOnly, p.ending); err != nil {
				return nil, w, ask.Inputf("ending",
					"%s is not a time, want one such as 2026-11-22T15:00:00Z or 2026-11-22",
					spell.Quote(p.ending))
			}
		}
		w.End = float64(t.UnixMilli()) / 1000
	}
	a := &prometheus.Access{URL: p.url}
	if p.timeout != nil {
		if !(*p.timeout >= 0.001 && *p.timeout <= 3600) {
			return nil, w, ask.Inputf("prometheus_timeout", "is %s, want 1ms to 1h", *p.timeout)
		}
		a.Timeout = time.Duration(float64(*p.timeout) * float64(time.Second))
	}
	var err error
	if a.Credentials, err = prometheus.ReadCredentials(ctx, p.config); err != nil {
		return nil, w, err
	}
	c, err := prometheus.Dial(a)
	return c, w, err
}
