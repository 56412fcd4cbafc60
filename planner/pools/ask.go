package pools

import (
	"context"
	"errors"
	"iter"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
	"github.com/capplan/capplan/units"
)

// A Question asks what a pool does. A pool is that of PCU section 4: dedicated
// machines and public ones that come and go, a scheduler that acts once an epoch,
// and a link between them.
type Question struct {
	Pool         pool.Pool `json:"-"`
	Seed         uint64    `json:"seed"`
	Replications int       `json:"replications,omitempty"` // 0: 10, or as many as Precision asks for
	Horizon      float64   `json:"horizon_s,omitempty"`    // of one; 0: a day or 17 jobs, or two days beyond the log
	WarmUp       *float64  `json:"warm_up_s,omitempty"`    // nil: a quarter of the horizon, nothing of a log
	Precision    float64   `json:"precision,omitempty"`    // of elongation, goodput and jobs, relative
	Explain      bool      `json:"explain,omitempty"`

	// Progress is called after each replication.
	Progress func(done, of int) `json:"-"`
}

// An Answer is what it does.
type Answer struct {
	Policy       string `json:"policy"`
	Seed         uint64 `json:"seed"`
	Replications int    `json:"replications"`
	// Horizon is the length of a run, of which the warm-up is the beginning.
	Horizon     float64 `json:"horizon_s"`
	WarmUp      float64 `json:"warm_up_s"`
	Events      uint64  `json:"events"`
	Interrupted bool    `json:"interrupted"`
	// OfferedLoad is the work that comes in a second, in dedicated machines.
	OfferedLoad float64 `json:"offered_load_erl"`
	Figures     Figures `json:"figures"`
	// Chain is the closed form without epochs, transfers and failures, of drawn
	// jobs.
	Chain       *Chain           `json:"chain"`
	Warnings    []string         `json:"warnings,omitempty"`
	Explanation *ask.Explanation `json:"explanation,omitempty"`
}

// Chain is what queue pool says of the same machines.
type Chain struct {
	// Elongation is how much longer than on a dedicated machine a job takes, as a
	// share; null where it is not finite, as MeanJobs.
	Elongation  *float64 `json:"elongation"`
	MeanJobs    *float64 `json:"mean_jobs"`
	PublicSpeed float64  `json:"public_speed"` // of the fastest replica on average
}

// Figures are those of [pool.Pool], of jobs that end after the warm-up. The JSON
// name of a field is the name of the figure in the simulation, by which
// [simulate.Fill] finds it.
type Figures struct {
	Elongation simulate.Interval `json:"elongation"` // mean over the jobs of T/W − 1
	// Elongation95 is what one job in twenty exceeds.
	Elongation95    simulate.Interval `json:"elongation_p95"`
	ElongationOfAll simulate.Interval `json:"elongation_of_all"` // of all times over all work
	Goodput         simulate.Interval `json:"goodput_erl"`       // work of jobs within e_max
	GoodputShare    simulate.Interval `json:"goodput_share"`     // of the work that came
	// Throughput is that of jobs that are done.
	Throughput      simulate.Interval `json:"throughput_per_s"`
	MeanJobs        simulate.Interval `json:"mean_jobs"`
	MeanWait        simulate.Interval `json:"mean_wait_s"`       // in the queue and for the first transfer
	DownFailure     simulate.Interval `json:"down_failure_s"`    // of a job
	DownMigration   simulate.Interval `json:"down_migration_s"`  // of a job
	JobsDownFailure simulate.Interval `json:"jobs_down_failure"` // at a time
	// JobsDownMigration are at a time too.
	JobsDownMigration    simulate.Interval `json:"jobs_down_migration"`
	LostWork             simulate.Interval `json:"lost_work_s"` // of a job, with the last of its replicas
	MigrationsPerEpoch   simulate.Interval `json:"migrations_per_epoch"`
	MigrationsInPerEpoch simulate.Interval `json:"migrations_in_per_epoch"` // to dedicated machines
	MigrationTime        simulate.Interval `json:"migration_time_s"`
	// UplinkUse and DownlinkUse are shares of the bandwidth.
	UplinkUse   simulate.Interval `json:"uplink_use"`
	DownlinkUse simulate.Interval `json:"downlink_use"`
	// PublicShare is the part of the work that public machines do.
	PublicShare simulate.Interval `json:"public_work_share"`
	// DedicatedUse is the busy share of the dedicated machines.
	DedicatedUse simulate.Interval `json:"dedicated_utilization"`
	// PublicHeld is the number of public machines that hold a replica.
	PublicHeld simulate.Interval `json:"public_machines_held"`
	Failures   simulate.Interval `json:"failures_per_job"` // of its replicas
	Detection  simulate.Interval `json:"detection_s"`      // of a replica that died
	// DroppedShare is of jobs that are dropped when they have waited for too
	// long.
	DroppedShare simulate.Interval `json:"dropped_share"`
	Unfinished   simulate.Interval `json:"unfinished_jobs"` // at the horizon
	// Correlation is that of the goodput with min(V₀, B), over the users.
	Correlation simulate.Interval `json:"goodput_correlation"`
}

// DefaultReplications is how many there are without a precision.
const DefaultReplications = 10

// Ask answers a Question. Errors: *ask.InputError for a pool, a horizon or a number
// out of its domain and for what would take too much memory; that of the context
// where no replication was done.
func Ask(ctx context.Context, q *Question) (*Answer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	o := sim.Options{
		Seed:         q.Seed,
		Replications: q.Replications,
		Precision:    q.Precision,
		Horizon:      q.Horizon,
		Progress:     q.Progress,
	}
	if q.Pool.Jobs == nil {
		return nil, ask.Missing("pool", "a pool with jobs")
	}
	if o.Replications == 0 && o.Precision == 0 {
		o.Replications, o.Events = DefaultReplications, simulate.MostEvents/5 // of a microsecond each
	}
	_, logged := q.Pool.Jobs.(pool.Log)
	const day = 86400.0
	// A day is 17 drawn jobs of 5000 s, and a run of longer ones lasts 17 of these (TestLongJobsFillThePool); a log is
	// followed to its end and two days beyond, in which its last jobs are done.
	const ofJobs = 17
	if o.Horizon == 0 {
		o.Horizon = day
		switch w := q.Pool.Jobs.(type) {
		case pool.Log:
			if len(w) > 0 {
				o.Horizon = w[len(w)-1].At + 2*day
			}
		case pool.Poisson:
			if w.Work != nil && w.Work.Mean() < math.MaxInt32 {
				o.Horizon = max(day, ofJobs*w.Work.Mean())
			}
		}
	}
	switch {
	case q.WarmUp != nil:
		if o.WarmUp = *q.WarmUp; !(o.WarmUp < o.Horizon) {
			return nil, ask.Inputf("warm-up", "of %s reaches the horizon of %s: want less",
				units.FormatDuration(o.WarmUp, 4), units.FormatDuration(o.Horizon, 4))
		}
	// Drawn jobs find the pool empty, and a quarter of the horizon is not
	// counted; a log begins as it did.
	case !logged:
		o.WarmUp = o.Horizon / 4
	}
	if err := q.Pool.Check(); err != nil {
		return nil, fromPool(err)
	}
	if err := simulate.Bearable(ctx, q.Pool, &o); err != nil {
		return nil, err
	}
	r, err := sim.Run(ctx, q.Pool, o)
	if err != nil {
		return nil, fromPool(err)
	}
	a := &Answer{
		Policy: "preemptive", Seed: q.Seed, Replications: r.Replications, Horizon: o.Horizon, WarmUp: o.WarmUp,
		Events: r.Events, Interrupted: r.Interrupted, OfferedLoad: load(q.Pool.Jobs),
	}
	if q.Pool.Policy == pool.Static {
		a.Policy = "static"
	}
	simulate.Fill(&a.Figures, &r)
	a.Warnings = append(a.Warnings, simulate.Short(&r, q.Precision)...)
	// Only drawn jobs have a closed form.
	if w, ok := q.Pool.Jobs.(pool.Poisson); ok {
		q.chain(a, w)
	}
	// Beyond what all machines can do figures grow with the horizon and mean
	// nothing by themselves.
	if can := capacity(&q.Pool); a.OfferedLoad > can {
		ask.Warn(&a.Warnings,
			"%.4g erl arrive and all machines together do about %.4g: there is no steady state, and the figures "+
				"depend on the horizon",
			a.OfferedLoad, can)
	}
	if q.Explain {
		a.Explanation = explain(q, a)
	}
	return a, nil
}

// FigureColumns are the figures and the ends of their intervals.
func (a *Answer) FigureColumns() iter.Seq2[string, *float64] { return simulate.Columns(&a.Figures) }

// load is the work that comes in a second. Of a log it is the work over the time
// from its first job to its last.
func load(w pool.Workload) float64 {
	switch w := w.(type) {
	case pool.Poisson:
		return w.Rate * w.Work.Mean()
	case pool.Log:
		sum := 0.0
		for _, j := range w {
			sum += j.Work
		}
		if span := w[len(w)-1].At - w[0].At; span > 0 {
			return sum / span
		}
	}
	return 0
}

// capacity is what all machines do together, PCU section 4.6: each job holds r of
// those that are up, and gets on at the speed of the fastest.
func capacity(p *pool.Pool) float64 {
	speed := fastest(p)
	return float64(p.Dedicated) + speed*float64(p.Public.Machines)*p.Public.Coming.Availability()/float64(p.Replicas)
}

// fastest is the mean speed of the fastest of as many machines as a job has
// replicas. Of a law that is not lognormal the mean stands for it, which is too
// low with several replicas.
func fastest(p *pool.Pool) float64 {
	speeds := p.Public.Speeds
	if len(speeds) == 0 {
		l, ok := p.Public.Speed.(law.LogNormal)
		if !ok {
			return p.Public.Speed.Mean()
		}
		v, err := queueing.FastestSpeed(l.Mean(), math.Sqrt(math.Expm1(l.Sigma*l.Sigma)), float64(p.Replicas))
		if err != nil {
			return l.Mean()
		}
		return v
	}
	return fastestOf(speeds, p.Replicas)
}

// chain adds the closed form. What lies between it and the simulation is what
// epochs, transfers and failures cost.
func (q *Question) chain(a *Answer, w pool.Poisson) {
	if q.Pool.Public.Machines == 0 {
		return
	}
	speed := fastest(&q.Pool)
	c := &Chain{PublicSpeed: speed}
	m := unlike.Elastic{ArrivalRate: w.Rate, ServiceTime: w.Work.Mean(), Speed: speed}
	if f, err := m.At(float64(q.Pool.Dedicated)); err == nil { // else faster than a dedicated machine
		c.Elongation, c.MeanJobs = ask.Figure(f.Elongation), ask.Figure(f.MeanJobs)
		a.Chain = c
	}
}

// fromPool says errors of the models in the words of questions.
func fromPool(err error) error {
	var domain *pool.DomainError
	var options *sim.DomainError
	var memory *sim.MemoryError
	switch {
	case errors.As(err, &domain):
		return ask.Inputf("", "%s = %v is outside the domain, want %s", domain.Arg, domain.Value, domain.Want)
	case errors.As(err, &options):
		field := map[string]string{
			"Replications": "replications",
			"Precision":    "precision",
			"Horizon":      "horizon",
			"WarmUp":       "warm-up",
		}[options.Arg]
		return ask.Inputf(field, "%v is outside the domain, want %s", options.Value, options.Want)
	case errors.As(err, &memory):
		return ask.Inputf("horizon",
			"%s would take %.3g GB of memory and only %.3g GB are allowed: want a shorter horizon, fewer machines "+
				"or fewer replications",
			memory.What, memory.Needed/1e9, memory.Allowed/1e9)
	}
	return err
}
