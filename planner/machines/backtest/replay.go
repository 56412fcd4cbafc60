package backtest

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"time"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
	"github.com/capplan/capplan/smp/ranking"
)

// A ReplayQuestion asks what schedulers would have made of jobs on recorded
// machines: the proactive one, which predicts; a Condor-like one, which takes
// the fastest machine; and an omniscient one (iShare 8.4).
type ReplayQuestion struct {
	Hosts []machines.Trace `json:"-"`
	machines.Labelling
	Lengths []float64          `json:"lengths_s,omitempty"` // of jobs on a machine of rate 1; nil: 0.5, 1, 2, … 6 h
	Times   int                `json:"times,omitempty"`     // of submission, each with a job of every length; 0: up to 60
	From    *float64           `json:"from_s,omitempty"`    // times of day between which they lie; nil: 6:00
	To      *float64           `json:"to_s,omitempty"`      // nil: 22:00
	Train   float64            `json:"train,omitempty"`     // share of the dates, the oldest, before any job; 0: 0.5
	Days    int                `json:"days,omitempty"`      // most recent days of the kind to predict from; 0: all
	Horizon float64            `json:"horizon_s,omitempty"` // of the prediction; 0: 12 h
	Rates   map[string]float64 `json:"rates,omitempty"`     // speeds by machine; 1 where not given
	// SpeedCV, where > 0, draws the other speeds anew for each submission time:
	// lognormal of mean 1 and that coefficient of variation.
	SpeedCV float64 `json:"speed_cv,omitempty"`
	Model   string  `json:"model,omitempty"` // of [ModelNames], by which the proactive one predicts; empty: smp
	// Counts drops stays that a day cuts, as the iShare paper does.
	Counts bool `json:"counts,omitempty"`
	// Censored gives stays after a failure the weight of those before.
	Censored bool   `json:"censored,omitempty"`
	Seed     uint64 `json:"seed,omitempty"`
	Explain  bool   `json:"explain,omitempty"`
	// Done, if set, is told how many of all submission times are finished.
	Done func(n, all int) `json:"-"`
}

// The schedulers, the proactive one first.
var replaySchedulers = []string{"proactive", "condor-like", "omniscient"}

// A replay is the work of one question.
type replay struct {
	*evaluation
	q       *ReplayQuestion
	lengths []float64
	horizon int
	order   []int          // machines by name
	fleet   []ranking.Host // of rate 1
	steps   []int64        // of the submissions
	dates   []smp.Date
	model   string // by which the proactive one predicts; "" and SMPModel alike
	views   views
}

// mostJobs bounds a replay.
const mostJobs = 1e6

// mostHorizon bounds the steps of a prediction, which has a chance for each machine and moment; it
// is the bound of package forecast.
const mostHorizon = 200_000

// stepsAhead returns the steps of a horizon.
func (r *replay) stepsAhead(horizon float64) (int, error) {
	n, err := machines.Horizon(horizon, r.hosts[0].History.Period)
	var input *ask.InputError
	switch {
	case errors.As(err, &input):
		return 0, &ask.InputError{Field: "horizon", Reason: input.Reason}
	case err == nil && n > mostHorizon && r.q.Horizon != 0:
		return 0, ask.Inputf("horizon", "is %d steps of %s, want at most %d", n,
			ask.Time(r.hosts[0].History.Period), mostHorizon)
	}
	return n, err
}

// plan checks what does not depend on the records.
func (q *ReplayQuestion) plan() (*replay, error) {
	if len(q.Hosts) == 0 {
		return nil, ask.Missing("trace", "traces of machines")
	}
	r := &replay{q: q, lengths: q.Lengths}
	if r.lengths == nil {
		r.lengths = []float64{1800, 3600, 7200, 10800, 14400, 18000, 21600}
	}
	for _, l := range r.lengths {
		if err := ask.Positive("lengths", l, "lengths above 0 such as 30min,1h,2h"); err != nil {
			return nil, err
		}
	}
	switch {
	case q.Times < 0 || float64(q.Times)*float64(len(r.lengths)) > mostJobs:
		return nil, ask.Inputf("times", "want 1 or more, and at most 1e6 jobs in all")
	case !(q.Train >= 0 && q.Train < 1):
		return nil, ask.Inputf("train", "want a share above 0 and below 1 such as 50%%")
	case q.Days < 0:
		return nil, ask.Inputf("days", "want at least 1 day")
	case !(q.SpeedCV >= 0 && q.SpeedCV <= 10):
		return nil, ask.Inputf("speed_cv", "want 0 to 10 such as 0.3")
	}
	if err := machines.CheckNames(q.Hosts, q.Rates); err != nil {
		return nil, err
	}
	r.evaluation = &evaluation{q: &EvaluateQuestion{
		Hosts:     q.Hosts,
		Labelling: q.Labelling,
		Counts:    q.Counts,
		Censored:  q.Censored,
		Done:      q.Done,
	}}
	return r, nil
}

// speeds gives every machine its rate at one submission, whatever the order
// of the files. Each submission has a stream of its own, so that shards draw the
// same.
func (r *replay) speeds(submission int) []float64 {
	rng := rand.New(rand.NewPCG(r.q.Seed, 3+uint64(submission)))
	out := make([]float64, len(r.order))
	// ln(1 + CV²) is the variance of the logarithm, and the mean is 1.
	variance := math.Log1p(r.q.SpeedCV * r.q.SpeedCV)
	for _, i := range r.order {
		// A speed is drawn even where it is given, so that one more given changes
		// no other.
		out[i] = math.Exp(math.Sqrt(variance)*rng.NormFloat64() - variance/2)
		if given, ok := r.q.Rates[r.q.Hosts[i].Name]; ok {
			out[i] = given
		}
	}
	return out
}

// submissions draws the times at which jobs come. They are uniform over the later
// dates and the time of day from From to To.
func (r *replay) submissions() error {
	from, to := ask.Or(r.q.From, 6*3600.0), ask.Or(r.q.To, 22*3600.0)
	if !(from >= 0 && to > from && to <= 86400) {
		return ask.Inputf("to", "want a time of day later than from")
	}
	r.dates = r.seen()
	train := cmp.Or(r.q.Train, 0.5)
	// At least one date is left to learn from.
	cut := max(1, int(math.Round(train*float64(len(r.dates)))))
	if r.dates = r.dates[min(cut, len(r.dates)):]; len(r.dates) == 0 {
		return ask.Inputf("trace",
			"the records have too few days: they need days to learn from and later days to submit jobs on")
	}
	times := r.times()
	rng := rand.New(rand.NewPCG(r.q.Seed, 2))
	l := r.hosts[0]
	for range times {
		d := r.dates[rng.IntN(len(r.dates))]
		at := from + rng.Float64()*(to-from)
		r.steps = append(r.steps, l.History.StepAt(l.Calendar.At(d, time.Duration(at*float64(time.Second)))))
	}
	slices.Sort(r.steps)
	return nil
}

// seen returns the dates on which something is known of some machine, in order.
func (r *replay) seen() (out []smp.Date) {
	var all []smp.Run // without gaps
	for _, l := range r.hosts {
		for i, run := range l.History.Runs {
			if i > 0 && l.History.Runs[i-1].End() == run.First {
				all[len(all)-1].Steps += run.Steps
				continue
			}
			all = append(all, run)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].First < all[j].First })
	end := int64(math.MinInt64)
	for _, run := range all {
		if run.End() <= end {
			continue
		}
		end = run.End()
		l := r.hosts[0]
		last := l.Calendar.Date(l.Moment(end - 1))
		for d := l.Calendar.Date(l.Moment(run.First)); !last.Before(d); d = d.Next() {
			if len(out) == 0 || out[len(out)-1].Before(d) {
				out = append(out, d)
			}
		}
	}
	return out
}

// Replay answers a ReplayQuestion.
func Replay(ctx context.Context, q *ReplayQuestion) (*ReplayAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	r, err := q.plan()
	if err != nil {
		return nil, err
	}
	if err := r.labelAll(ctx); err != nil {
		return nil, err
	}
	r.order = numeric.Indices[int](len(q.Hosts))
	slices.SortFunc(r.order, func(a, b int) int { return cmp.Compare(q.Hosts[a].Name, q.Hosts[b].Name) })
	horizonSeconds := cmp.Or(q.Horizon, 12*3600)
	if r.horizon, err = r.stepsAhead(horizonSeconds); err != nil {
		return nil, err
	}
	if err := r.submissions(); err != nil {
		return nil, err
	}
	a := &ReplayAnswer{}
	if err := r.choose(ctx, a); err != nil {
		return nil, err
	}
	for i, l := range r.hosts {
		loads := &r.loads[i]
		r.fleet = append(r.fleet,
			ranking.Host{Name: q.Hosts[i].Name, Rate: 1, History: l.History, Load: func(step int64) float64 {
				// A machine whose load is not known gives all of its CPU.
				if v := loads.At(step); !math.IsNaN(v) {
					return v
				}
				return 0
			}})
	}
	outcomes := make([][][]ranking.Outcome, len(r.steps)) // [submission][scheduler][length]
	done := r.counter(len(r.steps))
	work := pieces.Work{Name: "submission times", Count: len(r.steps), Seed: &q.Seed}
	one := func(ctx context.Context, i int) (by [][]ranking.Outcome, err error) {
		var jobs []ranking.Submission
		for _, l := range r.lengths {
			jobs = append(jobs, ranking.Submission{Step: r.steps[i], Length: l})
		}
		// Each submission has its own speeds, and several are replayed at once.
		fleet := slices.Clone(r.fleet)
		for h, rate := range r.speeds(i) {
			fleet[h].Rate = rate
		}
		for _, s := range []ranking.Scheduler{r.proactive(fleet), ranking.Fastest{Seed: q.Seed}, ranking.Omniscient{}} {
			result, err := ranking.Replay(ctx, fleet, jobs, s)
			if err != nil {
				return nil, err
			}
			by = append(by, result.Outcomes)
		}
		return by, nil
	}
	err = fold(ctx, work, partials.JSON[[][]ranking.Outcome](), one, func(i int, by [][]ranking.Outcome) error {
		outcomes[i] = by
		done()
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := r.gather(outcomes, horizonSeconds)
	// The semi-Markov models differ in how stays after a failure count.
	if out.Chosen, out.Model = a.Chosen, r.model; out.Model == "" {
		out.Model = SMPModel
		if q.Counts {
			out.Model = CountsModel
		} else if q.Censored {
			out.Model = CensoredModel
		}
	}
	return out, nil
}
