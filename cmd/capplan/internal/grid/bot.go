package grid

import (
	"context"

	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// Bot simulates a bag of tasks under one of three servers. The figures are means over independent
// runs, with their intervals.
func Bot() *cmdline.Command {
	s := cmdline.NewFlags(false)
	var machines hostsInput
	var bag bagInput
	q := &bags.SimulateQuestion{}
	bag.flags(s)
	machines.flags(s)
	serverFlag(s, &q.Server)
	s.Text("strategy", &q.Strategy, "NAME",
		"strategy for help by cloud workers: when they start (9C nine tenths completed, 9A nine tenths assigned, D "+
			"variance doubled), how many (G greedy, C conservative, or a number) and how they work (F flat, R "+
			"reschedule, D duplicate), such as 9C-C-R; or none (default none)")
	s.Known("strategy", strategyNames)
	// 15 credits an hour of a worker are the rate of SpeQuloS.
	cmdline.Number[units.Number](s, "credits",
		&q.Credits, "X", "credits that help may spend; a worker costs 15 per hour (default: a tenth of the bag)")
	s.Toggle("hourly", &q.Hourly, "charge a worker for every hour that it begins")
	// A worker is paid from its start, before it has booted.
	cmdline.Number[units.Duration](s, "boot", &q.Boot, "TIME", "time to boot a cloud worker (default 2min)")
	// A bag on machines that all leave for good would never end.
	cmdline.Number[units.Duration](s, "horizon", &q.Horizon, "TIME", "time after which a bag is given up (default "+
		"100d, or 20 times what a long bag takes at the least; by xwhep sooner if no task is done for long)")
	counted(s, &q.Seed, &q.Replications, "100")
	cmdline.Into[units.Fraction](s, "precision", &q.Precision, "P",
		"relative half-width of the mean time's interval at which the simulation stops",
		cmdline.Above0("a share such as 2%"))
	s.Sharded()
	s.Toggle("timing",
		&q.Timing, "show the simulated events per second; the same seed then no longer gives the same bytes")
	return &cmdline.Command{
		Name: "bot", Usage: "how long does a bag of tasks take on machines that leave?", Flags: s,
		Description: `Tasks are handed out by XWHEP (a lost task is given out again after 15 min), by BOINC (each
task goes to three machines, two results complete it, and a machine that leaves keeps its
task) or by a server that keeps checkpoints. SpeQuloS starts cloud workers for the tail; the
same runs without them are shown beside.

  $ capplan simulate bot --bag big --hosts spot10 --strategy 9C-C-R --replications 20
  $ capplan simulate bot --tasks 200 --task-time 30min --machines 50 --up weibull:0.6,4h --down 1h --server checkpoint --replications 20`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			var err error
			if q.Hosts, err = machines.read(ctx, st); err != nil {
				return nil, err
			}
			if q.Bag, err = bag.read(ctx, st, q.Hosts); err != nil {
				return nil, err
			}
			if err := bag.Credited(q.Strategy, q.Credits); err != nil {
				return nil, err
			}
			q.Explain = s.Output.Explain
			// How many runs there will be is known only as a precision is approached.
			a, err := cmdline.Counting(ctx, st, "runs", &q.Progress, q, bags.Simulate)
			if err != nil {
				return nil, err
			}
			// What reading the machines said stands first, since it explains what the simulation says.
			a.Warnings = append(machines.warnings, a.Warnings...)
			r := cmdline.Answered(a, report.Bag(a))
			// The runs that are finished when a signal comes are an answer.
			r.Stoppable = true
			return r, nil
		},
	}
}

// strategyNames are those of the paper, and that of no help. They are offered by shells; a number
// of workers in place of a letter is allowed too.
func strategyNames() []string {
	names := []string{"none"}
	for _, s := range spequlos.Strategies() {
		names = append(names, s.String())
	}
	return names
}
