package grid

import (
	"math"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// runFlags say how often a system is simulated, and where nothing else says it how long. All values
// are nil where they are not given, and the question then has its own default.
type runFlags struct {
	// A seed of nil is 1, and replications of nil are what the command says in its help.
	seed, replications *units.Count
	// horizon is the simulated time of a run in s; precision the half of an interval over its mean,
	// in (0, 1).
	horizon   *units.Duration
	precision *units.Fraction
}

// A runForm says in the help what differs from one system to another. The same flags have other
// defaults and meanings from system to system.
type runForm struct {
	seed      string // what is drawn by it
	horizon   string // with its default
	precision string // figures whose intervals it is about
}

// flags binds how long and how often to simulate, in the words of the command that simulates.
func (f *runFlags) flags(s *cmdline.FlagSet, form runForm) {
	f.counted(s, "of "+form.seed, "10")
	cmdline.Value(s, "horizon", &f.horizon, "TIME", "of each run (default "+form.horizon+")")
	cmdline.Value(s, "precision", &f.precision, "P", "half the width of the intervals of "+form.precision+
		" at which to stop, such as 5%, in the place of --replications")
}

// counted adds the flags of a simulation whose command has a horizon of its own: what
// is drawn by the seed, and how many runs there are by default.
func (f *runFlags) counted(s *cmdline.FlagSet, seed, replications string) {
	cmdline.Value(s, "seed", &f.seed, "N", seed+" (default 1)")
	cmdline.Value(s, "replications", &f.replications, "N", "independent runs (default "+replications+")")
}

// runs returns the number of replications of a bag or of hosts, 0 where none was given. The bound
// of a million keeps a slip of the hand from running for days. Errors: *ask.InputError of the field
// replications.
func (f *runFlags) runs() (n int, err error) {
	err = cmdline.Within("replications", f.replications, 1, 1e6, "1 to 1,000,000 runs", &n)
	return n, err
}

// A runTarget is where the flags are put in a question. There 0 stands for the default,
// and is therefore refused here.
type runTarget struct {
	seed               *uint64
	replications       *int
	precision, horizon *float64
	like               string // of a horizon
}

// put sets what was given, and refuses each value that the question would take for its default.
// Errors: *ask.InputError of the flag; a precision beside a number of replications is refused.
func (f *runFlags) put(r runTarget) error {
	*r.seed = cmdline.Seed(f.seed)
	if f.replications != nil {
		// More runs than 2^40 end in no lifetime; the cut keeps the conversion from wrapping to a
		// small number.
		if *r.replications = int(min(*f.replications, 1<<40, math.MaxInt)); *r.replications == 0 {
			return &ask.InputError{Field: "replications", Reason: "is 0, want 1 or more"}
		}
	}
	if f.precision != nil {
		if *r.precision = float64(*f.precision); !(*r.precision > 0 && *r.precision < 1) {
			return &ask.InputError{Field: "precision", Reason: "want more than 0 and less than 100%, such as 5%"}
		}
		// Each of the two says when to stop, and neither goes before the other.
		if f.replications != nil {
			return &ask.InputError{Field: "precision", Reason: "says when to stop, and --replications is given too"}
		}
	}
	return cmdline.Above0("horizon", f.horizon, "a time above 0 such as "+r.like, r.horizon)
}
