package grid

import (
	"context"
	"os"
	"strings"

	model "github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/bags"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// hostsInput reads machines that come and go, as the flags say. finish, simulate bot and simulate
// hosts describe machines alike. With a fleet HostsName holds names of its machines; beside the names that
// a question knows, it may be a trace. read leaves in warnings what the file or the fleet says of
// itself.
type hostsInput struct {
	bags.HostsSpec
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
	s.Text("hosts", &in.HostsName, "NAME|FILE", "machines: "+strings.Join(bags.HostNames(), ", ")+
		" as in SpeQuloS table 2, or a trace of machines (Failure Trace Archive, spot instances or prices, "+
		"PlanetLab, samples of load)")
	s.Known("hosts", bags.HostNames)
	cmdline.Value(s, "machines", &in.Count, "N", "number of machines, instead of --hosts; --up and --down say "+
		"when they are there, and without these they never leave")
	s.Text("up", &in.Up, "LAW", "law of the time that a machine stays: "+bags.LawForm)
	s.Text("down", &in.Down, "LAW", "law of the time that a machine is away, with --up")
	// Speeds are operations a second, as in the paper, where a desktop has 1000 and a cloud worker
	// 3000.
	cmdline.Value(s, "speed", &in.Speed,
		"X", "mean speed of a machine in operations per second (default 1000, a desktop; with --hosts NAME its own)")
	cmdline.Value(s, "speed-cv",
		&in.SpeedCV, "CV", "coefficient of variation of the speeds (default 0.25; with --hosts NAME its own)")
	cmdline.Value(s, "departure", &in.Departure, "P", "chance that a machine that leaves never returns (default 0%)")
	cmdline.Value(s, "groups",
		&in.Groups, "N", "number of groups of machines that share outages, with --group-up and --group-down")
	s.Text("group-up", &in.GroupUp, "LAW", "law of the time between outages of a group")
	s.Text("group-down", &in.GroupDown, "LAW", "law of the length of an outage")
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

// read makes the platform by the first of: a fitted fleet, what a question can say, a trace. Errors:
// *ask.InputError of a flag; *source.FileError of a trace or a fleet.
func (in *hostsInput) read(ctx context.Context, st *cmdline.Streams) (*hosts.Platform, error) {
	if in.fleet.file != "" {
		return in.adjusted(in.fleet.read(ctx, st, in))
	}
	_, known := bags.NamedHosts(in.HostsName)
	switch described := in.Count != nil || in.Up != "" || in.Down != ""; {
	case in.HostsName != "" && !known && !described:
		return in.adjusted(in.trace(ctx, st))
	case in.threshold != nil || in.bid != nil || in.budget != nil:
		return nil, &ask.InputError{Field: "hosts", Reason: "--threshold, --bid and --budget belong to a trace"}
	case in.HostsName == "" && in.Count == nil:
		return nil, ask.Missing("hosts",
			strings.Join(bags.HostNames(), ", ")+", a trace, or --machines N --up LAW --down LAW")
	}
	return in.Platform()
}

// adjusted are machines that were read with what flags say of their speed, departures and groups.
func (in *hostsInput) adjusted(p *hosts.Platform, err error) (*hosts.Platform, error) {
	if err != nil {
		return nil, err
	}
	return p, in.Adjust(p)
}

// trace reads the record of each machine from a file or a folder.
func (in *hostsInput) trace(ctx context.Context, st *cmdline.Streams) (*hosts.Platform, error) {
	// A word without a point or a slash that is not a file is taken for a misspelt name, and the
	// names are suggested; for what looks like a path the error is that it cannot be read.
	if misspelt(in.HostsName) {
		return nil, &ask.InputError{Field: "hosts", Reason: bags.Unknown(in.HostsName, bags.HostNames()) + " and no file"}
	}
	// A course is the record of one machine with the times at which it came and went; the
	// simulation replays it from a random moment.
	c := &records.Courses{
		Lifetimes: records.Lifetimes{
			Threshold: in.threshold,
			Bid:       in.bid,
			Open:      trace.OpenOptions{Stdin: st.In, Wrap: st.Progress(in.HostsName)},
		},
		Budget: in.budget,
	}
	if err := c.Read(ctx, in.HostsName); err != nil {
		return nil, err
	}
	in.warnings = append(in.warnings, c.Warnings...)
	return &hosts.Platform{Name: in.HostsName, Count: len(c.Records), Records: c.Records, Speed: bags.Desktop}, nil
}

// misspelt reports whether a word that is no name looks like no path either.
func misspelt(name string) bool {
	_, err := os.Stat(name)
	return name != "-" && err != nil && !strings.ContainsAny(name, "./")
}

// bagInput reads a bag, as the flags say. Beside the names that a question knows, BagName may be a file.
type bagInput struct{ bags.BagSpec }

// flags binds what says which tasks there are: a name, a file, or a number and a time.
func (in *bagInput) flags(s *cmdline.FlagSet) {
	s.Text("bag", &in.BagName, "NAME|FILE",
		"bag of tasks: "+strings.Join(bags.BagNames(), ", ")+" as in SpeQuloS table 3, or CSV with "+bags.BagForm)
	s.Known("bag", bags.BagNames)
	cmdline.Value(s, "tasks", &in.Tasks, "N", "number of tasks, instead of --bag; needs --task-time")
	cmdline.Value(s, "task-time", &in.TaskTime, "TIME", "time of a task on a machine of mean speed")
	cmdline.Value(s, "wall-clock", &in.WallClock,
		"TIME", "upper bound that the user states for a task's time; the credits follow from it (default: the "+
			"task's time)")
}

// read makes the bag. The machines p come first, since the work of a task follows from their mean
// speed. Errors: *ask.InputError, *source.FileError.
func (in *bagInput) read(ctx context.Context, st *cmdline.Streams, p *hosts.Platform) (*model.Bag, error) {
	_, known := bags.NamedBag(in.BagName)
	switch described := in.Tasks != nil || in.TaskTime != nil; {
	case in.BagName == "" && in.Tasks == nil:
		return nil, ask.Missing("bag",
			strings.Join(bags.BagNames(), ", ")+", a file, or --tasks N --task-time TIME")
	case in.BagName == "" || known || described:
		return in.Make(p)
	case misspelt(in.BagName):
		return nil, &ask.InputError{Field: "bag", Reason: bags.Unknown(in.BagName, bags.BagNames()) + " and no file"}
	}
	b, err := cmdline.Read(ctx, st, in.BagName, "a bag of tasks in CSV, with "+bags.BagForm, bags.ReadBag)
	if err != nil {
		return nil, err
	}
	return b, in.Bound(b)
}

// serverFlag binds --server, which finish and simulate bot share.
func serverFlag(s *cmdline.FlagSet, into *string) {
	cmdline.OneOf(s, "server", into, "`SERVER` that hands out the tasks: xwhep, boinc or checkpoint (default xwhep)",
		nil, bags.ServerNames()...)
}
