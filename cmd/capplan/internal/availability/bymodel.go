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

// An answerer answers predict or rank by one way of foreseeing. The semi-Markov process has its own
// flags, which are refused with another model.
type answerer interface {
	byFleet(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error)
	byModel(ctx context.Context, st *cmdline.Streams, args []string, model string) (*cmdline.Result, error)
	byProcess(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error)
}

// answer answers by the fleet's hazard if --model or a fleet file asks for it, by the process of each
// machine if one of its own flags is given, and else by the named model or the one that foresaw the
// records best. Errors: *ask.InputError of flags that contradict each other; *source.FileError.
func (in *fleetInput) answer(ctx context.Context, host *HostInput, st *cmdline.Streams, args, own []string,
	by answerer) (*cmdline.Result, error) {
	switch byFleet, err := in.frailty(); {
	case err != nil:
		return nil, err
	case byFleet:
		if err := in.smpAlone(own...); err != nil {
			return nil, err
		}
		return by.byFleet(ctx, st, args)
	}
	if err := host.given(args); err != nil {
		return nil, err
	}
	switch model, err := in.others(append([]string{"days"}, own...)...); {
	case err != nil:
		return nil, err
	case model != "":
		return by.byModel(ctx, st, args, model)
	}
	return by.byProcess(ctx, st, args)
}

// A processAnswer answers by the process of each machine. The commands predict and rank have one
// each; c says why the process was chosen, nil where it was asked for.
type processAnswer func(hosts []machines.Trace, counts, censored bool, c *machines.Choice) (*cmdline.Result, error)

// byModel answers by a model that is scored beside others, or by the best of them. With ranked all
// machines are answered, else the one of --host. Errors: *ask.InputError; *source.FileError of a
// trace.
func (in *fleetInput) byModel(ctx context.Context, host *HostInput, st *cmdline.Streams, args []string,
	q *forecast.ModelQuestion, ranked bool, process processAnswer) (*cmdline.Result, error) {
	// The choice among models tries frailty too, which is why auto may be given a group.
	if in.group != "" && q.Model != backtest.AutoModel {
		return nil, &ask.InputError{Field: "group", Reason: "only used with --model frailty"}
	}
	q.Group = grouped(in.group)
	var err error
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
	if !ranked {
		names := make([]string, len(q.Hosts))
		for i, h := range q.Hosts {
			names[i] = h.Name
		}
		switch at = slices.Index(names, wanted); {
		// A trace of one machine needs no name.
		case wanted == "" && len(names) == 1:
			at = 0
		case wanted == "":
			return nil, &ask.InputError{Field: "host",
				Reason: "the traces hold " + say.Plural(len(names), "machine") + ": name one of them"}
		case at < 0:
			return nil, ask.Inputf("host", "the trace has no machine %s%s", spell.Quote(wanted),
				spell.Suggest(wanted, names))
		}
		q.Host = names[at]
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
		if !ranked {
			// The process of one machine is estimated from its record alone.
			hosts = hosts[at : at+1]
		}
		return process(hosts, q.Model == backtest.CountsModel, q.Model == backtest.CensoredModel, chosen)
	}
	a, err := forecast.AskModel(ctx, q)
	if err != nil {
		return nil, err
	}
	a.Chosen = chosen
	return cmdline.Answered(a, forecasts.Forecast(a, ranked), host.Warnings...), nil
}
