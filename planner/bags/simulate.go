package bags

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/simulate"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
)

// A SimulateQuestion asks how long a bag takes, by simulation.
type SimulateQuestion struct {
	Bag    *bags.Bag       `json:"-"`
	Hosts  *hosts.Platform `json:"-"`
	Server string          `json:"server,omitempty"` // see [ServerNames]; empty: xwhep
	// Strategy of the cloud workers, such as 9C-C-R; empty or none: no help.
	Strategy string   `json:"strategy,omitempty"`
	Credits  *float64 `json:"credits,omitempty"` // nil: a tenth of the bag
	Hourly   bool     `json:"hourly,omitempty"`  // each hour begun is paid in full
	Boot     *float64 `json:"boot_s,omitempty"`  // of a cloud worker; nil: 2 min
	// Horizon is the time at which a bag is given up; nil: 100 days, or longer for a bag that takes long.
	Horizon *float64 `json:"horizon_s,omitempty"`
	// CloudSpeed of a worker, in operations per second; nil: 3000 ± 300.
	CloudSpeed *float64 `json:"cloud_speed,omitempty"`

	Seed         uint64  `json:"seed,omitempty"`
	Replications int     `json:"replications,omitempty"` // 0: 100, unless Precision is given
	Precision    float64 `json:"precision,omitempty"`    // of the mean time: half the width of its interval over the mean
	Explain      bool    `json:"explain,omitempty"`
	// Timing fills in EventsPerSecond; the same seed then gives different bytes each time.
	Timing bool `json:"timing,omitempty"`

	// Progress, where it is not nil, is called with the runs done and wanted.
	Progress func(done, of int) `json:"-"`

	events   uint64 // that bound Replications too; 0: none do
	helpOnly bool   // see [bot.Study]
}

// Finish is the law of the time of the bag over the runs.
type Finish struct {
	Mean simulate.Interval `json:"mean"`
	P5   simulate.Interval `json:"p5"`
	P50  simulate.Interval `json:"p50"`
	P95  simulate.Interval `json:"p95"`
	P99  simulate.Interval `json:"p99"`
}

// A BagFigures says how bags went, over the runs.
type BagFigures struct {
	Finish       Finish            `json:"finish_s"`
	Ideal        simulate.Interval `json:"ideal_s"`       // at the rate of the first nine tenths
	TailSlowdown simulate.Interval `json:"tail_slowdown"` // time over ideal time
	TailTasks    simulate.Interval `json:"tail_tasks"`    // share of the tasks done after the ideal time
	TailTime     simulate.Interval `json:"tail_time"`     // share of the time after it
	Lost         simulate.Interval `json:"lost_s"`        // machine time of work that was lost
	Unfinished   float64           `json:"unfinished"`    // share of the runs given up at the horizon
	// Alpha corrects the time predicted when half of the bag is done; Predicted is the share of the
	// runs that then lie within 20 % of the prediction. Null without a run.
	Alpha     *float64 `json:"alpha"`
	Predicted *float64 `json:"predicted"`
}

// HelpFigures say what cloud workers did.
type HelpFigures struct {
	Without     BagFigures        `json:"without"`       // the same runs without them
	Saving      simulate.Interval `json:"saving_s"`      // paired
	TailRemoval simulate.Interval `json:"tail_removal"`  // share of the tail that help removed
	Tails       int               `json:"tails"`         // runs that had a tail to remove
	NoTail      int               `json:"no_tail"`       // runs without one, left out
	Ordered     simulate.Interval `json:"credits"`       // ordered
	Spent       simulate.Interval `json:"credits_spent"` // never more than ordered
	// SpentShare is the share of the ordered credits.
	SpentShare simulate.Interval `json:"credits_share"`
	// CloudTime is the time that all workers are billed for.
	CloudTime simulate.Interval `json:"cloud_time_s"`
	// CloudShare is cloud time over the time that the whole bag would take in the cloud.
	CloudShare *float64          `json:"cloud_share"`
	CloudTasks simulate.Interval `json:"cloud_tasks"` // share of the tasks done there
	Workers    simulate.Interval `json:"cloud_workers"`
}

// A SimulateAnswer is the outcome of the runs.
type SimulateAnswer struct {
	Bag      string  `json:"bag"`
	Tasks    float64 `json:"tasks"` // mean
	Hosts    string  `json:"hosts"`
	Machines int     `json:"machines"`
	// Availability is the share of time that a machine is up.
	Availability float64 `json:"availability"`
	Server       string  `json:"server"`
	// Strategy of the help, or "none".
	Strategy string `json:"strategy"`
	BagFigures
	Help *HelpFigures `json:"help"` // null without a strategy

	Seed         uint64 `json:"seed"`
	Replications int    `json:"replications"`
	// Events is the number of events simulated.
	Events          uint64           `json:"events"`
	EventsPerSecond *float64         `json:"events_per_s"` // null unless Timing was asked for
	Warnings        []string         `json:"warnings,omitempty"`
	Explanation     *ask.Explanation `json:"explanation,omitempty"`

	result sim.Result
	most   uint64 // see [bot.Study]
}

// DefaultReplications is the number of runs if the question does not say.
const DefaultReplications = 100

// mostReplications bounds the number of runs.
const mostReplications = 1000000

// kase returns the case of the question.
func (q *SimulateQuestion) kase() (*bot.Case, error) {
	if q.Bag == nil {
		return nil, ask.Missing("bag", "small, big, random, a file, or the number of tasks")
	}
	if q.Hosts == nil {
		return nil, ask.Missing("hosts", "seti, nd, g5klyo, g5kgre, spot10, spot100, a trace, or laws")
	}
	c := &bot.Case{
		Bag:   *q.Bag,
		Hosts: q.Hosts,
		// A negative number means a tenth of the bag.
		Credits: -1,
		Cloud:   bot.Cloud{Boot: bot.DefaultBoot},
	}
	var err error
	if c.Server, err = server(q.Server); err != nil {
		return nil, err
	}
	if c.Strategy, err = strategy(q.Strategy); err != nil {
		return nil, err
	}
	for _, f := range []struct {
		field string
		given bool
	}{{"credits", q.Credits != nil}, {"hourly", q.Hourly}, {"boot", q.Boot != nil},
		{"cloud_speed", q.CloudSpeed != nil}} {
		if f.given && c.Strategy == nil {
			return nil, ask.Inputf(f.field, "only used with a strategy, such as 9C-C-R")
		}
	}
	if q.Credits != nil {
		if c.Credits = *q.Credits; !(c.Credits >= 0) || math.IsInf(c.Credits, 1) {
			return nil, ask.Inputf("credits", "is %s, want 0 credits or more", ask.Digits(c.Credits))
		}
	}
	if q.Hourly {
		c.Billing = spequlos.ByHour
	}
	if q.Boot != nil {
		c.Cloud.Boot = *q.Boot
	}
	if q.CloudSpeed != nil {
		c.Cloud.Speed = hosts.Speed{Mean: *q.CloudSpeed}
	}
	if q.Horizon != nil {
		if err := ask.Positive("horizon", *q.Horizon, "a time after which a bag is given up, such as 30d"); err != nil {
			return nil, err
		}
		c.Horizon = *q.Horizon
	}
	switch {
	case q.Replications < 0 || q.Replications > mostReplications:
		return nil, ask.Inputf("replications", "is %d, want 1 to 1,000,000 runs", q.Replications)
	case q.Precision < 0 || q.Precision >= 1 || math.IsNaN(q.Precision):
		return nil, ask.Inputf("precision", "is %s, want a share below 1 such as 2%%", ask.Digits(q.Precision))
	case q.Precision > 0 && q.Replications > 0:
		return nil, ask.Inputf("precision",
			"is reached by as many runs as it needs: give either it or the replications")
	}
	if err := c.Check(); err != nil {
		return nil, FromModel(err)
	}
	least := (c.Bag.TotalWork()/float64(c.Hosts.Machines()) + c.Bag.LargestWork()) / c.Hosts.Speed.Mean
	if !(least <= longestBag) {
		return nil, ask.Inputf(fieldOf(&c.Bag, "task_time"),
			"takes the bag at least %s s on these machines, want at most 1e12 s, 30,000 years", ask.Digits(least))
	}
	return c, nil
}

// longestBag is the longest time of a bag, in seconds. Beyond it floats tell the times of machines ever less
// apart, and in the end overflow.
const longestBag = 1e12

// FromModel translates errors of the models into the words of a question.
func FromModel(err error) error {
	var never *bot.NeverError
	var kase *bot.DomainError
	var bag *bags.DomainError
	var platform *hosts.DomainError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &never):
		return &ask.InfeasibleError{
			Constraint: "longest_stay",
			Limit:      never.Attempt,
			Infimum:    never.Longest,
			Reason: fmt.Sprintf("a task takes at least %s, and no machine ever stays longer than %s: no attempt "+
				"can succeed without checkpoints",
				ask.Time(never.Attempt), ask.Time(never.Longest)),
		}
	case errors.As(err, &bag):
		return misfit("bag", bag.Arg, bag.Value, bag.Want)
	case errors.As(err, &platform):
		return misfit("hosts", platform.Arg, platform.Value, platform.Want)
	case errors.As(err, &kase):
		return misfit("", kase.Arg, kase.Value, kase.Want)
	}
	return err
}

// questionFields maps fields of the models to the question's fields that they come from.
var questionFields = map[string]string{
	"Size.Mean":     "tasks",
	"Work.Mean":     "task_time",
	"WallClock":     "wall_clock",
	"Count":         "machines",
	"Speed.Mean":    "speed",
	"Speed.SD":      "speed_cv",
	"Departure":     "departure",
	"Groups.Count":  "groups",
	"Groups":        "groups",
	"Cloud.Boot":    "boot",
	"Cloud.Speed":   "cloud_speed",
	"Credits":       "credits",
	"Horizon":       "horizon",
	"Rules.Results": "machines",
}

// misfit returns an error of a model as one of the question. It names the question's field or, if
// there is none, the model's.
func misfit(part, arg string, value float64, want string) error {
	if field, ok := questionFields[arg]; ok {
		if arg == "Rules.Results" {
			return ask.Inputf(field, "are too few: boinc gives out %s results of a task, each to another machine",
				ask.Digits(value))
		}
		return ask.Inputf(field, "is %s, want %s", ask.Digits(value), want)
	}
	return ask.Inputf(part, "%s is %s, want %s", arg, ask.Digits(value), want)
}

// weight is how many times what it takes on a thousand machines an event of a run takes: .15 µs there, and .45 on
// 100,000, whose states are too many for a cache.
func weight(c *bot.Case) float64 { return 1 + float64(c.Hosts.Machines())/5e4 }

// Simulate answers a SimulateQuestion. Errors: *ask.InputError; *ask.InfeasibleError if no machine
// can ever finish a task; that of ctx if not one run was done.
func Simulate(ctx context.Context, q *SimulateQuestion) (*SimulateAnswer, error) {
	ctx = given.Context(ctx)
	if q == nil {
		return nil, ask.NoQuestion()
	}
	c, err := q.kase()
	if err != nil {
		return nil, err
	}
	study, err := bot.NewStudy(c)
	if err != nil {
		return nil, FromModel(err)
	}
	study.HelpOnly = q.helpOnly
	o := sim.Options{Seed: q.Seed, Replications: q.Replications, Precision: q.Precision, Progress: q.Progress}
	if o.Replications == 0 && o.Precision == 0 {
		o.Replications, o.Events = DefaultReplications, simulate.MostEvents
	}
	if q.events > 0 {
		o.Events = q.events
	}
	o.Events = uint64(float64(o.Events) / weight(c))
	if err := simulate.Bearable(ctx, study, &o); err != nil {
		return nil, err
	}
	if o.Events > 0 {
		study.Most = uint64(simulate.MostEvents / 2 / weight(c))
		if c.Strategy != nil && !q.helpOnly {
			study.Most /= 2
		}
	}
	r, err := sim.Run(ctx, study, o)
	if err != nil {
		if memory, ok := errors.AsType[*sim.MemoryError](err); ok {
			return nil, ask.Inputf(fieldOf(&c.Bag, "tasks"),
				"%s tasks on %s machines are too many: %s would take %.3g GB of memory, %.3g GB are allowed",
				ask.Digits(c.Bag.MeanSize()), ask.Digits(float64(c.Hosts.Machines())), memory.What,
				memory.Needed/1e9, memory.Allowed/1e9)
		}
		return nil, FromModel(err)
	}
	a := &SimulateAnswer{
		Bag: q.Bag.Name, Tasks: q.Bag.MeanSize(),
		Hosts: q.Hosts.Name, Machines: q.Hosts.Machines(), Availability: q.Hosts.Availability(),
		Server: c.Server.String(), Strategy: NoStrategy,
		BagFigures: bagFigures(&r, ""),
		Seed:       q.Seed, Replications: r.Replications,
		Events: r.Events,
		result: r, most: study.Most,
	}
	if q.Timing {
		a.EventsPerSecond = ask.Figure(math.Round(r.EventsPerSecond()))
	}
	if c.Strategy != nil {
		a.Strategy = c.Strategy.String()
		a.Help = helpFigures(&r, c)
	}
	a.warn(&r, c, q.Precision)
	if q.Explain {
		a.explain(q.Hourly)
	}
	return a, nil
}

// warn adds what a reader ought to know.
func (a *SimulateAnswer) warn(r *sim.Result, c *bot.Case, precision float64) {
	a.Warnings = append(a.Warnings, simulate.Short(r, precision)...)
	if a.Unfinished > 0 {
		a.Warnings = append(a.Warnings, a.givenUp(c.Horizon)+" and are left out of the times")
	}
	if h := a.Help; h != nil && h.NoTail > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf(
			"%d of %d runs had no tail (a slowdown of at most %g) and are left out of tail_removal", h.NoTail,
			r.Replications, bot.LeastSlowdown,
		))
	}
	if c.Hosts.Name != "" && len(c.Hosts.Records) == 0 && c.Hosts.Groups.Count == 0 {
		if w := spreadWarning(c.Hosts); w != "" {
			a.Warnings = append(a.Warnings, w)
		}
	}
}

// givenUp says how many runs were given up, and when.
func (a *SimulateAnswer) givenUp(horizon float64) string {
	when := ""
	if horizon == 0 && a.Events >= bot.ManyEvents {
		when = fmt.Sprintf(", or after %d million events without a task done,", bot.ManyEvents/1_000_000)
	}
	if horizon == 0 && a.most > 0 && a.Events >= a.most {
		when += fmt.Sprintf(" or after %.2g million in all unless a number of replications is asked for,",
			float64(a.most)/1e6)
	}
	return fmt.Sprintf("%.3g%% of the runs were not done at the horizon%s", 100*a.Unfinished, when)
}
