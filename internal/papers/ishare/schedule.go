package ishare

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines/backtest"
)

// figure14 is what noise in the record does to a prediction. Failures are put into the
// training days around 8:00, where the windows begin; the discrepancy is the change of the
// predicted reliability over itself.
func figure14(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	e, err := evaluate(ctx, q, a, &backtest.EvaluateQuestion{
		Day:     "weekday",
		Windows: hoursOf(1, 2, 3, 5, 10),
		Starts:  []float64{8 * 3600},
		Models:  []string{},
		Noise:   &backtest.NoiseQuestion{Instances: []int{1, 2, 4, 6, 8, 10}, Seed: q.Seed},
	})
	if err != nil {
		return err
	}
	a.Seed = &q.Seed
	a.X, a.Drawn = "added failures", []paper.Panel{{Quantity: "discrepancy", YLabel: "mean discrepancy",
		NoRange: true}}
	for _, n := range e.Noise.Scores {
		x, h := float64(n.Instances), n.Window/3600
		row := paper.Row{
			Quantity: "discrepancy",
			Series:   fmt.Sprintf("%g h", h),
			X:        &x,
			Computed: n.Mean,
			Low:      n.Least,
			High:     n.Greatest,
		}
		a.Add(row)
		// The mean is judged: the least and the greatest of draws and machines, which
		// the row above has, would hold about any number.
		mean := paper.Row{Quantity: "mean discrepancy", Series: row.Series, X: &x, Computed: n.Mean}
		printed := 0.0
		// The two numbers of the text are bounds from below and above.
		switch {
		case h == 1 && n.Instances == 4:
			printed, mean.Note = 0.5, "more than"
		case h == 3 && n.Instances == 10:
			printed, mean.Note = 0.0556, "less than"
		default:
			continue
		}
		mean.Printed = &printed
		a.Add(mean)
	}
	return nil
}

// replayed runs the jobs of iShare 8.4 on the given traces. Jobs, lengths and schedulers are the
// defaults of backtest.Replay, which are those of section 8.4.
func replayed(ctx context.Context, q *paper.Question, a *paper.Reproduction) (*backtest.ReplayAnswer, error) {
	r, err := backtest.Replay(ctx,
		&backtest.ReplayQuestion{Hosts: q.Hosts, Labelling: q.Labelling, Seed: q.Seed, Done: q.Done})
	if err != nil {
		return nil, err
	}
	a.Seed, a.Warnings, a.X = &q.Seed, r.Warnings, "length of the job (h)"
	return r, nil
}

// figure15 is the share of jobs that meet a failure, by scheduler and length of job. Three
// schedulers place the same jobs; what is compared is the share that fails at least once.
func figure15(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	r, err := replayed(ctx, q, a)
	if err != nil {
		return err
	}
	jobs, lengths := 0, []float64(nil)
	failed := map[string][]float64{} // by scheduler, in order of the lengths
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		if s.FailureRate != nil {
			failed[s.Scheduler] = append(failed[s.Scheduler], *s.FailureRate)
			jobs = s.Jobs - s.Unscheduled
			if s.Scheduler == "proactive" {
				lengths = append(lengths, x)
			}
		}
		a.Add(paper.Row{
			Quantity: "failed",
			Series:   s.Scheduler,
			X:        &x,
			Computed: s.FailureRate,
			Note:     fmt.Sprintf("%d of %d jobs", s.Failed, s.Jobs-s.Unscheduled),
		})
		// A job that no machine could finish is unscheduled by all.
		if s.Scheduler == "omniscient" { // the same for all
			a.Add(paper.Row{
				Quantity: "unscheduled",
				X:        &x,
				Printed:  new(0.03),
				Computed: ask.Figure(float64(s.Unscheduled) / float64(s.Jobs)),
				Note:     "about",
			})
		}
	}
	againstSchedulers(a, jobs, lengths, failed["proactive"], failed["condor-like"], failed["omniscient"])
	a.Drawn = []paper.Panel{{Quantity: "failed", YLabel: "share of the jobs that fail"}}
	return nil
}

// againstSchedulers judges what the text says of figure 15 in words, from the
// shares of so many jobs that fail, by length. Two shares are similar within two
// standard errors, and a difference within them cannot be told.
func againstSchedulers(a *paper.Reproduction, jobs int, lengths, proactive, condor, omniscient []float64) {
	n := len(proactive)
	// Without a share of each scheduler at each length nothing is judged.
	if n < 2 || len(lengths) != n || len(condor) != n || len(omniscient) != n || jobs == 0 {
		return
	}
	// Two standard errors of the difference of shares, each a mean of so many independent jobs.
	noise := func(shares ...float64) float64 {
		sum := 0.0
		for _, p := range shares {
			sum += p * (1 - p)
		}
		return 2 * math.Sqrt(sum/float64(jobs))
	}
	// Better counts as well, so that the test is to one side.
	similar := 0
	for i := range proactive {
		if proactive[i] <= condor[i]+noise(proactive[i], condor[i]) {
			similar++
		}
	}
	a.Says(similar == n, "lengths at which the proactive scheduler fails as often as the condor-like or less",
		fmt.Sprintf("of %d", n), float64(similar), "the text: better or similar; here within two standard errors")
	a.SaysAbove0("failures that the proactive scheduler avoids, of the longest jobs", "", condor[n-1]-proactive[n-1],
		noise(condor[n-1], proactive[n-1]), "the text: for large jobs it performs much better than the condor-like")
	// The text singles out 3 h; a question may have other lengths.
	if i := slices.Index(lengths, 3); i >= 0 {
		a.SaysAbove0("failures above the condor-like scheduler, of jobs of 3 h", "", proactive[i]-condor[i],
			noise(proactive[i], condor[i]), "the text: there the condor-like fails slightly less often")
	}
	a.SaysAbove0("failures above the omniscient scheduler, of the longest jobs over the shortest", "",
		proactive[n-1]-omniscient[n-1]-(proactive[0]-omniscient[0]),
		noise(proactive[n-1], omniscient[n-1], proactive[0], omniscient[0]),
		"the text: the difference generally increases with the length")
}

// figure16 is the makespan, by scheduler and length of job. Makespans are compared over the
// jobs that all three schedulers finished. The text prints a range of 4 to 14 % for proactive below
// condor-like, and 22 % for one point.
func figure16(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	r, err := replayed(ctx, q, a)
	if err != nil {
		return err
	}
	least, most := 0.04, 0.14
	makespan := map[float64]map[string]*float64{}
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		if makespan[x] == nil {
			makespan[x] = map[string]*float64{}
		}
		makespan[x][s.Scheduler] = s.MeanMakespan
		if s.Scheduler == "omniscient" {
			continue
		}
		row := paper.Row{
			Quantity: "slowdown",
			Series:   s.Scheduler,
			X:        &x,
			Computed: s.Slowdown,
			Note:     fmt.Sprintf("over %d jobs", s.Common),
		}
		// The text names this one point.
		if s.Scheduler == "condor-like" && x == 4 {
			row.Printed = new(0.22)
		}
		a.Add(row)
	}
	for _, s := range r.Lengths {
		x := *s.Length / 3600
		p, c := makespan[x]["proactive"], makespan[x]["condor-like"]
		if s.Scheduler != "proactive" || p == nil || c == nil {
			continue
		}
		a.Add(paper.Row{
			Quantity:  "proactive below condor-like",
			X:         &x,
			Printed:   &least,
			PrintedTo: &most,
			Computed:  ask.Figure(1 - *p / *c),
			Note:      "of the mean makespan",
		})
	}
	a.Drawn = []paper.Panel{{Quantity: "slowdown", YLabel: "slowdown against the omniscient scheduler"}}
	return nil
}
