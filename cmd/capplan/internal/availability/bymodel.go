package availability

import (
	"context"
	"slices"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/machines/backtest"
	"github.com/capplan/capplan/planner/machines/forecast"
	"github.com/capplan/capplan/report/forecasts"
	"github.com/capplan/capplan/report/say"
)

// processModels are those of each machine's own semi-Markov process, which predict
// and rank answer in full. They differ in what becomes of a stay that the end of the window cuts:
// see estimatorFlag.
var processModels = []string{backtest.SMPModel, backtest.CensoredModel, backtest.CountsModel}

// process is how the semi-Markov process is estimated by the flags. counts and censored are never
// both true; neither is the estimator to-failure. Errors: *ask.InputError of the field estimator.
func (in *fleetInput) process(estimator string) (counts, censored bool, err error) {
	// censored and counts are both a model beside others and an estimator of the process; the two
	// flags may agree but not differ.
	named := in.model == backtest.CensoredModel || in.model == backtest.CountsModel
	if named && estimator != toFailure && estimator != in.model {
		return false, false, &ask.InputError{Field: "estimator",
			Reason: "is " + estimator + ", and --model " + in.model + ": leave one of them out"}
	}
	if named {
		estimator = in.model
	}
	return estimator == "counts", estimator == "censored", nil
}

// others returns the model by which all machines of the traces are to be foreseen
// beside each other, "" where the machine's own process is asked for: it is where it
// is named, or a flag that only it knows is given. Errors: *ask.InputError of a flag of the process
// beside another model.
func (in *fleetInput) others(own ...string) (string, error) {
	switch {
	case in.model == "" && !slices.ContainsFunc(own, in.set.Gave):
		return backtest.AutoModel, nil
	case in.model == "" || slices.Contains(processModels, in.model):
		return "", nil
	}
	return in.model, in.smpAlone(own...)
}

// windowFlags are what predict and rank have in common: the records of machines, a window of a day,
// and the model that foresees it.
type windowFlags struct {
	set    *cmdline.FlagSet
	in     HostInput
	day    dayInput
	fleet  fleetInput
	ranked bool // machines are put in an order; else one is asked for
	// own are the flags that the semi-Markov process alone knows: no other model has states, or says
	// when a task of some length is done.
	own       []string
	estimator string
	rates     []string // speeds of machines, NAME=X each; predict has none
	// The time for which the machine has been free, and the level of a band; rank has neither.
	elapsed *float64
	level   float64
	// process answers by the semi-Markov process of each machine.
	process func(ctx context.Context, p *processQuestion) (*cmdline.Result, error)
}

// A processQuestion is what predict and rank ask of the semi-Markov process alike.
type processQuestion struct {
	hosts            []machines.Trace // of predict one
	labelling        machines.Labelling
	window           machines.DayWindow
	rates            map[string]float64
	counts, censored bool             // how the process is estimated; at most one is true
	chosen           *machines.Choice // why this model was taken; nil where it was asked for
}

// ask answers by the fleet's hazard if --model or a fleet file asks for it, by the process of each
// machine if one of its own flags is given, and else by the named model or the one that foresaw the
// records best. Errors: *ask.InputError of flags that contradict each other; *source.FileError.
func (f *windowFlags) ask(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	byFleet, err := f.fleet.frailty()
	if err != nil {
		return nil, err
	}
	if byFleet {
		return f.byFleet(ctx, st, args)
	}
	if err := f.in.given(args); err != nil {
		return nil, err
	}
	switch model, err := f.fleet.others(append([]string{"days"}, f.own...)...); {
	case err != nil:
		return nil, err
	case model != "":
		return f.byModel(ctx, st, args, model)
	}
	return f.byProcess(ctx, st, args)
}

// fleetWindow is the window of a question to a fleet, of which rank takes all machines.
func (f *windowFlags) fleetWindow() (machines.DayWindow, error) {
	if f.ranked {
		if err := f.in.whole(); err != nil {
			return machines.DayWindow{}, err
		}
	}
	return f.day.fleetWindow()
}

// byFleet answers by the hazard of the whole fleet, which a machine with little record of its own
// borrows from, and by which a machine with one good day does not come first. A hazard knows only
// free and failed, and not the state at the beginning of the window.
func (f *windowFlags) byFleet(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	if err := f.fleet.smpAlone(f.own...); err != nil {
		return nil, err
	}
	window, err := f.fleetWindow()
	if err != nil {
		return nil, err
	}
	q := &forecast.Question{DayWindow: window, Elapsed: f.elapsed, Level: f.level, Explain: f.set.Output.Explain}
	return f.fleet.foresee(ctx, &f.in, st, args, q, f.ranked)
}

// byProcess answers by the semi-Markov process of each machine's own days. It needs --days, and
// answers with more than a forecast has: states, mean time to failure, completion times of a task.
func (f *windowFlags) byProcess(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
	p := &processQuestion{}
	var err error
	if p.window, err = f.day.question(); err != nil {
		return nil, err
	}
	if p.counts, p.censored, err = f.fleet.process(f.estimator); err != nil {
		return nil, err
	}
	if p.labelling, err = f.in.Labelling(ctx); err != nil {
		return nil, err
	}
	if p.rates, err = machineRates(f.rates); err != nil {
		return nil, err
	}
	// Without --host a trace of several machines is refused by Read, unless all are ranked.
	if err := f.in.Read(ctx, args, st); err != nil {
		return nil, err
	}
	p.hosts = f.in.Hosts
	return f.process(ctx, p)
}

// byModel answers by a model that is scored beside others, or by the best of them, which learn from
// the whole record, so that no number of days is asked for. All machines are ranked, or the one of
// --host is foreseen. Errors: *ask.InputError; *source.FileError of a trace.
func (f *windowFlags) byModel(ctx context.Context, st *cmdline.Streams, args []string,
	model string) (*cmdline.Result, error) {
	window, err := f.fleetWindow()
	if err != nil {
		return nil, err
	}
	q := &forecast.ModelQuestion{
		DayWindow: window,
		Model:     model,
		Elapsed:   f.elapsed,
		Level:     f.level,
		Explain:   f.set.Output.Explain,
	}
	// The choice among models tries frailty too, which is why auto may be given a group.
	if f.fleet.group != "" && q.Model != backtest.AutoModel {
		return nil, &ask.InputError{Field: "group", Reason: "only used with --model frailty"}
	}
	q.Group = grouped(f.fleet.group)
	host := &f.in
	if q.Labelling, err = host.Labelling(ctx); err != nil {
		return nil, err
	}
	// The reader would keep only the machine that is asked for, and a hazard of the fleet needs the
	// others; the name is matched afterwards, in the list of those read.
	wanted := host.host
	host.host, host.Many = "", true // a machine is judged beside all others
	// All machines are kept in memory, since the hazard of the fleet and the choice of a model need
	// them at once.
	if err := host.Read(ctx, args, st); err != nil {
		return nil, err
	}
	q.Hosts = host.Hosts
	at := 0
	if !f.ranked {
		if at, err = named(q.Hosts, wanted); err != nil {
			return nil, err
		}
		q.Host = q.Hosts[at].Name
	}
	var chosen *machines.Choice
	// The chosen model is told with the answer, so that the same question can be asked again by its
	// name.
	if q.Model == backtest.AutoModel {
		chosen, err = backtest.Choose(ctx, &backtest.ChoiceQuestion{
			Hosts:     q.Hosts,
			Labelling: q.Labelling,
			Day:       q.Day,
			Window:    q.Window,
			Group:     q.Group,
		})
		if err != nil {
			return nil, err
		}
		q.Model = chosen.Model
	}
	// The best model may be the process of the machine's own days, which predict and rank answer with
	// more than a forecast has.
	if slices.Contains(processModels, q.Model) {
		hosts := q.Hosts
		if !f.ranked {
			// The process of one machine is estimated from its record alone.
			hosts = hosts[at : at+1]
		}
		return f.process(ctx, &processQuestion{
			hosts:     hosts,
			labelling: q.Labelling,
			window:    q.DayWindow,
			counts:    q.Model == backtest.CountsModel,
			censored:  q.Model == backtest.CensoredModel,
			chosen:    chosen,
		})
	}
	q.Consume = true // nothing else reads the samples from here on
	a, err := forecast.AskModel(ctx, q)
	if err != nil {
		return nil, err
	}
	a.Chosen = chosen
	return cmdline.Answered(a, forecasts.Forecast(a, f.ranked), host.Warnings...), nil
}

// named returns where the machine of that name stands; a trace of one machine needs no name. Errors:
// *ask.InputError.
func named(hosts []machines.Trace, name string) (int, error) {
	if name == "" && len(hosts) == 1 {
		return 0, nil
	}
	if name == "" {
		return 0, &ask.InputError{Field: "host",
			Reason: "the traces hold " + say.Plural(len(hosts), "machine") + ": name one of them"}
	}
	names := make([]string, len(hosts))
	for i, h := range hosts {
		names[i] = h.Name
	}
	at := slices.Index(names, name)
	if at < 0 {
		return 0, ask.Inputf("host", "the trace has no machine %s%s", spell.Quote(name), spell.Among(name, names))
	}
	return at, nil
}
