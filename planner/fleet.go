package planner

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// A fleet is one certain load with the objectives it has to meet and what
// already serves beside the servers to be bought: what Size, Check and
// Capacity share.
type fleet struct {
	kind       ModelKind
	clock      bool
	objectives *Objectives
	limits     []limit
	scene      scenario
	pool       *Pool   // nil: none
	others     float64 // servers' worth of a public pool that enters by its mean
	worth      float64 // servers' worth of a public pool, however it enters
	widest     float64 // processors of the widest job; 0 where jobs need one
	model      queueing.Model
	log        *logLoad // set for the loss model of a log, model is then nil
	jobs       *logLoad // set for any log: restates figures per job
}

// newFleet builds the fleet of one scenario, or of the log.
func newFleet(t *Traffic, o *Objectives, kind ModelKind, pool *Pool, s scenario) (*fleet, error) {
	kind = o.choose(kind, t)
	limits, err := o.limits(kind, t, s.clock)
	if err != nil {
		return nil, err
	}
	f := &fleet{kind: kind, clock: s.clock, scene: s, objectives: o, limits: limits}
	if pool != nil {
		if f.pool, err = pool.counted(t, s); err != nil {
			return nil, err
		}
		if f.worth, err = pool.equivalent(0); err != nil {
			return nil, err
		}
	}
	if f.pool != nil && f.pool.Count == CountMean {
		f.others = f.worth
	}
	if t.Log == nil {
		f.model, err = t.beside(kind, s, f.pool)
		return f, err
	}
	f.jobs = newLogLoad(t.Log)
	if kind == Loss {
		if pool != nil {
			return nil, ask.Inputf("public", "a public pool beside a log of wide jobs needs the model wait: part of a server runs no wide job")
		}
		f.log = f.jobs
		return f, nil
	}
	f.widest = f.jobs.widest
	f.model = f.jobs.slots()
	return f, nil
}

// A need is what one objective asks for.
type need struct {
	limit
	servers, real float64
}

// solve returns the fewest servers that meet every objective, what each of
// them asks for, and the name of the one that binds.
func (f *fleet) solve(ctx context.Context) (servers, real float64, binding string, needs []need, err error) {
	for _, l := range f.limits {
		var r queueing.Requirement
		if f.log != nil {
			r, err = f.log.least(ctx, l.objective)
		} else {
			r, err = queueing.LeastBeside(f.model, l.objective, f.others)
		}
		if err != nil {
			return 0, 0, "", nil, ask.FromQueueing(l.name, err)
		}
		needs = append(needs, need{l, r.Servers, r.Real})
		if binding == "" || r.Servers > servers || r.Servers == servers && r.Real > real {
			servers, real, binding = r.Servers, r.Real, l.name
		}
	}
	if servers+f.others < f.widest {
		servers = math.Ceil(f.widest - f.others)
		real, binding = servers, "widest_job"
	}
	return servers, real, binding, needs, nil
}

// need returns the servers of speed 1 that a case asks for, a real number
// where the model has one: any fleet worth as much meets the objectives.
func (f *fleet) need(ctx context.Context) (servers float64, binding string, err error) {
	whole, real, binding, _, err := f.solve(ctx)
	if err != nil {
		return 0, "", err
	}
	if f.log != nil || math.IsNaN(real) {
		return whole, binding, nil
	}
	return real, binding, nil
}

// at returns the figures with the given number of bought servers.
func (f *fleet) at(ctx context.Context, servers float64) (queueing.Figures, error) {
	if f.log != nil {
		return f.log.at(ctx, servers)
	}
	g, err := f.model.At(f.others + servers)
	if err != nil {
		return g, err
	}
	return g, nil
}

// candidate presents a fleet of the given size.
func (f *fleet) candidate(ctx context.Context, servers float64) (Candidate, error) {
	c := Candidate{Servers: int64(servers)}
	g, err := f.at(ctx, servers)
	switch {
	case errors.Is(err, queueing.ErrUnstable):
		c.Unstable = true
		if f.model != nil {
			c.OfferedLoad = f.model.Floor()
		}
		return c, nil
	case err != nil:
		return c, ask.FromQueueing("servers", err)
	}
	c.Figures = present(g, f.kind, f.clock, f.objectives)
	c.Met = f.others+servers >= f.widest
	for _, l := range f.limits {
		c.Met = c.Met && l.objective.Met(g)
	}
	return c, nil
}

// without returns the fleet without the objective of a name, itself where it
// has none such.
func (f *fleet) without(name string) *fleet {
	out := *f
	out.limits = nil
	for _, l := range f.limits {
		if l.name != name {
			out.limits = append(out.limits, l)
		}
	}
	return &out
}

// wideJobs reports whether the load is a log, whose jobs may each hold several
// servers: no model of machines of several speeds knows such.
func (f *fleet) wideJobs() bool { return f.jobs != nil }

// wholeOnly reports whether part of a server serves nobody, as in the loss
// model of a log.
func (f *fleet) wholeOnly() bool { return f.log != nil }

// A Candidate is one fleet with its figures.
type Candidate struct {
	Servers  int64 `json:"servers"`
	Met      bool  `json:"met"`
	Unstable bool  `json:"unstable"` // fewer servers than erlangs: queues grow without end
	Figures
}

// An ObjectiveResult is one objective and how the answer stands to it.
type ObjectiveResult struct {
	Name        string   `json:"name"`
	Limit       float64  `json:"limit"`
	Value       *float64 `json:"value"`
	Met         bool     `json:"met"`
	Servers     int64    `json:"servers"`      // fewest for this one alone
	ServersReal *float64 `json:"servers_real"` // the same with a fractional server
}

func (f *fleet) results(needs []need, g queueing.Figures) []ObjectiveResult {
	var all []ObjectiveResult
	for _, n := range needs {
		r := ObjectiveResult{
			Name: n.name, Limit: n.objective.Limit,
			Value: ask.Figure(n.objective.Value(g)), Met: n.objective.Met(g),
			Servers: int64(n.servers), ServersReal: ask.Figure(n.real),
		}
		if n.name == "max_wait" {
			// Said the way it was asked: the share that waits no longer.
			r.Limit, r.Value = f.objectives.percentile(), ask.Figure(f.objectives.serviceLevel(g))
		}
		if f.log != nil {
			r.ServersReal = nil
		}
		all = append(all, r)
	}
	return all
}

// mostServers is the domain of the models of package queueing.
const mostServers = 1e12

// wholeServers checks a fleet size that somebody gave.
func wholeServers(servers int64) error {
	if servers < 0 || servers > mostServers {
		return ask.Inputf("servers", "%d is no fleet size, want 0 to 1e12", servers)
	}
	return nil
}
