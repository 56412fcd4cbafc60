package leases

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing/routing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/lease"
	"github.com/capplan/capplan/units"
)

// A Question asks what leases come to under a policy. Leases are those of
// InterGrid section 2: requests for nodes for a time, some of which local
// requests may preempt.
type Question struct {
	File   File   `json:"file"`
	Policy string `json:"policy,omitempty"` // see [Policies]; empty: pap-rtdp
	// Sequence of rr, lrf and bcf: random or deterministic; empty: as the paper has
	// it, rr deterministic and the others random.
	Sequence string `json:"sequence,omitempty"`
	// Victim is the lease of a type that is preempted first: fewest (nodes that are
	// enough; also where it is empty), youngest or oldest.
	Victim string `json:"victim,omitempty"`
	// SplitAsPrinted has pap split by eq. 16 of InterGrid as printed.
	SplitAsPrinted bool    `json:"split_as_printed,omitempty"`
	Seed           uint64  `json:"seed"`
	Replications   int     `json:"replications,omitempty"` // 0: 10, or as many as Precision asks for
	Horizon        float64 `json:"horizon_s,omitempty"`    // 0: two days
	Precision      float64 `json:"precision,omitempty"`    // relative, of the preempted VMs, utilization and response
	Explain        bool    `json:"explain,omitempty"`
	// Timing fills in EventsPerS; the same seed then has other bytes each time.
	Timing bool `json:"timing,omitempty"`

	// Progress is called after each replication.
	Progress func(done, of int) `json:"-"`
}

// An Answer is what leases came to.
type Answer struct {
	Policy string `json:"policy"`
	// Sequence is how the shares of rr, lrf and bcf become an order of clusters.
	Sequence string `json:"sequence"`
	// Victim is which leases are preempted first.
	Victim       string   `json:"victim"`
	Seed         uint64   `json:"seed"`
	Replications int      `json:"replications"`
	Horizon      float64  `json:"horizon_s"`
	Events       uint64   `json:"events"`
	EventsPerS   *float64 `json:"events_per_s"` // null unless Timing was asked for
	Interrupted  bool     `json:"interrupted"`
	// Split are the shares of the clusters; none for least-work-left.
	Split       []Share          `json:"split"`
	Figures     Figures          `json:"figures"`
	Leases      []Outcome        `json:"leases"` // by type, a run
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// A Share is what part of the external requests a cluster is sent.
type Share struct {
	Cluster     string  `json:"cluster"`
	Probability float64 `json:"probability"`
}

// Figures are of a run. Each is a mean over the replications with its 95 %
// interval, by the name that the simulation has for it.
type Figures struct {
	// VMsPreempted are nodes taken from running leases.
	VMsPreempted simulate.Interval `json:"vms_preempted"`
	// LeasesPreempted are running leases that a local one took nodes from.
	LeasesPreempted   simulate.Interval `json:"leases_preempted"`
	ReservationsMoved simulate.Interval `json:"reservations_moved"` // of waiting leases, by local ones
	// UtilizationPrinted is 1 − overhead/computation, as InterGrid eq. 21 has it.
	UtilizationPrinted simulate.Interval `json:"utilization_printed"`
	Utilization        simulate.Interval `json:"utilization"` // busy node-seconds over all
	Overhead           simulate.Interval `json:"overhead"`    // node-seconds of overhead over all
	// AWRT is the average weighted response time of best-effort leases, InterGrid
	// eq. 23 and 24.
	AWRT simulate.Interval `json:"awrt_s"`
	// Response is the mean of external leases that were completed.
	Response simulate.Interval `json:"response_s"`
	// MigrationRate is migratable leases preempted over those taken.
	MigrationRate simulate.Interval `json:"migration_rate"`
	// RejectionRate is of leases that may not be preempted.
	RejectionRate simulate.Interval `json:"rejection_rate"`
	// LocalRejectionRate is of the clusters' own requests.
	LocalRejectionRate simulate.Interval `json:"local_rejection_rate"`
	// MigratableFailure are migratable leases that were not taken, or missed
	// their deadline.
	MigratableFailure simulate.Interval `json:"migratable_failure"`
}

// An Outcome is how the leases of a type ended.
type Outcome struct {
	Type      string            `json:"type"`
	Completed simulate.Interval `json:"completed"`
	Cancelled simulate.Interval `json:"cancelled"`
	Rejected  simulate.Interval `json:"rejected"`
	Failed    simulate.Interval `json:"failed"`
	// Unfinished were still there at the horizon.
	Unfinished   simulate.Interval  `json:"unfinished"`
	VMsPreempted *simulate.Interval `json:"vms_preempted"` // null for types that are not
}

// Defaults of a Question.
const (
	DefaultReplications = 10
	DefaultHorizon      = 2 * 86400.0 // s
)

// mostRequests is how many may be expected in a run: some minutes of work.
const mostRequests = 1e9

// Policies are the names of all policies, the default first.
func Policies() []string {
	var names []string
	for _, p := range lease.Policies() {
		names = append(names, p.String())
	}
	return names
}

// Ask answers a Question. Errors: *ask.InputError for what is out of its domain or
// would take too much memory; *ask.InfeasibleError for a policy that has no split
// here; that of the context where no replication was done.
func Ask(ctx context.Context, q *Question) (*Answer, error) {
	if q == nil {
		return nil, ask.NoQuestion()
	}
	s, a, err := q.system()
	if err != nil {
		return nil, err
	}
	o := sim.Options{
		Seed:         q.Seed,
		Replications: q.Replications,
		Precision:    q.Precision,
		Horizon:      a.Horizon,
		Progress:     q.Progress,
	}
	if o.Replications == 0 && o.Precision == 0 {
		o.Replications, o.Events = DefaultReplications, simulate.MostEvents/2 // of .4 µs each
	}
	if err := simulate.Bearable(ctx, s, &o); err != nil {
		return nil, err
	}
	r, err := lease.Simulate(ctx, s, o)
	if err != nil {
		return nil, explainError(err)
	}
	a.Replications, a.Events, a.Interrupted = r.Replications, r.Events, r.Interrupted
	if q.Timing {
		a.EventsPerS = ask.Figure(math.Round(r.EventsPerSecond()))
	}
	simulate.Fill(&a.Figures, &r)
	a.outcomes(r)
	a.Warnings = append(a.Warnings, simulate.Short(&r, q.Precision)...)
	a.warnOfOverload()
	if q.Explain {
		a.Explanation = explain(a)
	}
	return a, nil
}

// system returns the system of the question and the beginning of its answer.
func (q *Question) system() (*lease.System, *Answer, error) {
	s, err := q.File.System()
	if err != nil {
		return nil, nil, explainError(err)
	}
	a := &Answer{
		Policy:   q.Policy,
		Sequence: q.Sequence,
		Victim:   q.Victim,
		Seed:     q.Seed,
		Horizon:  q.Horizon,
		Split:    []Share{},
	}
	// Words become numbers of the model by their place in the list, and the first
	// is the default.
	for _, f := range []struct {
		field string
		value *string
		words []string
		set   func(int)
	}{
		{"policy", &a.Policy, Policies(), func(i int) { s.Policy = lease.Policy(i) }},
		{"sequence", &a.Sequence, []string{"as printed", "random", "deterministic"},
			func(i int) { s.Sequence = lease.Sequence(i) }},
		{"victim", &a.Victim, []string{"fewest", "youngest", "oldest"}, func(i int) { s.Victim = lease.VictimRule(i) }},
	} {
		*f.value = cmp.Or(*f.value, f.words[0])
		i := slices.Index(f.words, *f.value)
		if i < 0 {
			return nil, nil, ask.Inputf(f.field, "%q is not one of %v", *f.value, f.words)
		}
		f.set(i)
	}
	// Other policies make no sequence, and would ignore one; and these take no split of PAP.
	sequenced := s.Policy == lease.RoundRobin || s.Policy == lease.LeastRateFirst || s.Policy == lease.BiggestClusterFirst
	if q.SplitAsPrinted && (sequenced || s.Policy == lease.LeastWorkLeft) {
		return nil, nil, ask.Inputf("split_as_printed", "only used with the policies of pap")
	}
	if q.Sequence != "" && !sequenced {
		return nil, nil, ask.Inputf("sequence", "only used with policies rr, lrf and bcf; %s has its own sequence",
			a.Policy)
	}
	s.SplitAsPrinted = q.SplitAsPrinted
	a.Horizon = cmp.Or(a.Horizon, DefaultHorizon)
	if !(a.Horizon > 0 && a.Horizon <= mostTime) {
		return nil, nil, ask.Inputf("horizon", "is %s, want a time above 0 such as 2d, at most 1e12s", ask.Time(a.Horizon))
	}
	// The gaps say how many requests to expect, so that a horizon of years with
	// gaps of seconds is refused before it runs.
	requests := a.Horizon / s.Workload.External.Gap.Mean()
	for _, site := range s.Workload.Sites {
		requests += a.Horizon / site.Local.Gap.Mean()
	}
	if requests > mostRequests {
		return nil, nil, ask.Inputf("horizon",
			"of %s means about %.3g requests, want at most 1e9: choose a shorter horizon or longer gaps",
			units.FormatDuration(a.Horizon, 4), requests)
	}
	split, err := s.Split()
	if err != nil {
		return nil, nil, explainSplit(err, a.Policy)
	}
	for j, p := range split {
		a.Split = append(a.Split, Share{q.File.Clusters[j].Name, p})
	}
	return s, a, nil
}

// outcomes takes the figures of leases by type.
func (a *Answer) outcomes(r sim.Result) {
	for t := lease.Cancelable; t <= lease.Local; t++ {
		out := Outcome{Type: t.String()}
		for i, to := range []*simulate.Interval{&out.Completed, &out.Cancelled, &out.Rejected, &out.Failed,
			&out.Unfinished} {
			*to = simulate.IntervalOf(&r, lease.OutcomeFigure(t, lease.Outcomes()[i]))
		}
		if t <= lease.Migratable {
			out.VMsPreempted = new(simulate.IntervalOf(&r, lease.PreemptedFigure(t)))
		}
		a.Leases = append(a.Leases, out)
	}
}

// warnOfOverload says where leases pile up: those of best effort that wait at the
// end are more than a tenth of those that came.
func (a *Answer) warnOfOverload() {
	came, wait := 0.0, 0.0
	for i := range 2 { // Cancelable and Suspendable
		o := &a.Leases[i]
		for _, v := range []simulate.Interval{o.Completed, o.Cancelled, o.Unfinished} {
			came += ask.Value(v.Mean)
		}
		wait += ask.Value(o.Unfinished.Mean)
	}
	if came > 0 && wait > came/10 {
		ask.Warn(&a.Warnings,
			"%s of the best-effort leases are not finished at the horizon: the queues grow, and the responses cover "+
				"only the leases that got through",
			units.FormatFraction(wait/came, 2))
	}
}

// explainSplit says why a policy has no split. A policy that splits by responses
// needs clusters with room for more.
func explainSplit(err error, policy string) error {
	var saturated *routing.SaturatedError
	var infeasible *routing.InfeasibleError
	switch {
	case errors.As(err, &saturated):
		return ask.Infeasiblef("utilization", 1, saturated.Utilization,
			"policy %s has no split: %s is saturated by its local requests, utilization %s, want less than 1; "+
				"policies rr, lrf, bcf and least-work-left need no split",
			policy, saturated.Cluster, ask.Digits(saturated.Utilization))
	case errors.As(err, &infeasible):
		return ask.Infeasiblef("rate", infeasible.Rate, infeasible.Greatest,
			"policy %s has no split: %s external requests/s arrive and the local ones leave room for less than "+
				"%s/s; policies rr, lrf, bcf and least-work-left need no split",
			policy, ask.Digits(infeasible.Rate), ask.Digits(infeasible.Greatest))
	}
	return explainError(err)
}

// explainError says errors of the models in the words of questions.
func explainError(err error) error {
	var options *sim.DomainError
	var memory *sim.MemoryError
	var domain *routing.DomainError
	switch {
	case errors.As(err, &domain):
		return ask.Inputf("", "%s: %s = %s is outside the domain, want %s",
			domain.Cluster, domain.Arg, ask.Digits(domain.Value), domain.Want)
	case errors.As(err, &options):
		field := map[string]string{"Replications": "replications", "Precision": "precision",
			"Horizon": "horizon"}[options.Arg]
		return ask.Inputf(field, "%s = %v is outside the domain, want %s", options.Arg, options.Value, options.Want)
	case errors.As(err, &memory):
		return ask.Inputf("horizon",
			"%s may take %.3g GB of memory and only %.3g GB are allowed: want a shorter horizon, longer gaps or "+
				"fewer replications",
			memory.What, memory.Needed/1e9, memory.Allowed/1e9)
	}
	return err
}

// FigureColumns are the figures and the ends of their intervals.
func (a *Answer) FigureColumns() iter.Seq2[string, *float64] { return simulate.Columns(&a.Figures) }
