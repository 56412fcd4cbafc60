package grid

import (
	"context"
	"os"
	"strings"

	model "github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// hostsInput reads machines that come and go, as the flags say. finish, simulate bot and simulate
// hosts describe machines alike. read leaves in warnings what the file or the fleet says of itself.
type hostsInput struct {
	// name is one of SpeQuloS table 2, a trace, or with a fleet names of its machines.
	name string
	// machines is their number, those that are away among them.
	machines *units.Count
	// Laws of the times up and down, as texts; an empty down is that machines never leave.
	up, down string
	// Machines of a group share outages, whose laws the two after it are.
	groups             *units.Count
	groupUp, groupDown string
	// Mean speed in operations a second, and its coefficient of variation over machines.
	speed, speedCV *units.Number
	// departure is the chance that a machine that leaves does so for good, in [0, 1].
	departure *units.Fraction
	// What a trace of spot instances or of prices is read by: instances, a bid and a budget.
	threshold   *int64
	bid, budget *float64
	fleet       fleetHosts
	warnings    []string
}

// flags binds what says on which machines a bag runs. One of four sources is given: a name of
// SpeQuloS table 2, a trace, numbers and laws, or a fitted fleet. What belongs to another source is
// refused by read.
func (in *hostsInput) flags(s *cmdline.FlagSet) {
	s.Text("hosts", &in.name, "NAME|FILE", "machines: "+strings.Join(bags.HostNames(), ", ")+
		" as in SpeQuloS table 2, or a trace of machines (Failure Trace Archive, spot instances or prices, "+
		"PlanetLab, samples of load)")
	s.Known("hosts", bags.HostNames)
	cmdline.Value(s, "machines", &in.machines, "N", "number of machines, instead of --hosts; --up and --down say "+
		"when they are there, and without these they never leave")
	s.Text("up", &in.up, "LAW", "law of the time that a machine stays: "+bags.LawForm)
	s.Text("down", &in.down, "LAW", "law of the time that a machine is away, with --up")
	// Speeds are operations a second, as in the paper, where a desktop has 1000 and a cloud worker
	// 3000.
	cmdline.Value(s, "speed", &in.speed,
		"X", "mean speed of a machine in operations per second (default 1000, a desktop; with --hosts NAME its own)")
	cmdline.Value(s, "speed-cv",
		&in.speedCV, "CV", "coefficient of variation of the speeds (default 0.25; with --hosts NAME its own)")
	cmdline.Value(s, "departure", &in.departure, "P", "chance that a machine that leaves never returns (default 0%)")
	cmdline.Value(s, "groups",
		&in.groups, "N", "number of groups of machines that share outages, with --group-up and --group-down")
	s.Text("group-up", &in.groupUp, "LAW", "law of the time between outages of a group")
	s.Text("group-down", &in.groupDown, "LAW", "law of the length of an outage")
	cmdline.Number[units.Count](s, "threshold",
		&in.threshold, "N", "least number of instances with which a spot trace counts as up (default 1)")
	cmdline.Number[units.Number](s, "bid",
		&in.bid, "X", "bid in US dollars per hour: a machine runs while the spot price is at most the bid")
	// A budget is divided as SpeQuloS does it for spot instances: the more machines run, the lower
	// the bid of the next, so that the count follows the price.
	cmdline.Number[units.Number](s, "budget",
		&in.budget, "X", "budget in US dollars per hour for all machines at a spot price: the i-th machine bids the "+
			"budget divided by i")
	in.fleet.flags(s)
}

// read makes the platform. Errors: *ask.InputError of a flag; *source.FileError of a trace or a
// fleet.
func (in *hostsInput) read(ctx context.Context, st *cmdline.Streams) (*hosts.Platform, error) {
	p, err := in.source(ctx, st)
	if err != nil {
		return nil, err
	}
	// A new mean keeps the coefficient of variation: machines that are twice as fast spread as before
	// in proportion.
	if in.speed != nil {
		cv := p.Speed.SD / p.Speed.Mean
		p.Speed.Mean = float64(*in.speed)
		p.Speed.SD = cv * p.Speed.Mean
	}
	if in.speedCV != nil {
		p.Speed.SD = float64(*in.speedCV) * p.Speed.Mean
	}
	p.Departure = ask.Or(in.departure, p.Departure)
	// The count has no default: a single group is a shared outage of all.
	if in.groups == nil && (in.groupUp != "" || in.groupDown != "") {
		return nil, &ask.InputError{Field: "groups", Reason: "outages need the number of groups, such as --groups 4"}
	}
	if in.groups != nil {
		// One more than may be is enough to be refused by the check of the platform, and fits an int.
		p.Groups.Count = int(min(*in.groups, hosts.MostMachines+1))
		if p.Groups.Up, err = lawFlag("group-up", in.groupUp); err != nil {
			return nil, err
		}
		if p.Groups.Down, err = lawFlag("group-down", in.groupDown); err != nil {
			return nil, err
		}
	}
	// The check of the model names its own fields, which FromModel turns into those of a question.
	return p, bags.FromModel(p.Check())
}

// lawFlag reads the law of a flag that has to be given. Errors: *ask.InputError of the flag.
func lawFlag(name, text string) (law.Law, error) {
	if text == "" {
		return nil, ask.Missing(name, bags.LawForm)
	}
	l, err := bags.ParseLaw(text)
	if err != nil {
		return nil, &ask.InputError{Field: name, Reason: err.Error()}
	}
	return l, nil
}

// desktop is the speed of a machine if none is given, from SpeQuloS table 2.
var desktop = hosts.Speed{Mean: 1000, SD: 250}

// source finds the machines by the first of: a fitted fleet, numbers and laws, a name of a paper, a
// file. Errors: as read.
func (in *hostsInput) source(ctx context.Context, st *cmdline.Streams) (*hosts.Platform, error) {
	if in.fleet.file != "" {
		return in.fleet.read(ctx, st, in)
	}
	if in.name == "" {
		return in.byLaws()
	}
	// Two descriptions of the machines contradict each other.
	if in.machines != nil || in.up != "" || in.down != "" {
		return nil, ask.Inputf("hosts", "--machines, --up and --down replace it: give either")
	}
	if p, ok := bags.NamedHosts(in.name); ok {
		if in.threshold != nil || in.bid != nil || in.budget != nil {
			return nil, &ask.InputError{Field: "hosts", Reason: "--threshold, --bid and --budget belong to a trace"}
		}
		return p, nil
	}
	// A word without a point or a slash that is not a file is taken for a misspelt name, and the
	// names are suggested; for what looks like a path the error is that it cannot be read.
	if _, err := os.Stat(in.name); in.name != "-" && err != nil && !strings.ContainsAny(in.name, "./") {
		return nil, &ask.InputError{Field: "hosts", Reason: bags.Unknown(in.name, bags.HostNames()) + " and no file"}
	}
	// A course is the record of one machine with the times at which it came and went; the
	// simulation replays it from a random moment.
	c := &records.Courses{
		Lifetimes: records.Lifetimes{
			Threshold: in.threshold,
			Bid:       in.bid,
			Open:      trace.OpenOptions{Stdin: st.In, Wrap: st.Progress(in.name)},
		},
		Budget: in.budget,
	}
	if err := c.Read(ctx, in.name); err != nil {
		return nil, err
	}
	in.warnings = append(in.warnings, c.Warnings...)
	return &hosts.Platform{Name: in.name, Count: len(c.Records), Records: c.Records, Speed: desktop}, nil
}

// byLaws makes machines of numbers and laws. The count is bounded by hosts.MostMachines, which
// bounds memory.
func (in *hostsInput) byLaws() (*hosts.Platform, error) {
	if in.machines == nil {
		return nil, ask.Missing("hosts",
			strings.Join(bags.HostNames(), ", ")+", a trace, or --machines N --up LAW --down LAW")
	}
	if *in.machines > hosts.MostMachines {
		return nil, ask.Inputf("machines", "is %s, want at most 10,000,000", ask.Digits(float64(*in.machines)))
	}
	p := &hosts.Platform{Name: "laws", Count: int(*in.machines), Speed: desktop}
	// Machines that never leave need no law; one that stays for a time has to be away for one as well.
	if in.down == "" {
		if in.up != "" {
			return nil, ask.Missing("down", bags.LawForm)
		}
		return p, nil
	}
	var err error
	if p.Up, err = lawFlag("up", in.up); err != nil {
		return nil, err
	}
	p.Down, err = lawFlag("down", in.down)
	return p, err
}

// bagInput reads a bag, as the flags say. Either a name or file, or tasks and time; bound is in s
// of a machine of mean speed, as is time.
type bagInput struct {
	// name is a bag of SpeQuloS table 3 or a file; tasks and time describe one in numbers.
	name  string
	tasks *units.Count
	time  *units.Duration
	// bound is the time of a task in s as its user states it.
	bound *units.Duration
}

// flags binds what says which tasks there are: a name, a file, or a number and a time.
func (in *bagInput) flags(s *cmdline.FlagSet) {
	s.Text("bag", &in.name, "NAME|FILE",
		"bag of tasks: "+strings.Join(bags.BagNames(), ", ")+" as in SpeQuloS table 3, or CSV with "+bags.BagForm)
	s.Known("bag", bags.BagNames)
	cmdline.Value(s, "tasks", &in.tasks, "N", "number of tasks, instead of --bag; needs --task-time")
	cmdline.Value(s, "task-time", &in.time, "TIME", "time of a task on a machine of mean speed")
	cmdline.Value(s, "wall-clock", &in.bound,
		"TIME", "upper bound that the user states for a task's time; the credits follow from it (default: the "+
			"task's time)")
}

// read makes the bag; the time of a task is that on the machines. The machines p come first, since
// the work of a task follows from their mean speed. Errors: *ask.InputError, *source.FileError.
func (in *bagInput) read(ctx context.Context, st *cmdline.Streams, p *hosts.Platform) (*model.Bag, error) {
	b, err := in.source(ctx, st, p)
	if err != nil {
		return nil, err
	}
	b.WallClock = ask.Or(in.bound, b.WallClock)
	return b, bags.FromModel(b.Check())
}

// source makes the bag of a number of tasks, of a name of a paper or of a file. Errors: as read.
func (in *bagInput) source(ctx context.Context, st *cmdline.Streams, p *hosts.Platform) (*model.Bag, error) {
	if in.name == "" {
		switch {
		case in.tasks == nil:
			return nil, ask.Missing("bag",
				strings.Join(bags.BagNames(), ", ")+", a file, or --tasks N --task-time TIME")
		case in.time == nil:
			return nil, ask.Missing("task-time", "the time of a task on a machine of mean speed such as 20min")
		case *in.time == 0:
			return nil, ask.Inputf("task_time",
				"is 0, want the time of a task on a machine of mean speed such as 20min")
		}
		return &model.Bag{
			Name: "tasks",
			Size: model.Spread{Mean: float64(*in.tasks)},
			// The time is for a machine of mean speed; the work is that time in operations, so that
			// a fast machine takes less.
			Work: model.Spread{Mean: float64(*in.time) * p.Speed.Mean},
		}, nil
	}
	if in.tasks != nil || in.time != nil {
		return nil, &ask.InputError{Field: "bag", Reason: "--tasks and --task-time replace it: give either"}
	}
	if b, ok := bags.NamedBag(in.name); ok {
		return b, nil
	}
	// As with --hosts, a word that looks like no path is taken for a misspelt name.
	if _, err := os.Stat(in.name); in.name != "-" && err != nil && !strings.ContainsAny(in.name, "./") {
		return nil, &ask.InputError{Field: "bag", Reason: bags.Unknown(in.name, bags.BagNames()) + " and no file"}
	}
	return cmdline.Read(ctx, st, in.name, "a bag of tasks in CSV, with "+bags.BagForm, bags.ReadBag)
}
