package grid

import (
	"context"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// finishFlags are a question and what has to be read or converted before it is whole.
type finishFlags struct {
	q        bags.FinishQuestion
	machines hostsInput
	bag      bagInput
	set      *cmdline.FlagSet
	price    *units.Money // of an hour of a cloud worker
	simulate bool
}

// Finish asks when a bag of tasks is done, and what help buys. The closed form answers at once and
// finds the cheapest help in time; simulation checks it, or with --search replaces it.
func Finish() *cmdline.Command {
	f := &finishFlags{}
	s := cmdline.NewFlags(true)
	f.flags(s)
	return &cmdline.Command{
		Name: "finish", Usage: "when is a bag of tasks done, and what does help buy?", Flags: s,
		Description: `Answers when a bag of tasks is done on machines that leave, in closed form, and with --by
how many cloud workers to start, and when, so that it is done in time at the least cost.
--plot draws time against cost.

Designs by the formulas keep a margin of 3%, which has its price. Where the formulas are not
trusted (workers that do their few tasks in step), a design is judged by simulated runs
instead, or a warning says that this would take too long. --simulate --search starts from
that design and tries other starts, numbers of workers and methods in simulations of the
same runs; its answer is the cheapest help with so few late runs that the chance asked for
is met with a confidence of 95% (binomial).

  $ capplan finish --bag small --hosts nd --by 8h --with 95% --cloud-price 0.1/h
  $ capplan finish --tasks 2000 --task-time 20min --machines 300 --up weibull:0.6,8h --down 2h
  $ capplan finish --tasks 100 --task-time 20min --machines 50 --up 4h --down 1h --by 2h --simulate --search

On machines like those of a fitted fleet, as predicted from a weekday morning on:

  $ capplan availability fit testdata/hosts-small.csv --model frailty --out fitted-bag.json
  $ capplan finish --tasks 100 --task-time 20min --fleet fitted-bag.json --machines 20 --day weekday --start 09:00 --simulate`,
		Ask: func(ctx context.Context, st *cmdline.Streams, _ []string) (*cmdline.Result, error) {
			f.q.Explain = s.Output.Explain
			return f.ask(ctx, st)
		},
	}
}

// flags binds the flags, most of them straight to fields of the question.
func (f *finishFlags) flags(s *cmdline.FlagSet) {
	f.bag.flags(s)
	f.machines.flags(s)
	serverFlag(s, &f.q.Server)
	cmdline.Number[units.Duration](s, "by",
		&f.q.By, "TIME", "deadline of the bag, counted from its submission, such as 8h; finds the cheapest help "+
			"that keeps it")
	cmdline.Number[units.Fraction](s, "with", &f.q.With, "P", "chance with which the bag must keep the deadline "+
		"(default 95%)")
	// The margin covers what the formulas leave out, such as the order in which tasks end.
	cmdline.Number[units.Fraction](s, "margin", &f.q.Margin, "P",
		"safety margin: help is planned as if everything took this much longer than the formulas say (default 3%, "+
			"with which 396 of 397 drawn designs held)")
	cmdline.Value(s, "cloud-price",
		&f.price, "PRICE", "price of an hour of a cloud worker, such as 0.1/h, '$0.10/h' or 72EUR/month")
	cmdline.Number[units.Number](s, "cloud-speed",
		&f.q.CloudSpeed, "X", "speed of a cloud worker in operations per second (default 3000)")
	cmdline.Number[units.Duration](s, "boot", &f.q.Boot, "TIME", "time to boot a cloud worker (default 2min)")
	cmdline.Number[units.Number](s, "credits",
		&f.q.Credits, "X", "credits that help may spend; a worker costs 15 per hour (default: no limit)")
	s.Toggle("hourly", &f.q.Hourly, "charge a worker for every hour that it begins")
	s.Toggle("simulate", &f.simulate, "check the answer by simulation")
	s.Toggle("search", &f.q.Search, "search by simulation for the cheapest help that keeps the deadline (default: "+
		"by the formulas)")
	s.Needs("search", "simulate")
	// Without a deadline no help is looked for.
	for _, ofHelp := range []string{"margin", "cloud-price", "cloud-speed", "boot", "credits", "hourly"} {
		s.Needs(ofHelp, "by")
	}
	f.set = s
	counted(s, &f.q.Seed, &f.q.Replications, "100 with --simulate; with --search 200 or as many as the chance needs")
	s.Sharded()
}

// ask reads machines and tasks, and answers.
func (f *finishFlags) ask(ctx context.Context, st *cmdline.Streams) (*cmdline.Result, error) {
	q := &f.q
	var err error
	// Machines are read first: the work of a task follows from their mean speed.
	if q.Hosts, err = f.machines.read(ctx, st); err != nil {
		return nil, err
	}
	if q.Bag, err = f.bag.read(ctx, st, q.Hosts); err != nil {
		return nil, err
	}
	if err := f.bag.Credited("", nil); err != nil {
		return nil, err
	}
	if f.price != nil {
		q.PriceAs(*f.price)
	}
	// The formulas draw nothing, so that a seed or a number of runs without --simulate would
	// be given in vain.
	switch {
	case f.simulate:
		// A search chooses the number of its runs itself where none is given.
		if q.Replications == 0 && !q.Search {
			q.Replications, q.Bounded = bags.DefaultReplications, true
		}
	case f.set.Gave("seed") || f.set.Gave("replications"):
		return nil, &ask.InputError{Field: "simulate", Reason: "--seed and --replications need it"}
	}
	// Formulas have no bar: the counter begins with the first simulated run.
	a, err := cmdline.Counting(ctx, st, "runs", &q.Progress, q, bags.Done)
	if err != nil {
		return nil, err
	}
	a.Warnings = append(f.machines.warnings, a.Warnings...)
	switch {
	case a.Doubt == bags.DoubtCost && !q.Search:
		a.Warnings = append(a.Warnings, "--simulate --search finds help that the formulas may miss")
	case a.Doubt == bags.DoubtTimes && !f.simulate:
		a.Warnings = append(a.Warnings, "--simulate shows where the formulas are wrong")
	}
	r := cmdline.Answered(a, report.Finish(a))
	// Formulas are done at once; of a simulation Ctrl-C leaves the runs that are finished.
	r.Stoppable = f.simulate
	return r, nil
}
