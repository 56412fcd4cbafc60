package pcu

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// What DAS-2 had, and what it was in the machines of the pool (section 5.1, 5.2).
const (
	das2CPUs   = 400.0     // Pentium III of 1.5 GFlops
	das2Speed  = 1.5 / 3.5 // of a dedicated machine
	das2Days   = 4
	das2Memory = 3 * 8 * 64e6 // bits that a migration moves: three times 64 MB
)

// das2States are what migrations move; that of the log is not known of the real one.
var das2States = []struct {
	name string
	bits float64
}{{"1 MB", pcuBits}, {"three times the memory", 0}}

// ofJobLog are figures 14 and 15, for which a log of jobs runs. Both figures come of the
// same runs.
func ofJobLog() []paper.Reproducible {
	differs := "the DAS-2 log of 2003 is not at hand: a generated one has four days of Lublin and Feitelson's run " +
		"times, two-stage sizes, a cycle of the day and 20% of 400 machines busy; every processor of a job is a job " +
		"by itself; a migration moves 1 MB as in section 5.2, or three times the memory, " +
		"which a generated job has 64 MB of. " + pcuReadings
	return []paper.Reproducible{
		{
			Name:   "pcu-figure-14",
			Source: "PCU figure 14",
			Title:  "Utilization and running time beside those of DAS-2",
			Reproduced: "both for 20 to 400 dedicated machines, on a log that is given (--swf) " +
				"or on a generated one, and the comparison by capacity and not by number",
			Differs: differs,
			Run:     figure14,
		},
		{
			Name:   "pcu-figure-15",
			Source: "PCU figure 15",
			Title:  "Work done on public machines, of the load of DAS-2",
			Reproduced: "the share of the work, and the down-time of a job, which the text tells beside it, " +
				"in the runs of figure 14",
			Differs: "the generated load keeps 35 dedicated machines busy, so that 100 leave little to public ones: " +
				"the printed share comes with 20 to 40. T" + differs[1:],
			Run: figure15,
		},
	}
}

var pcuLogSizes = []int{20, 40, 60, 80, 100, 150, 200, 400}

// figure14 is what public machines add to dedicated ones, by the number of the latter.
// Utilization and running time are over those of DAS-2 itself.
func figure14(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "dedicated machines"
	a.Drawn = []paper.Panel{{Quantity: "utilization over that of DAS-2", YLabel: "utilization over that of DAS-2"},
		{Quantity: "running time", YLabel: "running time over that alone", YLog: true}}
	return poolFigure{a.Name, len(das2States) * len(pcuLogSizes), figure14Points, figure14Claims}.show(ctx, q, a)
}

// figure15 shows what figure 14 has no room for: its points are stored there.
func figure15(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "dedicated machines"
	a.Drawn = []paper.Panel{{Quantity: "work on public machines", YLabel: "share of work on public machines"},
		{Quantity: "down-time of a job", YLabel: "down-time of a job (s)"}}
	f := poolFigure{"pcu-figure-14", len(das2States) * len(pcuLogSizes), figure14Points, figure15Claims}
	return f.show(ctx, q, a)
}

// figure14Points simulates the log on each number of dedicated machines. The horizon is two days
// longer than the log, so that jobs that are late still end.
func figure14Points(ctx context.Context, s *poolStudy) error {
	log := s.question.JobLog
	if log == nil {
		log = das2Log(sim.Stream(s.question.Seed, 0, 0x64617332), das2Days*86400)
	}
	work := 0.0
	for _, j := range log {
		work += j.Work
	}
	span := log[len(log)-1].At + 1
	s.horizon = span + 2*86400
	before := work / das2Speed / span / das2CPUs // utilization of DAS-2
	s.answer.Add(paper.Row{Quantity: "utilization of DAS-2", Computed: ask.Figure(before),
		Note: fmt.Sprintf("%d jobs of one processor in %s days", len(log), ask.Digits(span/86400))})
	for _, state := range das2States {
		for _, n := range pcuLogSizes {
			p := poolOf(1)
			p.Dedicated = n
			p.Jobs = moving(log, state.bits)
			r, err := s.run(ctx, p)
			if err != nil {
				return err
			}
			s.besideDAS2(float64(n), state.name, r, work/span, before)
		}
	}
	return nil
}

// besideDAS2 adds what a run has beside DAS-2, which had a load in the seconds of
// dedicated machines and so was busy for a share of the time.
func (s *poolStudy) besideDAS2(n float64, state string, r sim.Result, load, before float64) {
	e := s.point("increase of the running time", state, "", n, r, "elongation_of_all")
	s.answer.Plot("running time", "over a dedicated machine, "+state, "", n, 1+e.Mean)
	s.answer.Plot("running time", "over a machine of DAS-2, "+state, "", n, (1+e.Mean)*das2Speed)
	share := s.point("work on public machines", state, "", n, r, "public_work_share")
	s.point("down-time of a job", "failures, "+state, "s", n, r, "down_failure_s")
	s.point("down-time of a job", "migrations, "+state, "s", n, r, "down_migration_s")
	// While the jobs of the log come: the figure of the run has the days after too.
	busy := load * (1 - share.Mean) / n
	s.answer.Plot("utilization over that of DAS-2", state, "", n, busy/before)
	if state == das2States[0].name {
		s.answer.Plot("utilization over that of DAS-2",
			state+", as if all machines were alike", "", n, busy/das2Speed/before)
	}
}

// figure14Claims judges figure 14. What the text's own numbers allow stands beside the printed
// gain, which is more.
func figure14Claims(s *poolStudy) {
	const n = 100
	for _, state := range das2States {
		s.printed("increase of the running time, "+state.name+",", .10, .12,
			s.mean("increase of the running time", state.name, n),
			"no more than, the text: 10% in section 5.6 and 12% in section 1, over a dedicated machine")
		s.printed("gain in utilization, "+state.name+",", 2.5, 2.5,
			s.mean("utilization over that of DAS-2", state.name, n)-1,
			"the text: as high as 250%, at 25% of the machines")
	}
	// 100 machines of 3.5 GFlops for 400 of 1.5.
	s.printed("cut of the capacity", .75, .75, 1-100*3.5/(das2CPUs*1.5),
		"the text: a cut in resource provisioning; in number it is 75%, in GFlops (350 for 600) this")
	s.printed("greatest gain in utilization", 2.5, 2.5, das2CPUs*das2Speed/100*(1-.3)-1,
		"what the text's own numbers allow: gain + 1 = 600/350 · (1 − work on public machines), "+
			"which it has at 30% and more; counted by number it would be 400/100 · (1 − 0.3) − 1 = 1.8")
}

func figure15Claims(s *poolStudy) {
	for _, state := range das2States {
		s.printed("work on public machines, "+state.name+",", .3, .6,
			s.mean("work on public machines", state.name, 100),
			"the text: 30% to 60% for a reasonably sized pool")
	}
	s.downTimeWords()
	s.peakWords()
}

// moving returns the jobs with another footprint, 0 for that of the log. The given log stays as it
// is.
func moving(log pool.Log, bits float64) pool.Log {
	if bits == 0 {
		return log
	}
	out := slices.Clone(log)
	for i := range out {
		out[i].Footprint = bits
	}
	return out
}

// printed adds a number that the text prints, or a range. from and to are equal for a single
// number.
func (s *poolStudy) printed(quantity string, from, to, computed float64, note string) {
	row := paper.Row{
		Quantity:  quantity + " at 100 machines",
		Printed:   &from,
		PrintedTo: &to,
		Computed:  ask.Figure(computed),
		Note:      note,
	}
	if from == to {
		row.PrintedTo = nil
	}
	if scaleOf(s.question) < 1 {
		row.Verdict = paper.CannotBeTold
	}
	s.answer.Add(row)
}

// das2Log makes jobs such as those of DAS-2: of one processor by a fifth, else of a
// two-stage uniform law of the logarithm of their size, half of them a power of
// two; the size is that of InterGrid table 2. Arrivals are Poisson with a rate that
// goes from a fifth of its mean at night to nine fifths in the afternoon.
func das2Log(r *rand.Rand, span float64) pool.Log {
	size := law.TwoStage{L: .8, M: 2.5, H: 6, Q: .9}
	processors := func() int {
		if r.Float64() < .2 {
			return 1
		}
		v := size.Draw(r)
		if r.Float64() < .5 {
			v = math.Round(v)
		}
		return int(min(128, math.Ceil(math.Exp2(v))))
	}
	// The mean number of processors is estimated by draws, since sizes are cut and rounded.
	const sample = 20000
	mean := 0.0
	for range sample {
		mean += float64(processors()) / sample
	}
	run := pool.Lublin()
	rate := .2 * das2CPUs / (mean * run.Mean())
	var jobs pool.Log
	// Arrivals at the greatest rate are kept with the chance that the rate of the hour has to it,
	// which makes them Poisson of that rate (thinning).
	for t := 0.0; ; {
		t += r.ExpFloat64() / (1.8 * rate)
		if t > span {
			return jobs
		}
		if r.Float64()*1.8 > 1-.8*math.Cos(2*math.Pi*(t/86400-1./8)) {
			continue
		}
		// Work is in seconds of a dedicated machine; users are 100, as in figure 4.
		work, user := run.Draw(r)*das2Speed, r.IntN(100)
		for range processors() {
			jobs = append(jobs, pool.Arrival{At: t, Work: work, Footprint: das2Memory, User: user})
		}
	}
}
