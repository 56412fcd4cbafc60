package pcu

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/planner/survival"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/reliability"
)

// What the later figures of PCU have in common (sections 5.1, 5.2 and 5.4): 100
// dedicated machines, jobs of 5000 s and 1 MB, an epoch of 120 s, public hosts
// on lines of 1 Mbit/s behind a link of 100 Mbit/s. Speeds are relative to a dedicated machine,
// times in s, sizes in bit and rates in bit/s.
const (
	pcuDedicated = 100.0
	pcuPublic    = 10_000.0
	pcuUp        = 0.7  // availability of a public machine, figure 6
	pcuSpeed     = 0.34 // of a public machine over a dedicated one, figure 6
	pcuSpeedCV   = 0.5  // of public speeds; figure 2 has no numbers
	pcuWork      = 5000.0
	pcuEpoch     = 120.0
	pcuBits      = 8e6
	pcuLink      = 100e6
	pcuHostLine  = 1e6
	pcuLatency   = 0.1
	pcuLoad      = 5.0 // times the dedicated machines: "5 to 10 times higher"
	pcuMTTF      = 300.0
	pcuMTTR      = 120.0 // as the example of section 4.6; figure 3 has no numbers
)

// byFormula is what formulas give of the simulated figures. Three figures that the
// paper simulates are given by closed forms, whose differences from the simulation are told.
func byFormula() []paper.Reproducible {
	return []paper.Reproducible{
		{Name: "pcu-figure-7", Source: "PCU figure 7", Title: "Throughput by load and size of the dedicated cluster",
			Reproduced: "the throughput of the equivalent loss system (section 4.6) for 25 to 200 dedicated " +
				"machines, with the public pool and without, and the rate that the link lets in at each size",
			Differs: "the figure is simulated with migrations and drawn without numbers; " +
				"the equivalent system has none, so goodput is all that is completed, " +
				"and the fall at high loads by which the figure differs from figure 6 is that of " +
				"pcu-figure-7-simulated",
			Run: figure7},
		{Name: "pcu-figure-10", Source: "PCU figure 10", Title: "Jobs down by degree of replication",
			Reproduced: "jobs down for failures, which take all replicas of a job at once, and for migrations, " +
				"whose transfers share the link with those of all replicas, by the formulas of section 4.6 with " +
				"overlapping recoveries",
			Differs: "the figure is simulated, with failures that figure 3 draws without numbers; " +
				"here those of section 4.6 (5 min up, 2 min down), the load is 5 times the dedicated machines, " +
				"speeds are lognormal of mean 0.34 and cv 0.5, and every epoch migrates as many jobs as there are " +
				"dedicated machines, the most the text allows: so the fall of migrations that the text sees with the " +
				"first replicas is not in it",
			Run: figure10},
		{Name: "pcu-figure-11", Source: "PCU figure 11", Title: "Elongation by degree of replication",
			Reproduced: "1 + e = f + (1 − f)/s with f the part of the load that dedicated machines carry and s the " +
				"mean speed of the fastest of k public machines",
			Differs: "the figure is simulated, with speeds of SETI@home that figure 2 draws without numbers; " +
				"here lognormal speeds of mean 0.34 of a dedicated machine and three coefficients of variation; " +
				"migrations and failures cost nothing",
			Run: figure11},
	}
}

// figure7 is the throughput by the offered load, by formulas, for each size of the dedicated
// cluster. The link bounds what is let in at each size of the dedicated cluster.
func figure7(ctx context.Context, _ *paper.Question, a *paper.Reproduction) error {
	a.X = "offered load (erl)"
	up, footprint, replicas, epoch := pcuLink, pcuBits/8, int64(2), pcuEpoch
	var rates []float64
	// Steps of 25 erl are fine enough for the bend at the number of dedicated machines.
	for load := 25.0; load <= 2000; load += 25 {
		rates = append(rates, load/pcuWork)
	}
	for _, n := range []int64{25, 50, 100, 150, 200} {
		link, err := survival.Link(ctx, &survival.LinkQuestion{
			Uplink:    &up,
			Downlink:  &up,
			Footprint: &footprint,
			Replicas:  &replicas,
			Dedicated: &n,
			Epoch:     &epoch,
		})
		if err != nil {
			return err
		}
		row := paper.Row{
			Quantity: "greatest rate of the link",
			Series:   fmt.Sprintf("%d dedicated", n),
			Unit:     "per s",
			Computed: ask.Figure(*link.MaxArrivalRate),
		}
		if n == pcuDedicated {
			row.Printed, row.Note = new(5.4), "the example of section 4.6"
		}
		a.Add(row)
		q := &sizing.ThroughputQuestion{
			Dedicated:   n,
			Rate:        rates[0],
			ServiceTime: pcuWork,
			Pool: &sizing.Pool{
				Machines:     pcuPublic,
				Speed:        pcuSpeed,
				Availability: pcuUp,
				Replicas:     2,
				// One number of machines up stands for all, as the mean.
				Count: sizing.CountMean, // as section 4.6
			},
		}
		both, dedicated, err := sizing.ThroughputCurve(ctx, q, rates)
		if err != nil {
			return err
		}
		for i, r := range rates {
			// The rate was made of a whole load, and the division leaves a last digit.
			load := math.Round(r * pcuWork)
			a.Plot("throughput",
				fmt.Sprintf("%d dedicated, public", n), "per s", load, min(both[i], *link.MaxArrivalRate))
			a.Plot("throughput of the dedicated alone", fmt.Sprintf("%d dedicated", n), "per s", load, dedicated[i])
		}
	}
	a.Drawn = []paper.Panel{{Quantity: "throughput", YLabel: "with public machines (jobs per s)"},
		{Quantity: "throughput of the dedicated alone", YLabel: "dedicated alone (jobs per s)"}}
	return nil
}

// figure10 counts the jobs down of those that run on public machines. Every epoch migrates as
// many jobs as there are dedicated machines.
func figure10(_ context.Context, _ *paper.Question, a *paper.Reproduction) error {
	a.X = "replicas"
	load := pcuLoad * pcuDedicated
	down := map[int]float64{}
	var moving []float64 // jobs down for migrations, from one replica on
	// Twelve is beyond the degree at which the link is full.
	const most = 12
	for k := 1; k <= most; k++ {
		migration, busy := pcuTransfer(float64(k), load/pcuWork)
		// A full link has no steady state: what is asked of it is said in place of a number.
		if busy >= 1 {
			a.Add(paper.Row{
				Quantity: "jobs down",
				Series:   "migrations",
				X:        new(float64(k)),
				Note:     fmt.Sprintf("the link is asked for %s of what it carries", ask.Digits(busy)),
			})
			continue
		}
		speed, err := queueing.FastestSpeed(pcuSpeed, pcuSpeedCV, float64(k))
		if err != nil {
			return err
		}
		set := reliability.ReplicaSet{Component: reliability.Component{MTTF: pcuMTTF, MTTR: pcuMTTR}, Replicas: k,
			Needed: 1}
		steady, err := set.SteadyState()
		if err != nil {
			return ask.FromReliability(err)
		}
		at, err := reliability.EpochCost(reliability.EpochParams{
			Migrations:    pcuDedicated,
			MigrationTime: migration,
			// Jobs on public machines at a time, each of which loses all its replicas at that rate.
			FailureRate: (load - pcuDedicated) / speed * steady.OutageRate,
			Model:       reliability.ParallelRepair,
		}, pcuEpoch)
		if err != nil {
			return ask.FromReliability(err)
		}
		down[k] = at.JobsDownFailure
		moving = append(moving, at.JobsDownMigration)
		a.Plot("jobs down", "failures", "", float64(k), at.JobsDownFailure)
		a.Plot("jobs down", "migrations", "", float64(k), at.JobsDownMigration)
		a.Plot("jobs down", "both", "", float64(k), at.JobsDown())
		a.Plot("migration time", "a transfer", "s", float64(k), migration)
	}
	both := down[2] / down[1]
	a.Says(both < 0.5, "down for failures, two replicas over one", "", both,
		fmt.Sprintf("the text: replicas dramatically reduce the chance of concurrent failures, "+
			"read as by half or more; four leave %s of it, six %s",
			ask.Digits(down[4]/down[1]), ask.Digits(down[6]/down[1])))
	a.Says(moving[len(moving)-1] > moving[0], "down for migrations, most replicas over one", "",
		moving[len(moving)-1]/moving[0],
		"the text: after some point each migration takes longer and down-time for migrations increases")
	a.Says(slices.Min(moving) < moving[0], "down for migrations, least over one replica", "",
		slices.Min(moving)/moving[0],
		"the text: it falls with the first few replicas, as fewer jobs have to move; here every epoch moves as many")
	a.Drawn = []paper.Panel{{Quantity: "jobs down", YLabel: "jobs down on average", YLog: true},
		{Quantity: "migration time", YLabel: "time of a migration (s)"}}
	return nil
}

// pcuTransfer is the time of a migration over the link, and the utilization of
// it: the load km(λ + N_d/δ) of section 4.6 shares it, which stretches the time
// over the host's own line by 1/(1 − u).
func pcuTransfer(k, rate float64) (seconds, busy float64) {
	busy = k * pcuBits * (rate + pcuDedicated/pcuEpoch) / pcuLink
	return pcuLatency + pcuBits/pcuHostLine/(1-busy), busy
}

// figure11 is the elongation by the number of replicas. A share of 1/5 of the load is carried by
// dedicated machines without elongation.
func figure11(_ context.Context, _ *paper.Question, a *paper.Reproduction) error {
	a.X = "replicas"
	share := 1 / pcuLoad
	// Figure 2 gives no spread of speeds, so that three stand for it.
	for _, cv := range []float64{pcuSpeedCV, 0.7, 1} {
		series := fmt.Sprintf("speeds of cv %v", cv)
		var steps []float64
		last := math.Inf(1)
		for k := 1.0; k <= 10; k++ {
			speed, err := queueing.FastestSpeed(pcuSpeed, cv, k)
			if err != nil {
				return err
			}
			// The dedicated machines and the forerunners carry the load between
			// them; the pool has to hold the replicas.
			if needed := k * (pcuLoad - 1) * pcuDedicated / speed; needed > pcuUp*pcuPublic {
				a.Add(paper.Row{Quantity: "elongation", Series: series, X: new(k), Note: fmt.Sprintf(
					"needs %s public machines, %s are up", ask.Digits(needed), ask.Digits(pcuUp*pcuPublic),
				)})
				continue
			}
			elongation := share + (1-share)/speed - 1
			steps = append(steps, elongation-last)
			last = elongation
			a.Plot("elongation", series, "", k, elongation)
			a.Plot("speed of the fastest replica", series, "of a dedicated machine", k, speed)
		}
		// The first step is from no replica at all.
		a.Says(slices.Max(steps[1:]) < 0, "least fall of elongation by one more replica, "+series, "",
			-slices.Max(steps[1:]),
			"the text: the run time of jobs keeps decreasing as the degree of replication increases")
	}
	a.Drawn = []paper.Panel{{Quantity: "elongation", YLabel: "elongation"},
		{Quantity: "speed of the fastest replica", YLabel: "fastest replica, of a dedicated machine"}}
	return nil
}
