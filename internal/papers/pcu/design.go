package pcu

import (
	"context"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/papers/paper"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/pool"
)

// byDesign are the simulated figures 7, 8, 10 and 12. These are the figures about the
// design of a pool: its size, replicas and epoch.
func byDesign() []paper.Reproducible {
	return []paper.Reproducible{
		{
			Name:       "pcu-figure-7-simulated",
			Source:     "PCU figure 7",
			Title:      "Goodput by load and size of the dedicated cluster, simulated",
			Reproduced: "goodput and elongation of algorithm 1 for 25 to 200 dedicated machines and loads to 1500 erl",
			Differs:    "drawn without numbers. " + pcuReadings,
			Run:        figure7Simulated},
		{Name: "pcu-figure-8", Source: "PCU figures 8 and 9", Title: "Migrations begun in an epoch, and their time",
			Reproduced: "both by load and size of the dedicated cluster, and the time at some of the points for " +
				"states of 10 MB",
			Differs: "drawn without numbers. " + pcuReadings,
			Run:     figure8},
		{
			Name:   "pcu-figure-10-simulated",
			Source: "PCU figures 10 and 11",
			Title:  "Down-time and elongation by degree of replication, simulated",
			Reproduced: "both curves of down-time, and elongation, for one to eight replicas at five times the load " +
				"of the dedicated machines",
			Differs: "drawn without numbers. " + pcuReadings,
			Run:     figure10Simulated},
		{
			Name:       "pcu-figure-12-simulated",
			Source:     "PCU figures 12 and 13",
			Title:      "Down-time and elongation by length of the epoch, simulated",
			Reproduced: "both curves of down-time, and elongation, for epochs of 15 s to 10 min",
			Differs: "drawn without numbers. The shortest epoch is the best: jobs down for migrations lose some " +
				"minutes by it, of hours that they take, and gain more by being moved sooner; " +
				"why the text has a minimum at 1 to 2 minutes it does not say. " +
				pcuReadings,
			Run: figure12Simulated},
	}
}

var (
	pcuSizes = []int{25, 100, 200}
	pcuLoads = []float64{100, 300, 500, 1000, 1500}
	// The heavy ones are the points at which a migration moves ten times as much.
	pcuHeavySizes, pcuHeavyLoads = []int{100, 200}, []float64{300, 1000}
	pcuEpochs                    = []float64{15, 30, 60, 120, 180, 240, 360, 480, 600}
)

// pcuReplicas is the greatest degree of replication that is simulated.
const pcuReplicas = 8

// grid simulates each size of the cluster under each load. each is told every result in the order
// of sizes, then loads.
func (s *poolStudy) grid(ctx context.Context, sizes []int, loads []float64, footprint float64,
	each func(n int, load float64, r sim.Result)) error {
	s.horizon = 24 * 3600
	for _, n := range sizes {
		for _, load := range loads {
			p := poolOf(load)
			p.Dedicated = n
			w := p.Jobs.(pool.Poisson)
			w.Footprint = footprint
			p.Jobs = w
			r, err := s.run(ctx, p)
			if err != nil {
				return err
			}
			each(n, load, r)
		}
	}
	return nil
}

func dedicatedMachines(n int) string { return fmt.Sprintf("%d dedicated", n) }

// figure7Simulated is the goodput by the offered load, for each number of dedicated machines.
// Goodput is the work of jobs within e_max, in erlangs.
func figure7Simulated(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "offered load (erl)"
	a.Drawn = []paper.Panel{{Quantity: "goodput", YLabel: "goodput (erl)", NoRange: true},
		{Quantity: "elongation", YLabel: "elongation", NoRange: true}}
	return poolFigure{a.Name, len(pcuSizes) * len(pcuLoads), figure7Points, figure7Claims}.show(ctx, q, a)
}

func figure7Points(ctx context.Context, s *poolStudy) error {
	return s.grid(ctx, pcuSizes, pcuLoads, pcuBits, func(n int, load float64, r sim.Result) {
		s.point("goodput", dedicatedMachines(n), "erl", load, r, "goodput_erl")
		s.point("elongation", dedicatedMachines(n), "", load, r, "elongation_of_all")
	})
}

// figure7Claims judges figure 7. Without printed numbers, what the text says in words is held
// against the points.
func figure7Claims(s *poolStudy) {
	most := 0.0
	for _, n := range pcuSizes {
		most = max(most, s.mean("goodput", dedicatedMachines(n), 1500))
	}
	least := s.mean("goodput", dedicatedMachines(pcuSizes[0]), 1500)
	s.claim(most > least, most/least-1,
		"", "the text: a larger cluster has a larger capacity; the gain of the best over 25 machines at 1500 erl")
	s.goodputWords()
}

// figure8 is the number of migrations and the time that one takes, by the offered load. Points
// with ten times the data show what a fuller link does.
func figure8(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "offered load (erl)"
	a.Drawn = []paper.Panel{{Quantity: "migrations in an epoch", YLabel: "migrations in an epoch", NoRange: true},
		{Quantity: "time of a migration", YLabel: "time of a migration (s)", YLog: true, NoRange: true}}
	// The number of points is what the bar counts to.
	points := len(pcuSizes)*len(pcuLoads) + len(pcuHeavySizes)*len(pcuHeavyLoads)
	return poolFigure{a.Name, points, figure8Points, figure8Claims}.show(ctx, q, a)
}

// figure8Points simulates each size under each load, and some points with 10 MB to move.
func figure8Points(ctx context.Context, s *poolStudy) error {
	err := s.grid(ctx, pcuSizes, pcuLoads, pcuBits, func(n int, load float64, r sim.Result) {
		s.point("migrations in an epoch", dedicatedMachines(n), "", load, r, "migrations_per_epoch")
		s.point("time of a migration", dedicatedMachines(n)+", 1 MB", "s", load, r, "migration_time_s")
		s.point("use of the uplink", dedicatedMachines(n)+", 1 MB", "", load, r, "uplink_use")
	})
	if err != nil {
		return err
	}
	return s.grid(ctx, pcuHeavySizes, pcuHeavyLoads, 10*pcuBits, func(n int, load float64, r sim.Result) {
		s.point("time of a migration", dedicatedMachines(n)+", 10 MB", "s", load, r, "migration_time_s")
		s.point("use of the uplink", dedicatedMachines(n)+", 10 MB", "", load, r, "uplink_use")
	})
}

// figure8Claims judges figure 8. count is the mean number of migrations that begin in an epoch.
func figure8Claims(s *poolStudy) {
	count := func(n int, load float64) float64 {
		return s.mean("migrations in an epoch", dedicatedMachines(n), load)
	}
	busiest, longest := 0.0, 0.0
	for _, n := range pcuSizes {
		for _, load := range pcuLoads {
			busiest = math.Max(busiest, s.mean("use of the uplink", dedicatedMachines(n)+", 1 MB", load))
		}
	}
	for _, n := range pcuHeavySizes {
		for _, load := range pcuHeavyLoads {
			longest = math.Max(longest, s.mean("time of a migration", dedicatedMachines(n)+", 10 MB", load))
		}
	}
	// Growth is looked for along both axes of the figure.
	rises := count(100, 500) > count(100, 100) && count(200, 1500) > count(25, 1500)
	s.claim(rises, count(200, 1500)/count(25, 1500),
		"times", "the text: migrations grow with the load and with the cluster; of 200 machines over 25 at 1500 erl")
	growth := s.mean("time of a migration", dedicatedMachines(200)+", 1 MB", 1500) /
		s.mean("time of a migration", dedicatedMachines(25)+", 1 MB", 100)
	s.claim(growth > 2, growth, "times",
		fmt.Sprintf("the text: the link saturates and each migration takes exponentially longer; "+
			"with the 1 MB of section 5.2 the uplink carries at most %s on average, and it takes no more than a "+
			"burst at the beginning of an epoch. With 10 MB a migration alone takes 80.1 s and takes at most %s s",
			ask.Percent(busiest, 3), ask.Digits(longest)))
	s.claim(count(100, 1500) < 2*count(100, 500), count(100, 1500)/count(100, 500),
		"times",
		"the text: migrations do not grow on at high load; 1500 erl over 500 with 100 machines")
	s.migrationWords()
}

// figure10Simulated is the down-time and the elongation by the number of replicas.
func figure10Simulated(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "replicas"
	a.Drawn = []paper.Panel{{Quantity: "down-time of a job", YLabel: "down-time of a job (s)", NoRange: true},
		{Quantity: "elongation", YLabel: "elongation"}}
	return poolFigure{a.Name, pcuReplicas, figure10Points, figure10Claims}.show(ctx, q, a)
}

// figure10Points simulates the down-time of jobs by the number of replicas. Each number of
// replicas is a simulation of its own, at the same seeds.
func figure10Points(ctx context.Context, s *poolStudy) error {
	for k := 1; k <= pcuReplicas; k++ {
		p := poolOf(pcuLoad * pcuDedicated)
		p.Replicas = k
		r, err := s.run(ctx, p)
		if err != nil {
			return err
		}
		x := float64(k)
		s.point("down-time of a job", "failures", "s", x, r, "down_failure_s")
		s.point("down-time of a job", "migrations", "s", x, r, "down_migration_s")
		s.point("elongation", "simulated", "", x, r, "elongation_of_all")
		s.point("time of a migration", "simulated", "s", x, r, "migration_time_s")
		s.point("public machines held", "simulated", "", x, r, "public_machines_held")
	}
	return nil
}

// figure10Claims judges figure 10. "Dramatically" is read as to less than a quarter.
func figure10Claims(s *poolStudy) {
	failed := func(k float64) float64 { return s.mean("down-time of a job", "failures", k) }
	moving := func(k float64) float64 { return s.mean("down-time of a job", "migrations", k) }
	longer := func(k float64) float64 { return s.mean("elongation", "simulated", k) }
	s.claim(failed(2) < failed(1)/4, failed(2)/failed(1),
		"of one replica's", "the text: two replicas dramatically reduce the down-time for failures")
	// "As replicas are added" is read as at each step, of the means.
	falls := true
	for k := 2.0; k <= pcuReplicas; k++ {
		falls = falls && longer(k) < longer(k-1)
	}
	s.claim(falls, longer(pcuReplicas)/longer(1),
		"of one replica's", "the text: elongation falls as replicas are added; of eight")
	s.claim(moving(2) < moving(1), moving(2)/moving(1),
		"of one replica's", "the text: the down-time for migrations falls with the first replicas")
	s.claim(moving(pcuReplicas) > moving(2), moving(pcuReplicas)/moving(2),
		"of two replicas'", "the text: and rises after some point, since each migration takes longer; of eight")
	s.replicaWords()
}

// figure12Simulated is the down-time and the elongation by the length of the epoch.
func figure12Simulated(ctx context.Context, q *paper.Question, a *paper.Reproduction) error {
	a.X = "epoch (s)"
	a.Drawn = []paper.Panel{{Quantity: "down-time of a job", YLabel: "down-time of a job (s)", XLog: true,
		NoRange: true},
		{Quantity: "elongation", YLabel: "elongation", XLog: true}}
	return poolFigure{a.Name, len(pcuEpochs), figure12Points, figure12Claims}.show(ctx, q, a)
}

// figure12Points simulates each length of the epoch at the same seeds.
func figure12Points(ctx context.Context, s *poolStudy) error {
	for _, d := range pcuEpochs {
		p := poolOf(pcuLoad * pcuDedicated)
		// A job that has moved rests for one epoch, whatever its length.
		p.Epoch, p.CoolDown = d, d
		r, err := s.run(ctx, p)
		if err != nil {
			return err
		}
		s.point("down-time of a job", "failures", "s", d, r, "down_failure_s")
		s.point("down-time of a job", "migrations", "s", d, r, "down_migration_s")
		s.point("wait for a machine", "simulated", "s", d, r, "mean_wait_s")
		s.point("elongation", "simulated", "", d, r, "elongation_of_all")
	}
	return nil
}

// figure12Claims judges figure 12. The best epoch is the one of those simulated whose elongation
// is least.
func figure12Claims(s *poolStudy) {
	failed := func(d float64) float64 { return s.mean("down-time of a job", "failures", d) }
	moving := func(d float64) float64 { return s.mean("down-time of a job", "migrations", d) }
	best, least := 0.0, math.Inf(1)
	for _, d := range pcuEpochs {
		if e := s.mean("elongation", "simulated", d); e < least {
			best, least = d, e
		}
	}
	short, long := pcuEpochs[0], pcuEpochs[len(pcuEpochs)-1]
	s.claim(failed(long) > failed(short), failed(long)/failed(short),
		"times", "the text: a long epoch leaves failures undetected; 600 s over 15 s")
	s.claim(moving(short) > moving(long), moving(short)/moving(long),
		"times", "the text: a short epoch has many migrations; 15 s over 600 s")
	printed, to := 60.0, 120.0
	row := paper.Row{Quantity: "best epoch", Unit: "s", Printed: &printed, PrintedTo: &to, Computed: ask.Figure(best),
		Note: "of those simulated, by elongation; the text: 1 to 2 minutes"}
	// A part of the pool has a best epoch of its own.
	if scaleOf(s.question) < 1 {
		row.Verdict = paper.CannotBeTold
	}
	s.answer.Add(row)
}
