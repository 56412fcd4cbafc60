package approximations

import (
	"context"

	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/station"
)

// A trial is a system that is simulated beside what approximations say of it.
type trial struct {
	study, name string
	model       sim.Model
	options     sim.Options
	says        []saying
}

// A saying is what an approximation says of a figure of the simulation, for the
// measure of a key.
type saying struct {
	key, figure string
	estimate    float64
	least       float64 // what is below tells nothing: hardly anybody waits
}

// trialRuns stand behind a stored figure.
const trialRuns = 20

// Customers that come in a run of a stationary trial, and the share of them that
// comes before counting begins: six times and more as long as the slowest of them
// takes to forget that it was empty. The horizon is counted in customers, so that
// busy and idle systems are known equally well.
const (
	trialCustomers = 30_000
	trialWarmUp    = 0.2
)

// ofStation is a trial on a station; one whose arrivals follow a curve lasts as long
// as that needs.
func ofStation(study, name string, s *station.Station, says []saying) trial {
	t := trial{study: study, name: name, model: s, says: says}
	rate := 0.0
	// Arrivals by a curve have no gaps, and their day says how long a run is.
	for _, c := range s.Classes {
		if c.Gaps == nil {
			return t
		}
		gap, _, _ := c.Gaps.Moments()
		rate += 1 / gap
	}
	t.options.Horizon = trialCustomers / rate
	t.options.WarmUp = trialWarmUp * t.options.Horizon
	return t
}

// run simulates a trial: with as many runs, or where they are 0 those of a stored
// figure. A station knows when it has settled and takes its own way; any other
// model runs as its options say.
func (t *trial) run(ctx context.Context, runs int, seed uint64) (known, error) {
	o := t.options
	o.Seed = seed
	if runs > 0 {
		o.Replications = runs
	} else if o.Replications == 0 {
		o.Replications = trialRuns
	}
	var r sim.Result
	var err error
	if s, ok := t.model.(*station.Station); ok {
		r, err = station.Simulate(ctx, s, o)
	} else {
		r, err = sim.Run(ctx, t.model, o)
	}
	// An interrupted run has figures, of fewer customers than its stored ones.
	// They are no references.
	if err == nil && r.Interrupted {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	k := known{}
	for _, s := range t.says {
		if e, ok := r.Figure(s.figure); ok && e.Samples > 0 {
			k[[3]string{t.study, t.name, s.figure}] = simulated{e.Mean, (e.High - e.Low) / 2}
		}
	}
	return k, nil
}

// trials are all that are simulated, in the order of the table.
func trials() ([]trial, error) {
	var all []trial
	studies := []func() ([]trial, error){priorities, curves, responses, elastic, finishing, finishingDrawn, preempting}
	for _, of := range studies {
		some, err := of()
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// casesOf are the cases of a measure among trials, in their order. A figure below
// the least of its saying is left out, as one of a system in which hardly anybody
// waits.
func casesOf(key string, all []trial, k known) []Case {
	var cases []Case
	for i := range all {
		for _, s := range all[i].says {
			v, ok := k[[3]string{all[i].study, all[i].name, s.figure}]
			if s.key == key && ok && v.mean >= s.least {
				cases = append(cases, Case{all[i].name + ": " + s.figure, s.estimate, v.mean, v.half})
			}
		}
	}
	return cases
}
