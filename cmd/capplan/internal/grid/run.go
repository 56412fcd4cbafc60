package grid

import (
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// counted adds the flags of a simulation whose command has a horizon of its own; runs are how many there
// are by default. The bound of a million keeps a slip of the hand from running for days.
func counted(s *cmdline.FlagSet, seed *uint64, replications *int, runs string) {
	cmdline.Seed(s, seed, "seed of the random numbers")
	cmdline.Into[units.Count](s, "replications", replications, "N", "independent runs (default "+runs+fewer+")",
		cmdline.Within(1, 1e6, "1 to 1,000,000 runs"))
}

// fewer is said of numbers of runs by default: see simulate.MostEvents.
const fewer = ", fewer where they take long and are not done in shards"

// runFlags are the fields of a question that say how often a system is simulated and how long, and
// what the help says of them, which differs from one system to another.
type runFlags struct {
	seed         *uint64
	replications *int
	// horizon is the simulated time of a run in s; precision the half of an interval over its mean,
	// in (0, 1).
	horizon, precision *float64

	drawn, figures string // by the seed; whose intervals the precision is about
	long, unless   string // the default of the horizon, and where it is another
}

// flags binds how long and how often to simulate. In the question 0 stands for the default, and is
// therefore refused here.
func (f *runFlags) flags(s *cmdline.FlagSet) {
	cmdline.Seed(s, f.seed, "seed of "+f.drawn)
	cmdline.Into[units.Count](s, "replications", f.replications, "N", "independent runs (default 10"+fewer+")",
		cmdline.Above0("1 or more"))
	cmdline.Into[units.Duration](s, "horizon", f.horizon, "TIME", "simulated time of each run (default "+
		""+f.long+f.unless+")",
		cmdline.Above0("a time above 0 such as "+f.long))
	cmdline.Into[units.Fraction](s, "precision", f.precision, "P", "relative half-width of the intervals of "+
		""+f.figures+
		" at which the simulation stops, such as 5%, instead of --replications", func(v float64) string {
		if !(v > 0 && v < 1) {
			return "want more than 0 and less than 100%, such as 5%"
		}
		return ""
	})
}

// check refuses a precision beside a number of runs: each of the two says when to stop, and neither goes
// before the other. Errors: *ask.InputError.
func (f *runFlags) check() error {
	if *f.precision != 0 && *f.replications != 0 {
		return &ask.InputError{Field: "precision", Reason: "says when to stop, but --replications is given too"}
	}
	return nil
}
