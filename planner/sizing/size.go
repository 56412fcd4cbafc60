package sizing

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// A SizeQuestion asks for the fewest servers that meet all objectives under a
// load.
type SizeQuestion struct {
	Traffic
	Objectives
	Model ModelKind `json:"model,omitempty"`
	// Pool, if set, stands beside the dedicated servers that are asked for.
	Pool *Pool `json:"pool,omitempty"`
	// Headroom, if set, is what the fleet may lose and still meet them.
	Headroom *Headroom `json:"headroom,omitempty"`
	// Staffing chooses, for a load curve, the method that the answer takes;
	// empty: mol.
	Staffing StaffingMethod `json:"staffing,omitempty"`
	// Samples and Seed drive the draws where the load is a range; 0 samples
	// are 10,000.
	Samples int    `json:"samples,omitempty"`
	Seed    uint64 `json:"seed,omitempty"`
	// ServerCost and ShortfallCost, both given, choose the fleet of least
	// regret: the cost of a server too many and of a server too few, in one
	// currency, both per time or neither.
	ServerCost    units.Cost `json:"server_cost,omitzero"`
	ShortfallCost units.Cost `json:"shortfall_cost,omitzero"`
	// Explain asks for the formulas with the numbers put in.
	Explain bool `json:"explain,omitempty"`
	// Simulate asks for the same figures by simulation, of a log by replaying it.
	Simulate *simulate.Question `json:"simulate,omitempty"`
	Replay   ReplayQuestion     `json:"replay,omitzero"`
}

// A SizeAnswer is the least fleet and its figures. Servers is the whole fleet:
// with a headroom more than the objectives need, beside a pool those to be
// bought.
type SizeAnswer struct {
	Servers int64 `json:"servers"`
	// the same target met with a fractional number, null where the model has none
	ServersReal *float64  `json:"servers_real"`
	Binding     string    `json:"binding"` // the objective that asks for the most servers, empty where none are needed
	Model       ModelKind `json:"model"`
	Figures
	Objectives   []ObjectiveResult `json:"objectives"`
	Alternatives []Candidate       `json:"alternatives"` // one server fewer, one more
	// SquareRootBeta is β in servers = a + β√a.
	//
	// It says how tight a fleet is, whatever its size: near 0 nearly all wait, at
	// 2 hardly any. Null without a load.
	SquareRootBeta *float64 `json:"square_root_beta"`

	// The three are set beside a pool, and equivalent counts all in servers of
	// speed 1.
	DedicatedServers  *int64   `json:"dedicated_servers,omitempty"`
	PublicServers     *float64 `json:"public_servers,omitempty"`
	EquivalentServers *float64 `json:"equivalent_servers,omitempty"`
	// PublicCount says how the public machines entered.
	PublicCount PublicCount `json:"public_count,omitempty"`

	Headroom    *HeadroomAnswer  `json:"headroom,omitempty"`
	Uncertainty *Uncertainty     `json:"uncertainty,omitempty"`
	Recommended *Recommended     `json:"recommended,omitempty"` // where the load is a range
	Staffing    *Staffing        `json:"staffing,omitempty"`
	Log         *LogFigures      `json:"log,omitempty"`
	Replay      *Replay          `json:"replay,omitempty"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`

	Simulation *simulate.Simulation `json:"simulation,omitempty"`

	asked *SizeQuestion // for the plots
}

// Size returns the fewest servers. It computes that they meet every objective and that one fewer
// does not. Errors: *ask.InputError, *ask.InfeasibleError, and that of the context.
func Size(ctx context.Context, q *SizeQuestion) (*SizeAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	// The growth comes first, so that all of the answer is about the load that is
	// meant.
	q, err := q.prepared()
	if err != nil {
		return nil, err
	}
	// The law of a wait can take seconds, without a look at ctx.
	a, err := parallel.Await(ctx, func() (*SizeAnswer, error) { return sizeClosed(ctx, q) })
	if err != nil || q.Simulate == nil {
		// A simulation costs seconds where the formulas take milliseconds, and so
		// it runs only where it was asked for.
		return a, err
	}
	if q.Log == nil {
		a.Simulation, err = q.simulated(ctx, a.Model, a.Servers, &a.Figures, a.Staffing)
	} else {
		a.Replay, a.Simulation, err = q.replayed(ctx, a.Model, a.Servers, a.Figures.Closed())
		// The search starts at the fleet of the model, which is mostly near.
		if err == nil && q.Replay.Search {
			if a.Replay, a.Simulation, err = q.search(ctx, a.Model, a.Replay); err == nil {
				ask.Warn(&a.Warnings,
					"the figures and alternatives of the model are for %d processors; the replay is for %d",
					a.Servers, *a.Replay.Least)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	a.Warnings = append(a.Warnings, a.Simulation.Warnings(a.Method)...)
	return a, nil
}

// prepared returns the question with the growth of its load put in. The caller's
// question is not changed.
func (q *SizeQuestion) prepared() (*SizeQuestion, error) {
	if err := q.Headroom.Check(); err != nil {
		return nil, err
	}
	if q.Growth == nil {
		return q, nil
	}
	out := *q
	var err error
	out.Traffic, err = q.Grown()
	return &out, err
}

// staffed refuses a method of staffing without a load over time.
func (q *SizeQuestion) staffed() error {
	if q.Staffing != "" && q.Curve == nil {
		return ask.Inputf("staffing", "a staffing method is only used with {load_curve}")
	}
	return nil
}

// sizeClosed answers without simulating. Ranges are answered by their most likely
// values first; the draws then say how sure that is.
func sizeClosed(ctx context.Context, q *SizeQuestion) (*SizeAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	if err := q.given(); err != nil {
		return nil, err
	}
	if err := q.staffed(); err != nil {
		return nil, err
	}
	if q.costed() && !q.Uncertain() {
		return nil, ask.Inputf("server_cost",
			"costs choose among fleets if the load is a range, such as {load} 80..130")
	}
	if q.Curve != nil {
		return sizeCurve(ctx, q)
	}
	f, err := q.fleet()
	if err != nil {
		return nil, err
	}
	a, err := f.sizeFrom(ctx, q.Explain, q.Headroom)
	if err != nil {
		return nil, err
	}
	if q.Pool != nil {
		if err := a.beside(f.pool); err != nil {
			return nil, err
		}
	}
	a.asked = new(*q)
	if q.Uncertain() {
		if a.Uncertainty, err = uncertainty(ctx, q, a.Servers); err != nil {
			return nil, err
		}
		a.Recommended = a.Uncertainty.recommended()
		a.explainRecommended()
	}
	return a, nil
}

// fleet returns the nominal case of the question. A log holds its own load, and
// its Load says only that times have a unit.
func (q *SizeQuestion) fleet() (*Fleet, error) {
	s := Load{Clock: true}
	if q.Log == nil {
		s = q.Nominal()
	}
	return q.fleetOf(s)
}

// sizeFrom answers for one certain load.
func (f *Fleet) sizeFrom(ctx context.Context, explain bool, room *Headroom) (*SizeAnswer, error) {
	needed, real, binding, needs, err := f.Solve(ctx)
	if err != nil {
		return nil, err
	}
	// What is bought covers the need after the worst loss.
	servers := room.Covers(needed)
	g, err := f.At(ctx, servers)
	if err != nil {
		return nil, ask.FromQueueing(cmp.Or(binding, "servers"), err)
	}
	a := &SizeAnswer{
		Servers: int64(servers), ServersReal: ask.Figure(real), Binding: binding, Model: f.Kind,
		Figures: FiguresOf(g, f.Kind, f.Clock, f.Objectives), Objectives: f.Results(needs, g),
	}
	if f.log != nil {
		a.ServersReal = nil
	}
	if room != nil {
		a.Headroom = room.answer(needed, servers)
	}
	if f.jobs != nil {
		a.Log = f.jobs.figures(servers, f.log != nil)
	}
	// With a pool the servers that count are those bought and what the pool is
	// worth.
	if load := g.OfferedLoad; load > 0 {
		a.SquareRootBeta = ask.Figure((servers + f.worth - load) / math.Sqrt(load))
	}
	a.Warnings = f.Warnings(g)
	if w := approximationDecides(binding, a.Approximation); w != "" {
		a.Warnings = append(a.Warnings, w)
	}
	if explain {
		a.Explanation = f.Explain(g)
		f.explainLeast(a.Explanation, a, needed)
	}
	// One fewer shows that the fleet is the least, and one more what the next
	// server would bring.
	for _, n := range []float64{servers - 1, servers + 1} {
		if n < 0 || n+f.others > mostServers {
			continue
		}
		c, err := f.candidate(ctx, n)
		if err != nil {
			return nil, err
		}
		// With a headroom the limits are met by what is left, not by what stands
		// there.
		c.Met = c.Met && (room == nil || room.Left(n) >= needed)
		a.Alternatives = append(a.Alternatives, c)
	}
	return a, nil
}

// Warnings collects what the reader of an answer ought to know. The warnings of the model come
// first, then those of the fleet, and those of the files at the end.
func (f *Fleet) Warnings(g queueing.Figures) []string {
	var all []string
	if w := g.Warning(); w != nil {
		all = append(all, w.String())
	}
	// With servers that come and go the queue can be unstable at times and stable
	// on the whole; waits then depend on how long outages last, which nobody
	// gave.
	if f.pool != nil && f.Kind == Wait && math.IsInf(g.MeanWait, 1) {
		all = append(all,
			"at times fewer machines are up than the load needs, and the queue then grows until they come back: the "+
				"mean wait depends on how long that lasts and is not given")
	}
	if f.Objectives.mayDriveAway(f.Kind) {
		all = append(all,
			fmt.Sprintf("no objective limits how many may give up, and the more give up, the shorter the others "+
				"wait: at most %s is allowed; an objective max-abandon sets another limit",
				units.FormatFraction(DefaultAbandon, 3)))
	}
	if f.Kind == Abandon && g.Abandonment > f.unwarnedAbandonment() {
		all = append(all, units.FormatFraction(g.Abandonment, 3)+
			" of the arrivals give up: only because they leave are the waits of the others short; an objective "+
			"max-abandon limits their share")
	}
	if f.jobs != nil {
		// Between 0.5 and 2 the gaps are near enough to Poisson that blocking is
		// hardly touched.
		if scv := f.jobs.summary.InterarrivalSCV; f.Kind == Loss && (scv < 0.5 || scv > 2) {
			all = append(all, fmt.Sprintf(
				"the log's gaps have a squared coefficient of variation of %.3g and the loss model assumes Poisson "+
					"arrivals (1): bursts lose more than this answer says; choose a busy window of the log",
				scv,
			))
		}
		if f.Kind == Loss && g.Servers < f.jobs.widest {
			all = append(all, fmt.Sprintf("jobs of more than %v processors are always lost", g.Servers))
		}
		if f.Kind == Wait {
			all = append(all,
				"first come, first served keeps processors idle while a wide job gathers them; the slot model "+
					"leaves this out, so waits are longer if jobs are wide compared with the fleet")
		}
		all = append(all, f.jobs.summary.Warnings...)
	}
	return append(all, f.notes...)
}

// unwarnedAbandonment returns the share that may give up without a warning: what the objectives
// allow, else what the percentile leaves over. A limit that was given is kept and is no surprise.
func (f *Fleet) unwarnedAbandonment() float64 {
	if f.Objectives.MaxAbandon != nil {
		return 1
	}
	return 1 - f.Objectives.PercentileOrDefault()
}

// beside restates the answer as dedicated servers beside a pool. Objectives bind
// the dedicated servers, whose number is the answer; the pool was given.
func (a *SizeAnswer) beside(p *Pool) error {
	n, err := p.equivalent(float64(a.Servers))
	if err != nil {
		return err
	}
	a.DedicatedServers, a.PublicServers, a.EquivalentServers = new(a.Servers), ask.Figure(p.Machines), ask.Figure(n)
	a.PublicCount = p.Count
	if a.Servers == 0 {
		a.Warnings = append(a.Warnings, "the public pool alone meets the objectives: no dedicated server is needed")
	}
	return nil
}
