package records

import (
	"context"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/trace"
)

// A unitSays is what a unit holds beside records. Shards hand it on.
type unitSays struct {
	Path     string   `json:"path"` // of its first file
	Names    []string `json:"names"`
	Passed   []string `json:"passed,omitempty"` // machines that were not asked for
	Undated  int      `json:"undated"`
	Spot     int      `json:"spot"`
	Warnings []string `json:"warnings"`
	Bad      string   `json:"bad,omitempty"` // why it could not be read, and is left out

	err error // that is bad, where it is at hand
}

// mostPassed bounds the names of machines that were not asked for: suggestions need some of an archive,
// not all of them.
const mostPassed = 1e4

// record records the machines of a unit, but those that are done, and those of another name than Host:
// the reader passes over a machine without a recorder. What it says of a unit that could not be read
// holds too: what was left out may be why.
func (in *Hosts) record(ctx context.Context, u trace.MachineUnit, o trace.MachineOptions, done func(name string) bool,
	recorderOf func(name string) *machines.Recorder) ([]*machines.Recorder, unitSays, error) {
	var out []*machines.Recorder
	says := unitSays{Path: u.Files[0].Path}
	held := &holding{file: says.Path}
	o.Machine = func(name string) (trace.MachineSink, error) {
		if in.Host != "" && name != in.Host {
			if len(says.Passed) < mostPassed {
				says.Passed = append(says.Passed, name)
			}
			return nil, nil
		}
		says.Names = append(says.Names, name)
		if done != nil && done(name) {
			return nil, nil
		}
		r := recorderOf(name)
		out = append(out, r)
		return recorder{r, held}, nil
	}
	log, err := trace.ReadMachines(ctx, u, o)
	says.hear(log)
	return out, says, undatedError(err)
}

// hear takes over what the reader says of a unit.
func (s *unitSays) hear(log *trace.MachineLog) {
	if log != nil {
		s.Undated, s.Spot, s.Warnings = log.Undated, log.Spot, heard(log)
	}
}

// hear keeps what is to be said of a unit that was read.
func (in *Hosts) hear(says *unitSays) {
	in.undated, in.spot = in.undated+says.Undated, in.spot+says.Spot
	in.Warnings = append(in.Warnings, says.Warnings...)
}

// machineNames are those of all units, which must differ: what is kept of a machine is found by its name.
type machineNames struct {
	seen   map[string]bool
	passed []string
}

// take adds the names of a unit. Errors: *ask.InputError of a name that is there already.
func (n *machineNames) take(says *unitSays) error {
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	for _, name := range says.Names {
		if n.seen[name] {
			return ask.Inputf("trace", "two machines are named %q, the second in %s", name, says.Path)
		}
		n.seen[name] = true
	}
	n.passed = append(n.passed, says.Passed[:min(len(says.Passed), mostPassed-len(n.passed))]...)
	return nil
}
