package simulate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
	"github.com/capplan/capplan/units"
)

// A Question says how long and how often to simulate.
type Question struct {
	// Precision is the relative half-width of the intervals at which to stop;
	// nil: 2 %, or 5 % where each run has a chance of its own, as days of a curve
	// and machines that come and go have, unless Replications is given.
	Precision *units.Fraction `json:"precision,omitempty"`
	// Replications fixes how many runs there are.
	Replications *units.Count    `json:"replications,omitempty"`
	Horizon      *units.Duration `json:"horizon_s,omitempty"` // of each; nil: as long as the system needs
	WarmUp       *units.Duration `json:"warm_up_s,omitempty"` // not counted of each; nil: looked for
	Seed         uint64          `json:"seed"`
	// Timing asks for how many events a second were simulated, which differs from
	// run to run.
	Timing bool `json:"timing,omitempty"`
	// Progress is called with the runs done and their number, as far as that is known.
	Progress func(done, of int) `json:"-"`
}

// DefaultPrecision is used if a question gives neither a precision nor a number of replications;
// RoughPrecision if a day of a curve, or the machines that are up, are drawn anew for each run,
// whose length then adds little.
const (
	DefaultPrecision = 0.02
	RoughPrecision   = 0.05
)

// mostReplications is the limit of a precision, and MostEvents of one that was not asked for, some seconds:
// where few wait, or few are lost, to know how many takes long. A precision that takes more is not reached, and a
// warning says so. Horizons and numbers of replications that were not asked for are bounded by MostEvents as well.
const (
	mostReplications = 2000
	MostEvents       = 50_000_000
)

// A Simulation is what a closed form is compared with.
type Simulation struct {
	Model        string  `json:"model"` // what was simulated
	Seed         uint64  `json:"seed"`
	Replications int     `json:"replications"`
	Horizon      float64 `json:"horizon_s"` // of each; in mean service times where times have no unit
	// WarmUp is what was left out of each run at its beginning.
	WarmUp float64 `json:"warm_up_s"`
	Events uint64  `json:"events"`
	// EventsPerSecond is null unless Timing was asked for: the same seed then has
	// the same bytes.
	EventsPerSecond *float64 `json:"events_per_s"`
	// Reached is false where the precision was not reached within 2000 runs, or one that was not asked for
	// within 50 million events.
	Reached bool `json:"precision_reached"`
	// Interrupted says that it was stopped: the figures are of the runs until
	// then.
	Interrupted bool `json:"interrupted,omitempty"`
	// Unsettled says that no warm-up was found: half of the horizon was left out.
	Unsettled bool              `json:"unsettled,omitempty"`
	Agrees    *bool             `json:"agrees"` // all figures that have a closed form; null where none has
	Figures   map[string]Figure `json:"figures"`

	// MovedUp is the share of early ends at which conservative backfilling planned the whole queue anew, and
	// LeastPromised how many of those who waited were promised a start, at the least: the work of a run is
	// bounded. Both are left out where it was not reached.
	MovedUp       *float64 `json:"moved_up_share,omitempty"`
	LeastPromised *float64 `json:"least_promised,omitempty"`

	needed float64 // as warm-up, s; 0 where that is not known
}

// Check returns an *ask.InputError if the question is wrong; nil for no question.
func (q *Question) Check() error {
	if q == nil {
		return nil
	}
	_, err := q.options(1)
	return err
}

// options checks the question. unit is that of the model's time, s.
func (q *Question) options(unit float64) (sim.Options, error) {
	o := sim.Options{Seed: q.Seed, Limit: mostReplications, HorizonEvents: MostEvents, Progress: q.Progress}
	switch {
	case q.Replications != nil && q.Precision != nil:
		return o, ask.Inputf("replications",
			"a precision decides the number of replications: leave out one of replications and precision")
	case q.Replications != nil:
		if o.Replications = int(*q.Replications); o.Replications < 1 {
			return o, ask.Inputf("replications", "is %d: nothing would be simulated, want at least 1, better 20", o.Replications)
		}
	case q.Precision != nil:
		if o.Precision = float64(*q.Precision); !(o.Precision > 0 && o.Precision < 1) {
			return o, ask.Inputf("precision", "is %s, want more than 0 and less than 100%%, such as 1%%",
				ask.Digits(o.Precision))
		}
	default:
		o.Precision, o.Events = DefaultPrecision, MostEvents
	}
	if q.Horizon != nil {
		if o.Horizon = float64(*q.Horizon) / unit; !(o.Horizon > 0) {
			return o, ask.Inputf("horizon", "is 0, want a time to simulate such as 1d")
		}
	}
	if q.WarmUp != nil {
		o.WarmUp = float64(*q.WarmUp) / unit
		if q.Horizon != nil && !(o.WarmUp < o.Horizon) {
			return o, ask.Inputf("horizon",
				"the warm-up of %s is not shorter than the horizon of %s: nothing would be counted",
				units.FormatDuration(float64(*q.WarmUp), 6), units.FormatDuration(float64(*q.Horizon), 6))
		}
	}
	return o, nil
}

// A System is a station that stands for a closed form.
type System struct {
	Model   string // in words: M/M/c, gamma service of SCV 0.5
	Station station.Station
	// Unit is how many seconds the station's unit of time is; 0 is 1.
	Unit float64
	// Closed are the figures of the closed form, nil where it has none, in seconds.
	// Figures of the station that are not among them are left out, unless All.
	Closed map[string]*float64
	All    bool
}

// Of simulates a system. Errors: *ask.InputError, *ask.InfeasibleError for one
// without a steady state and no horizon, and that of the context.
func (q *Question) Of(ctx context.Context, s System) (*Simulation, error) {
	unit := cmp.Or(s.Unit, 1)
	o, err := q.options(unit)
	if err != nil {
		return nil, err
	}
	if q.Precision == nil && q.Replications == nil && s.drawnAnew() {
		o.Precision = RoughPrecision
	}
	if o.Replications == 1 && len(s.Station.Jobs) == 0 {
		s.Station.Batches = 32 // one long run knows its precision by its parts
	}
	if len(s.Station.Jobs) > 0 {
		o.Precision, o.Replications = 0, 1
	}
	weight := s.Station.Weight()
	o.Events, o.HorizonEvents = uint64(float64(o.Events)/weight), uint64(float64(o.HorizonEvents)/weight)
	if o, err = s.Station.Options(o); err != nil {
		return nil, refused(err)
	}
	if q.WarmUp != nil {
		o.FindWarmUp = false
	}
	if n := s.Station.Events(o.Horizon); o.Events > 0 && q.Horizon == nil && s.curved() && n > MostEvents {
		return nil, ask.Inputf("replications", "a run of the whole load curve has some %.0f million events and may take "+
			"minutes: want a number of runs, such as 2, or a horizon to simulate its beginning", n/1e6)
	}
	got, err := sim.Run(ctx, &s.Station, o)
	if err != nil {
		return nil, refused(crowded(&s.Station, cmp.Or(o.Horizon, math.Inf(1)), err))
	}
	a := answer(q, s.Model, got, unit)
	a.needed = o.LeastWarmUp * unit
	a.Unsettled = a.Unsettled || q.WarmUp == nil && !o.FindWarmUp && o.WarmUp < o.LeastWarmUp
	if !math.IsInf(o.Horizon, 1) {
		a.Horizon = o.Horizon * unit
	}
	a.compare(got, s, unit)
	a.planned(got)
	return a, nil
}

// curved reports whether arrivals follow a curve.
func (s *System) curved() bool {
	return slices.ContainsFunc(s.Station.Classes, func(c station.Class) bool { return c.Curve != nil })
}

// drawnAnew reports whether a run has more randomness of its own than its customers.
func (s *System) drawnAnew() bool {
	return s.curved() ||
		slices.ContainsFunc(s.Station.Groups, func(g station.Group) bool { return g.Up > 0 && g.Up < 1 })
}

// answer restates a result without its figures.
func answer(q *Question, model string, got sim.Result, unit float64) *Simulation {
	a := &Simulation{
		Model:        model,
		Seed:         q.Seed,
		Replications: got.Replications,
		WarmUp:       got.WarmUp * unit,
		Events:       got.Events,
		Reached:      got.Reached,
		Interrupted:  got.Interrupted,
		Unsettled:    !got.Settled,
		Figures:      map[string]Figure{},
	}
	if q.Timing {
		a.EventsPerSecond = ask.Figure(math.Round(got.EventsPerSecond()))
	}
	return a
}

// has reports whether a figure has a meaning for the system.
func (s *System) has(name string) bool {
	patient := slices.ContainsFunc(s.Station.Classes, func(c station.Class) bool { return c.Patience != nil })
	part, figure, parted := strings.Cut(name, ".")
	if !parted {
		figure = name
	}
	switch figure {
	case station.MovedUp, station.LeastPromised:
		return false
	case "abandon_probability":
		return patient
	case "blocking_probability":
		return s.Station.Loss || s.Station.Places > 0
	case "service_level":
		return s.Station.MaxWait > 0 && !s.Station.Loss
	case "mean_wait_s", "wait_percentile_s", "wait_probability":
		return !s.Station.Loss
	case "mean_queue_length":
		return !s.Station.Loss && !interval(part)
	}
	// Levels are those of the whole day, whoever came when.
	return !parted || !interval(part)
}

// interval reports whether a part is an interval of the day and not a class.
func interval(part string) bool { return strings.HasPrefix(part, "interval ") }

// Names returns the figures in the order of their names, intervals by number.
func (a *Simulation) Names() []string {
	return slices.SortedFunc(maps.Keys(a.Figures), func(x, y string) int {
		px, fx, _ := strings.Cut(x, ".")
		py, fy, _ := strings.Cut(y, ".")
		if interval(px) && interval(py) {
			return cmp.Or(cmp.Compare(len(px), len(py)), cmp.Compare(px, py), cmp.Compare(fx, fy))
		}
		return cmp.Compare(x, y)
	})
}

// FigureColumns are the figures, in the order of [Simulation.Names], and the ends of their intervals.
func (a *Simulation) FigureColumns() iter.Seq2[string, *float64] {
	return func(yield func(string, *float64) bool) {
		for _, name := range a.Names() {
			f := a.Figures[name]
			if !yield(name, f.Mean) || !yield(name+"_low", f.Low) || !yield(name+"_high", f.High) {
				return
			}
		}
	}
}

// Warnings says what the reader of a simulation ought to know. method names the
// approximation of the closed form, empty where that is exact.
func (a *Simulation) Warnings(method string) []string {
	var all []string
	if a.Interrupted {
		all = append(all,
			fmt.Sprintf("the simulation was interrupted: its figures cover %s",
				fault.Count(a.Replications, "run")))
	} else if !a.Reached && a.Replications < mostReplications {
		all = append(all, fmt.Sprintf("the simulation ended after %s, its intervals wider than usual: ask for a "+
			"precision to have it go on", fault.Count(a.Replications, "run")))
	} else if !a.Reached {
		all = append(all, fmt.Sprintf(
			"the simulation did not reach its precision within %s: its intervals are wider than requested",
			fault.Count(a.Replications, "run"),
		))
	}
	short := a.WarmUp < a.needed
	switch {
	case a.Unsettled:
		all = append(all,
			"the runs had not settled by half of the horizon, which was left out: simulate a longer horizon, or "+
				"give a warm-up")
	case short:
		all = append(all, fmt.Sprintf(
			"the runs still show their beginning at the end of the warm-up: give a warm-up of %s, or none to "+
				"have it chosen",
			units.FormatDuration(a.needed, 2),
		))
	}
	if w := a.unplanned(); w != "" {
		all = append(all, w)
	}
	if a.Agrees != nil && !*a.Agrees {
		if short {
			all = append(all, "the simulation differs from the closed form, but such runs do not prove it wrong")
		} else if method != "" {
			all = append(all, method+" is an approximation and the simulation differs from it: "+
				"trust the simulation where they differ")
		} else {
			all = append(all,
				"the simulation differs from the closed form beyond chance, though both should be exact: one seed "+
					"in a hundred does so; try another seed")
		}
	}
	return all
}

// refused puts an error of the engine into the words of a question.
func refused(err error) error {
	var unstable *queueing.UnstableError
	var domain *sim.DomainError
	var memory *sim.MemoryError
	switch {
	case errors.As(err, &unstable):
		return ask.Infeasiblef("servers", 1, unstable.Utilization,
			"no steady state to simulate: the offered load per server is %s, and a steady state needs less than 1; "+
				"with a horizon the simulation shows how the queue grows",
			ask.Digits(unstable.Utilization))
	case errors.As(err, &domain):
		what := strings.ToLower(domain.Arg[strings.LastIndexByte(domain.Arg, '.')+1:]) // such as Classes[0].Demands
		if want := strings.TrimPrefix(domain.Want, domain.Arg+" "); what == "replications" {
			return ask.Inputf(what, "is %s, want them %s", ask.Digits(domain.Value), want)
		}
		return ask.Inputf("simulate", "%s = %s, want %s", what, ask.Digits(domain.Value), domain.Want)
	case errors.As(err, &memory):
		return ask.Inputf("horizon", "%s", strings.TrimPrefix(memory.Error(), "sim: "))
	case errors.Is(err, sim.ErrNothingWatched):
		return ask.Inputf("horizon", "too little happens within it to find a warm-up, want a longer one, or a warm-up")
	}
	return err
}

// crowded says of a station that takes too much memory, however short the horizon, which number of it does, and how
// much is possible. Other errors come back as they are.
func crowded(s *station.Station, horizon float64, err error) error {
	memory, ok := errors.AsType[*sim.MemoryError](err)
	if !ok {
		return err
	}
	figures := memory.Needed - s.Memory(horizon)
	if s.Memory(0)+figures <= memory.Allowed {
		return err
	}
	most, sources := math.Floor((memory.Allowed-figures)/station.CustomerBytes), 0.0
	for i := range s.Classes {
		sources += float64(s.Classes[i].Sources)
	}
	served := s.Memory(0)/station.CustomerBytes - sources // of those who come from outside, or at once
	takes := fmt.Sprintf("take %.3g GB of memory, and %.3g GB are allowed", memory.Needed/1e9, memory.Allowed/1e9)
	// Some figures are of all classes or intervals together, so that a few less than their share fit.
	share := 0.99 * memory.Allowed / memory.Needed
	switch {
	case figures > memory.Allowed && len(s.Classes) > 1:
		return ask.Inputf("classes", "%d classes with the figures of each %s: want at most %.0f", len(s.Classes), takes,
			math.Floor(share*float64(len(s.Classes))))
	case figures > memory.Allowed && len(s.Classes) == 1 && s.Classes[0].Curve != nil:
		intervals := float64(len(s.Classes[0].Curve.Rate))
		return ask.Inputf("load_curve", "%.0f intervals with the figures of each %s: want at most %.0f", intervals, takes,
			math.Floor(share*intervals))
	case len(s.Jobs) > 0:
		return ask.Inputf("swf", "%d jobs %s: want at most %.0f", len(s.Jobs), takes, most)
	case sources > served:
		return ask.Inputf("sources", "%.0f %s: want at most %.0f", sources, takes, math.Floor(most-served))
	}
	return ask.Inputf("servers", "%d with those whom they serve %s: want at most %.0f, and a load below it", s.Servers,
		takes, most-sources)
}

// Law returns the law by a mean and an SCV that package queueing takes too; nil is
// an SCV of 1.
func Law(field string, mean float64, scv *units.Number) (station.Law, error) {
	l, err := queueing.FittedLaw(mean, ask.Or(scv, 1.0))
	if err == nil {
		return l, Drawable(field, l, ask.Or(scv, 1.0))
	}
	return nil, ask.FromQueueing(field, err)
}

// Whole returns a number of servers that a simulation can have.
func Whole(servers float64) (int, error) {
	if n := math.Round(servers); n == servers && n >= 1 && n <= 1<<30 {
		return int(n), nil
	}
	return 0, ask.Inputf("servers", "a simulation needs a whole number of servers from 1 on, not %s",
		ask.Digits(servers))
}
