package pcu

import (
	"context"
	"fmt"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// pcuReadings says what the simulated figures take for what PCU leaves open.
const pcuReadings = "figures 2 and 3 have no numbers, and e_max, ρ, τ and the age at which jobs are dropped are " +
	"not printed: speeds lognormal of mean 0.34 and cv 0.5, availability 0.70, and the readings of package sim/pool"

// byPolicy are figures 4 to 6, for which two policies or two speeds are simulated.
func byPolicy() []paper.Reproducible {
	return []paper.Reproducible{
		{
			Name:   "pcu-figure-4",
			Source: "PCU figures 4 and 5",
			Title:  "Correlation of goodput with what the agreement allows, static and preemptive",
			Reproduced: "Pearson's correlation over 100 users of goodput and min(V0, B) " +
				"under both policies with one chance, by e_max; work as in Lublin and Feitelson's model, " +
				"the load 5 times the dedicated machines",
			Differs: "sign and order are compared, not the size, and the sign is the printed one where e_max is 1 " +
				"alone, of the five tried: below it and above it static follows the agreement more closely, " +
				"which the text does not say. V0 is drawn evenly from 0 to 10 erlangs around the 5 that a user asks " +
				"for on average, and e_max is not printed; arrivals are Poisson without the model's cycle " +
				"of the day. " + pcuReadings,
			Run: figure4},
		{Name: "pcu-figure-6-simulated", Source: "PCU figure 6", Title: "Throughput, simulated beside Erlang's formula",
			Reproduced: "the third curve of the figure beside the two of Erlang's formula, " +
				"and that of a pool whose forerunner of two replicas sets the speed",
			Differs: pcuReadings,
			Run:     figure6Simulated},
	}
}

// pcuLimits are the greatest elongations of figure 4.
var pcuLimits = []float64{.25, .5, 1, 2, 4}

// figure4 is how well the signal min(V0, B) follows the goodput, by the greatest elongation.
// Stored rows are taken where nothing of its own is asked, since a run for each of two policies at
// five limits takes minutes.
func figure4(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "greatest elongation that counts, e_max"
	a.Drawn = []paper.Panel{{Quantity: "correlation", YLabel: "correlation of goodput with min(V0, B)", XLog: true},
		{Quantity: "goodput", YLabel: "work within e_max", XLog: true}}
	if defaults(q) {
		takeStored(a, rowsOfFigure4())
		return nil
	}
	s := pools(q, a, 2*len(pcuLimits))
	for _, most := range pcuLimits {
		if err := s.policies(ctx, most); err != nil {
			return err
		}
	}
	return nil
}

// policies compares the two, replication by replication, where jobs that take at most
// so much longer count. Both have the same jobs and machines by the same seeds, so that their
// difference is paired.
func (s *poolStudy) policies(ctx context.Context, most float64) error {
	work := pool.Lublin()
	var results [2]sim.Result
	for i, policy := range []pool.Policy{pool.Static, pool.Preemptive} {
		p := poolOf(pcuLoad * pcuDedicated)
		p.Policy = policy
		p.Jobs = pool.Poisson{Rate: pcuLoad * pcuDedicated / work.Mean(), Work: work, Footprint: pcuBits, Users: 100}
		p.Agreement.MaxElongation = most
		// Each user was promised a load that is drawn from this range, so that promises differ.
		p.Agreement.MaxLoad = [2]float64{0, 10 * scaleOf(s.question)}
		var err error
		if results[i], err = s.run(ctx, p); err != nil {
			return err
		}
		// Names stand in the order of the policies above.
		name := []string{"static", "preemptive"}[i]
		s.point("correlation", name, "", most, results[i], "goodput_correlation")
		s.point("goodput", name, "of the work", most, results[i], "goodput_share")
	}
	// A shard has one of the two results at most, and merge takes the difference.
	if s.answer.Kept {
		return nil
	}
	d, err := sim.Difference(results[1], results[0], "goodput_correlation")
	if err != nil {
		return err
	}
	// The paper prints both correlations to ten digits.
	row := paper.Row{
		Quantity: "preemptive less static", X: &most, Printed: new(.3835632358 - .1655306734),
		Computed: ask.Figure(d.Mean), Low: ask.Figure(d.Low), High: ask.Figure(d.High),
		Verdict: s.sign(d.Mean, d.Low, d.High),
		Note:    "sign only: printed .38 and .17; the differences are paired",
	}
	s.answer.Add(row)
	return nil
}

// sign is the verdict on a difference that is said to be above 0. low and high are those of the 95
// % interval.
func (s *poolStudy) sign(mean, low, high float64) paper.Verdict {
	switch {
	case scaleOf(s.question) < 1 || low <= 0 && high >= 0:
		return paper.CannotBeTold
	// The whole interval lies on one side of 0 here.
	case mean > 0:
		return paper.Agrees
	}
	return paper.Differs
}

var pcuThroughputLoads = []float64{50, 100, 200, 400, 600, 800, 1000, 1200, 1300, 1400, 1600, 2000}

// figure6Simulated is the throughput by the offered load, beside two loss systems.
func figure6Simulated(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "offered load (erl)"
	a.Drawn = []paper.Panel{{Quantity: "throughput", YLabel: "throughput (jobs per s)", NoRange: true},
		{Quantity: "simulated over Erlang", YLabel: "simulated over Erlang"}}
	mean, fastest, err := pcuEquivalents()
	if err != nil {
		return err
	}
	points := func(ctx context.Context, s *poolStudy) error { return figure6Points(ctx, s, mean, fastest) }
	claims := func(s *poolStudy) { figure6Claims(s, mean, fastest) }
	return poolFigure{a.Name, len(pcuThroughputLoads), points, claims}.show(ctx, q, a)
}

// pcuEquivalents are the dedicated machines that the pool is worth, its public ones
// having the mean speed or that of the faster of two replicas. They are servers of speed 1 and need
// not be whole.
func pcuEquivalents() (mean, fastest float64, err error) {
	public := queueing.Pool{Machines: pcuPublic, Speed: pcuSpeed, Availability: pcuUp, Replicas: 2}
	if mean, err = queueing.EquivalentServers(pcuDedicated, public); err != nil {
		return 0, 0, err
	}
	if public.Speed, err = queueing.FastestSpeed(pcuSpeed, pcuSpeedCV, 2); err != nil {
		return 0, 0, err
	}
	fastest, err = queueing.EquivalentServers(pcuDedicated, public)
	return mean, fastest, err
}

// figure6Points simulates the throughput by the offered load. Beside each simulated point stand
// three loss systems: of all machines at the mean speed, at the speed of the faster replica, and of
// the dedicated machines alone.
func figure6Points(ctx context.Context, s *poolStudy, mean, fastest float64) error {
	for _, load := range pcuThroughputLoads {
		r, err := s.run(ctx, poolOf(load))
		if err != nil {
			return err
		}
		e := s.point("throughput", "simulated", "per s", load, r, "throughput_per_s")
		s.point("share of what comes", "simulated", "", load, r, "goodput_share")
		for _, line := range []struct {
			name    string
			servers float64
			beside  string // the curve over it
		}{
			{"Erlang, mean speed", mean, "mean speed"},
			{"Erlang, fastest of two", fastest, "fastest of two"},
			{"Erlang, dedicated only", pcuDedicated, ""},
		} {
			b, err := queueing.ErlangB(line.servers, load)
			if err != nil {
				return err
			}
			can := load * (1 - b) / pcuWork * scaleOf(s.question)
			s.answer.Plot("throughput", line.name, "per s", load, can)
			if line.beside != "" {
				s.answer.Plot("simulated over Erlang", line.beside, "", load, e.Mean/can)
			}
		}
	}
	return nil
}

// figure6Claims judges figure 6. "Almost equal" is read as within 3 % of it, by the upper end of
// the interval.
func figure6Claims(s *poolStudy, mean, fastest float64) {
	const series = "mean speed"
	last, moderate, almost := 0.0, 1.0, true
	for _, load := range pcuThroughputLoads {
		over := s.mean("simulated over Erlang", series, load)
		last = over - 1
		if load <= 1000 {
			moderate = min(moderate, over)
			_, high := s.at("throughput", "simulated", load)
			almost = almost && high > .97*s.mean("throughput", "Erlang, "+series, load)
		}
	}
	s.claim(almost, moderate, "of Erlang's",
		fmt.Sprintf("the text: almost equal to the ideal system at moderate loads; the least up to 1000 erl. "+
			"N = %s with the mean speed, %s with that of the fastest of two replicas",
			ask.Digits(mean), ask.Digits(fastest)))
	s.claim(last < 0, last, "of Erlang's",
		"the text: at high load the throughput is marginally below the ideal; the gap at 2000 erl to Erlang with the "+
			"mean speed. The forerunner of two replicas is faster than the mean: of the pool that has its speed "+
			"the throughput is short, by the fall of what the manager can keep busy")
	s.overloadWords()
}
