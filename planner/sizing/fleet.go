package sizing

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
)

// A Fleet is one certain load with the objectives it has to meet and what
// already serves beside the servers to be bought: what Size, Check and
// Capacity share.
type Fleet struct {
	Kind       ModelKind
	Clock      bool // whether times have a unit: that of the service time
	Objectives *Objectives
	Limits     []Limit // those of the objectives that the model has
	Load       Load
	// Model answers by the number of servers and holds the load already. It is
	// nil for the loss model of a log, whose processors come whole and whose
	// recursion is kept in log.
	Model queueing.Model

	pool   *Pool    // nil: none
	others float64  // servers' worth of a pool that enters by its mean, to which those bought are added
	worth  float64  // servers' worth of a pool, however it enters
	widest float64  // processors of the widest job; 0 where jobs need one
	log    *logLoad // set for the loss model of a log
	jobs   *logLoad // set for any log: restates figures per job
	notes  []string // on the files that the load stands in
}

// NewFleet builds the fleet of one load, or of the log of the traffic. kind may
// be empty: the objectives then choose. s is the load unless the traffic has a
// log, which holds its own. Errors: *ask.InputError.
func NewFleet(t *Traffic, o *Objectives, kind ModelKind, pool *Pool, s Load) (*Fleet, error) {
	if t == nil || o == nil {
		return nil, ask.NoQuestion()
	}
	kind = o.choose(kind, t)
	counted := pool
	if pool != nil {
		var err error
		if counted, err = pool.counted(t, s); err != nil {
			return nil, err
		}
	}
	// The limits are made with the pool as it is counted, since that decides
	// which figures the model has.
	limits, err := o.limits(kind, t, s.Clock, counted)
	if err != nil {
		return nil, err
	}
	f := &Fleet{Kind: kind, Clock: s.Clock, Load: s, Objectives: o, Limits: limits, notes: t.Notes}
	if t.Curve != nil {
		f.notes = slices.Concat(t.Notes, t.Curve.Notes)
	}
	if pool != nil {
		f.pool = counted
		if f.worth, err = pool.equivalent(0); err != nil {
			return nil, err
		}
	}
	if f.pool != nil && f.pool.Count == CountMean {
		f.others = f.worth
	}
	if t.Log == nil {
		f.Model, err = t.beside(kind, s, f.pool)
		return f, err
	}
	f.jobs = newLogLoad(t.Log)
	if kind == Loss {
		// In the loss model a job holds whole processors at once, and the mean of
		// a pool is a fraction of one.
		if pool != nil {
			return nil, ask.Inputf("public",
				"a public pool beside a log of wide jobs needs the model wait: a fraction of a server cannot run a "+
					"wide job")
		}
		f.log = f.jobs
		return f, nil
	}
	f.widest = f.jobs.widest
	f.Model = f.jobs.slots()
	return f, nil
}

// A Need is what one objective asks for. That of the objective that binds is the
// size; the others tell how much slack they have.
type Need struct {
	Limit
	Servers float64 // the fewest, whole
	Real    float64 // with a part of a server; NaN where the model has none
}

// Solve returns the fewest servers that meet every objective, what each objective asks for, and the
// name of the one that binds, empty if no servers are needed at all. If real is computed, needs
// include a fraction of a server, which distinguishes objectives with the same whole number.
func (f *Fleet) Solve(ctx context.Context) (servers, real float64, binding string, needs []Need, err error) {
	return f.solve(ctx, nil)
}

// solve is [Fleet.Solve] with a guess of what each limit asks for; NaN: no guess for it, nil: none
// at all.
func (f *Fleet) solve(ctx context.Context, expected []float64) (
	servers, real float64, binding string, needs []Need, err error) {
	ctx = given.Context(ctx)
	// All objectives get better with more servers, so that the fewest that meet
	// all are the most that any one asks for.
	model := queueing.Remembering(f.Model)
	for i, l := range f.Limits {
		var r queueing.Requirement
		if f.log != nil {
			r, err = f.log.least(ctx, l.Objective)
		} else if f.wholeOnly(l) {
			a := f.Load.Offered()
			near := min(math.Ceil(a+2*math.Sqrt(a)), queueing.MaxServers) // beyond it the load is refused
			r, err = queueing.LeastNear(model, l.Objective, f.others, near)
		} else if expected != nil {
			r, err = queueing.RealNear(model, l.Objective, f.others, expected[i])
		} else {
			r, err = queueing.LeastBeside(model, l.Objective, f.others)
		}
		if err != nil {
			return 0, 0, "", nil, ask.FromQueueing(l.Name, err)
		}
		needs = append(needs, Need{l, r.Servers, r.Real})
		if binding == "" || r.Servers > servers || r.Servers == servers && r.Real > real {
			servers, real, binding = r.Servers, r.Real, l.Name
		}
	}
	// A job that needs more processors than the objectives ask for cannot run at
	// all: the widest is a limit of its own.
	if servers+f.others < f.widest {
		servers = math.Ceil(f.widest - f.others)
		real, binding = servers, "widest_job"
	}
	if servers == 0 {
		binding = "" // no fleet has fewer, whatever is asked for
	}
	return servers, real, binding, needs, nil
}

// near returns what [Fleet.Solve] does, where about guess servers are expected; it is quicker the
// better the guess. An interval of a curve is like the one before, and a guess saves most of the search.
func (f *Fleet) near(ctx context.Context, guess float64) (servers float64, binding string, err error) {
	solved := func() (float64, string, error) {
		servers, _, binding, _, err := f.Solve(ctx)
		return servers, binding, err
	}
	if f.log != nil || len(f.Limits) == 0 || math.IsNaN(guess) {
		return solved()
	}
	model := f.Model
	if len(f.Limits) > 1 {
		model = queueing.Remembering(model)
	}
	for _, l := range f.Limits {
		r, err := queueing.LeastNear(model, l.Objective, f.others, guess)
		if err != nil {
			return 0, "", ask.FromQueueing(l.Name, err)
		}
		// Of two limits that ask for as many servers that binds which asks for a greater part of the last one.
		if binding != "" && r.Servers == servers && !f.wholeOnly(l) {
			return solved()
		}
		if binding == "" || r.Servers > servers {
			servers, binding = r.Servers, l.Name
		}
	}
	if servers+f.others < f.widest {
		return math.Ceil(f.widest - f.others), "widest_job", nil
	}
	if servers == 0 {
		binding = ""
	}
	return servers, binding, nil
}

// wholeOnly reports whether what a limit asks for is known in whole servers alone. Part of a server means
// nothing to the law of responses, and near saturation, where the search for it begins, that law is dear.
func (f *Fleet) wholeOnly(l Limit) bool {
	return f.Kind == Sharing && l.Objective.Metric == queueing.ResponseShare
}

// keeps reports whether so many servers keep the only limit of a fleet.
func (f *Fleet) keeps(servers float64) bool {
	g, err := f.Model.At(f.others + servers)
	return err == nil && f.Limits[0].Objective.Met(g) // without a steady state none is kept
}

// Need returns the servers of speed 1 that a case asks for, a real number
// where the model has one: any fleet worth as much meets the objectives. Machines
// of several speeds are counted by their worth, for which a whole number would be
// too coarse.
func (f *Fleet) Need(ctx context.Context) (servers float64, binding string, err error) {
	return f.need(ctx, nil)
}

// TooSlow reports whether the service alone takes longer than a limit on responses allows, so that no
// number of servers is enough.
func (f *Fleet) TooSlow(ctx context.Context) bool {
	for i := range f.Limits {
		switch o := &f.Limits[i].Objective; o.Metric {
		case queueing.MeanResponse:
			if o.Limit <= f.Load.Service {
				return true
			}
		case queueing.ResponseShare:
			// Any number with a steady state tells the law of the services.
			g, err := f.At(ctx, math.Ceil(2*f.Load.Offered()+1))
			if err == nil && o.Limit <= o.Infimum(g) {
				return true
			}
		}
	}
	return false
}

// need is [Fleet.Need] with guesses as in solve.
func (f *Fleet) need(ctx context.Context, expected []float64) (servers float64, binding string, err error) {
	whole, real, binding, _, err := f.solve(ctx, expected)
	if err != nil {
		return 0, "", err
	}
	// Where the model knows whole processors only, the whole number stands.
	if f.log != nil || math.IsNaN(real) {
		return whole, binding, nil
	}
	return real, binding, nil
}

// At returns the figures with the given number of bought servers. Those of the
// pool are added here and nowhere else, so that callers count what they buy.
func (f *Fleet) At(ctx context.Context, servers float64) (queueing.Figures, error) {
	ctx = given.Context(ctx)
	if f.log != nil {
		return f.log.at(ctx, servers)
	}
	if f.Model == nil {
		return queueing.Figures{}, ask.Missing("model", "a fleet that a question has made")
	}
	return f.Model.At(f.others + servers)
}

// candidate presents a fleet of the given size. One without a steady state is no
// error but a candidate that fails, with its load as the only figure.
func (f *Fleet) candidate(ctx context.Context, servers float64) (Candidate, error) {
	c := Candidate{Servers: int64(servers)}
	g, err := f.At(ctx, servers)
	switch {
	case errors.Is(err, queueing.ErrUnstable):
		c.Unstable = true
		// The floor of a model is the load that its servers must exceed.
		if f.Model != nil {
			c.OfferedLoad = f.Model.Floor()
		}
		return c, nil
	case err != nil:
		return c, ask.FromQueueing("servers", err)
	}
	c.Figures = FiguresOf(g, f.Kind, f.Clock, f.Objectives)
	c.Met = f.others+servers >= f.widest && f.MetBy(g)
	return c, nil
}

// MetBy reports whether figures keep to all limits.
func (f *Fleet) MetBy(g queueing.Figures) bool {
	for i := range f.Limits {
		if !f.Limits[i].Objective.Met(g) {
			return false
		}
	}
	return true
}

// Without returns the fleet without the objective of a name, or the fleet itself if it has no such
// objective. Two fleets can then be compared by what one objective costs.
func (f *Fleet) Without(name string) *Fleet {
	out := *f
	out.Limits = nil
	for _, l := range f.Limits {
		if l.Name != name {
			out.Limits = append(out.Limits, l)
		}
	}
	return &out
}

// WideJobs reports whether the load is a log, whose jobs may each hold several
// servers: no model of machines of several speeds knows such.
func (f *Fleet) WideJobs() bool { return f.jobs != nil }

// WholeOnly reports whether part of a server serves nobody, as in the loss
// model of a log. Machines of several speeds cannot be counted by their worth
// then.
func (f *Fleet) WholeOnly() bool { return f.log != nil }

// A Candidate is one fleet with its figures.
type Candidate struct {
	Servers  int64 `json:"servers"`
	Met      bool  `json:"met"`
	Unstable bool  `json:"unstable"` // fewer servers than erlangs: queues grow without end
	Figures
}

// An ObjectiveResult is one objective and how the answer stands to it.
type ObjectiveResult struct {
	Name  string  `json:"name"`
	Limit float64 `json:"limit"`
	// Value is the figure that the objective limits.
	Value *float64 `json:"value"`
	Met   bool     `json:"met"`
	// Servers are given for each objective, so that a reader sees which one is expensive.
	Servers     int64    `json:"servers"`      // fewest for this one alone
	ServersReal *float64 `json:"servers_real"` // the same with a fractional server
	// Within is the time of a limit on responses: the share Value is served
	// within it, and Limit is asked for.
	Within *float64 `json:"within_s,omitempty"`
}

// Wanted lists what each need asks for, not met and without a value: no more is known of a fleet
// without a steady state.
func (f *Fleet) Wanted(needs []Need) []ObjectiveResult {
	var all []ObjectiveResult
	for _, n := range needs {
		r := ObjectiveResult{
			Name: n.Name, Limit: n.Objective.Limit,
			Servers: int64(n.Servers), ServersReal: ask.Figure(n.Real),
		}
		// The limit is told as it was asked for, as the share in time. The model counts those who
		// are late, which keeps digits where hardly anybody is.
		if n.Name == "max_wait" {
			r.Limit = f.Objectives.PercentileOrDefault()
		}
		if n.Objective.Metric == queueing.ResponseShare {
			r.Limit, r.Within = 1-n.Objective.Limit, ask.Figure(n.Objective.Wait)
		}
		if f.log != nil {
			r.ServersReal = nil
		}
		all = append(all, r)
	}
	return all
}

// Results says of each need how the figures stand to it. The needs come from
// [Fleet.Solve] and the figures from any fleet, so that a check can show a
// smaller one against the same limits.
func (f *Fleet) Results(needs []Need, g queueing.Figures) []ObjectiveResult {
	all := f.Wanted(needs)
	for i, n := range needs {
		value := n.Objective.Value(g)
		switch {
		case n.Name == "max_wait":
			value = f.Objectives.serviceLevel(g)
		case n.Objective.Metric == queueing.ResponseShare:
			value = 1 - value
		}
		all[i].Value, all[i].Met = ask.Figure(value), n.Objective.Met(g)
	}
	return all
}

// mostServers is the domain of the models of package queueing. Beyond 1e12
// neighbouring floats of n − a lie too far apart for the formulas.
const mostServers = 1e12

// wholeServers checks a fleet size that somebody gave.
func wholeServers(servers int64) error {
	if servers < 0 || servers > mostServers {
		return ask.Inputf("servers", "%d is not a fleet size, want 0 to 1e12", servers)
	}
	return nil
}
