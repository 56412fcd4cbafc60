package pcu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/reliability"
)

// Reproducibles are the figures and examples of PCU. PCU prints few numbers: its worked examples
// are compared, its figures drawn again.
func Reproducibles() []paper.Reproducible {
	return slices.Concat([]paper.Reproducible{
		{Name: "pcu-examples", Source: "PCU section 4.6", Title: "The worked examples of the analysis",
			Reproduced: "link, epoch and replicas with the numbers of the text",
			Differs: "the printed epoch of 180 s is stable only for 1.67 migrations an epoch, " +
				"not 100 (the bounds are in the note); 2.39 replicas are rounded up to 3",
			Run: workedExamples},
		{Name: "pcu-figure-6", Source: "PCU figure 6", Title: "Throughput of the equivalent loss system",
			Reproduced: "the two curves of Erlang's formula: all resources and the dedicated ones alone",
			Differs: "the third curve is simulated: pcu-figure-6-simulated; the paper prints no numbers. " +
				"Jobs are those of its section 5.2: 5000 s on a dedicated machine",
			Run: figure6},
		{Name: "pcu-figure-12", Source: "PCU figure 12", Title: "Jobs down by length of the scheduling epoch",
			Reproduced: "the shape, by the formulas of section 4.6: failures grow with the epoch, migrations fall",
			Differs: "the figure is simulated, with rates that are not printed; here those of section 4.6, " +
				"with 1.67 migrations an epoch, where the printed minimum of 180 s lies",
			Run: figure12},
	}, byFormula(), byPolicy(), byDesign(), ofJobLog())
}

// workedExamples are the examples of the text, in its order. Where the text's own formula has no
// answer, the row says so and is followed by the readings that have one.
func workedExamples(ctx context.Context, _ *paper.Question, a *paper.Reproduction) error {
	footprint, up, dedicated, replicas, epoch := 1e6, 100e6, int64(100), int64(2), 120.0
	link, err := survival.Link(ctx, &survival.LinkQuestion{
		Uplink:    &up,
		Downlink:  &up,
		Footprint: &footprint,
		Replicas:  &replicas,
		Dedicated: &dedicated,
		Epoch:     &epoch,
	})
	if err != nil {
		return err
	}
	// The text rounds it to 5.4 jobs a second.
	a.Compare("greatest arrival rate", "per s",
		5.4, *link.MaxArrivalRate, "100 dedicated, epoch 120 s, 2 replicas of 1 MB, 100 Mbit/s up")
	// One link at 5 and at 10 times the load of the dedicated machines, jobs of 5000 s:
	// λ = times·N/5000 < B/(k·m) − N/δ.
	for _, times := range []float64{5, 10} {
		most := up / (float64(replicas) * 8 * footprint) / (times/pcuWork + 1/epoch)
		a.Says(most < 200, fmt.Sprintf("greatest dedicated cluster of a link at %g times its load", times),
			"machines", most,
			"section 5.5: more than 100 machines, for example, need several clusters for their links; "+
				"by the text's own formula, read as fewer than 200")
	}
	// The numbers are those of the text, with which the printed model has no steady state.
	migrations, time, rate := 100.0, 100.0, 1.0/200
	_, err = survival.Epoch(ctx,
		&survival.EpochQuestion{Migrations: &migrations, MigrationTime: &time, FailureRate: &rate})
	var infeasible *ask.InfeasibleError
	if err != nil && !errors.As(err, &infeasible) {
		return err
	}
	// A row without a computed number keeps the printed one in sight, and its note has the reason.
	row := paper.Row{Quantity: "best epoch", Unit: "s", Printed: new(180.0)}
	if infeasible != nil {
		row.Note = "100 migrations of 100 s, a failure each 200 s: " + infeasible.Reason
	}
	a.Add(row)
	few := 5.0 / 3
	// Two readings give a best epoch: few migrations under the printed model, or as many under the
	// other.
	for _, m := range []struct {
		n     float64
		model survival.EpochModel
	}{{few, survival.EpochMM1}, {migrations, survival.EpochParallel}} {
		e, err := survival.Epoch(ctx,
			&survival.EpochQuestion{Migrations: &m.n, MigrationTime: &time, FailureRate: &rate, Model: m.model})
		if err != nil {
			return err
		}
		a.Compare("best epoch", "s", 180, e.Epoch,
			fmt.Sprintf("%s migrations of 100 s, a failure each 200 s, model %s", ask.Digits(m.n), m.model))
	}
	// The text rounds a number of replicas that is not whole; both are given.
	mttf, mttr := 300.0, 120.0
	r, err := survival.Replicas(ctx, &survival.ReplicasQuestion{MTTF: &mttf, MTTR: &mttr, Target: 0.95})
	if err != nil {
		return err
	}
	a.Compare("replicas", "",
		2.39, *r.ReplicasReal, fmt.Sprintf("MTTF 5 min, MTTR 2 min, 95%%; rounded up to %d", r.Replicas))
	return nil
}

// figure6 is the throughput by the offered load, with 100 dedicated machines and 10000 public.
// Both curves are the throughput of a loss system whose number of servers is the equivalent of
// section 4.6, which need not be whole.
func figure6(ctx context.Context, _ *paper.Question, a *paper.Reproduction) error {
	q := &sizing.ThroughputQuestion{
		Dedicated:   100,
		Rate:        0.02,
		ServiceTime: 5000,
		Pool: &sizing.Pool{
			Machines:     10000,
			Speed:        0.34,
			Availability: 0.7,
			Replicas:     2,
			Count:        sizing.CountMean,
		},
	}
	at, err := sizing.Throughput(ctx, q)
	if err != nil {
		return err
	}
	a.Add(paper.Row{
		Quantity: "equivalent servers",
		Unit:     "",
		Computed: ask.Figure(at.Equivalent),
		Note:     "100 + 0.34/2 · 0.7 · 10,000",
	})
	a.X = "offered load (erl)"
	var rates []float64
	// Jobs of 5000 s make erlangs of rates. Steps of 10 erl are finer than the line is wide.
	for load := 10.0; load <= 2000; load += 10 {
		rates = append(rates, load/5000)
	}
	both, dedicated, err := sizing.ThroughputCurve(ctx, q, rates)
	if err != nil {
		return err
	}
	for _, line := range []struct {
		name string
		y    []float64
	}{{"dedicated and public", both}, {"dedicated only", dedicated}, {"all that arrives", rates}} {
		for i, r := range rates {
			a.Plot("throughput", line.name, "per s", math.Round(r*5000), line.y[i])
		}
	}
	a.Drawn = []paper.Panel{{Quantity: "throughput", YLabel: "throughput (jobs per s)"}}
	return nil
}

// figure12 is the number of jobs down by the epoch, for both models of repair. From 168 s to 199
// s both models have a steady state.
func figure12(_ context.Context, _ *paper.Question, a *paper.Reproduction) error {
	a.X = "epoch (s)"
	for _, m := range []struct {
		name  string
		model reliability.EpochModel
	}{{"mm1", reliability.MM1}, {"parallel", reliability.ParallelRepair}} {
		p := reliability.EpochParams{Migrations: 5.0 / 3, MigrationTime: 100, FailureRate: 1. / 200, Model: m.model}
		best, err := reliability.BestEpoch(p)
		if err != nil {
			return ask.FromReliability(err)
		}
		row := paper.Row{Quantity: "best epoch", Series: m.name, Unit: "s", Computed: ask.Figure(best.Epoch)}
		// The printed 180 s are of the formula that the text gives, which is this one.
		if m.model == reliability.MM1 {
			row.Printed = new(180.0)
		}
		a.Add(row)
		// Whole seconds: the best epoch lies between.
		for delta := 168.0; delta <= 199; delta++ {
			at, err := reliability.EpochCost(p, delta)
			if err != nil {
				return ask.FromReliability(err)
			}
			a.Plot("jobs down", "failures, "+m.name, "", delta, at.JobsDownFailure)
			a.Plot("jobs down", "migrations, "+m.name, "", delta, at.JobsDownMigration)
			a.Plot("jobs down", "both, "+m.name, "", delta, at.JobsDown())
		}
	}
	a.Drawn = []paper.Panel{{Quantity: "jobs down", YLabel: "jobs down on average", YLog: true}}
	return nil
}
