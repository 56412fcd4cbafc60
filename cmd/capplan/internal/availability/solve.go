package availability

import (
	"bufio"
	"context"
	"io"

	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/source"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/planner/records"
	"github.com/capplan/capplan/report"
	"github.com/capplan/capplan/units"
)

// solveCommand reads a kernel that fit wrote, or one of another program, and says what it predicts.
// The kernel need not come from a record: any program may have written it. Its window begins at
// once, since a kernel has no clock.
func solveCommand() *cmdline.Command {
	s := cmdline.NewFlags(true)
	var window, elapsed *units.Duration
	var state, host string
	cmdline.Value(s, "window", &window, "TIME", "length of the window such as 1min, rounded to whole steps")
	cmdline.Value(s, "elapsed", &elapsed, "TIME", "time already spent in the initial state")
	s.Text("state", &state, "STATE", "state in which the window begins (default: the initial state of the file)")
	s.Text("host", &host, "NAME", "name of the machine, in a file that fit wrote for a fleet")
	return &cmdline.Command{
		Name: "solve", Usage: "what does this kernel say?", Args: "KERNEL.json", MaxArgs: 1, Flags: s,
		NoArgs: "no kernel given, want a file such as kernel.json",
		Description: `KERNEL.json holds a discrete-time semi-Markov kernel: f[i][j][l-1] is the chance to go from
state i to j after l steps; what a row lacks to 1 is the chance never to leave the state.
Rows of failure states say how the machine comes back; the answer then also has its
availability, mean times up and down, and the laws of the long run. Optional are tail, the
rest of each row with all its digits; hazard, the chances by age that fit --ages writes
(with it --elapsed answers as predict --elapsed does); and samples, the data behind an
estimated kernel.

  $ capplan availability solve testdata/kernel.json --window 1min

The same, 6 seconds after the machine came to light load:

  $ capplan availability solve testdata/kernel.json --window 1min --elapsed 6s --format json`,
		Ask: func(ctx context.Context, st *cmdline.Streams, args []string) (*cmdline.Result, error) {
			// A kernel has steps and a greatest age, and no window of its own.
			if window == nil {
				return nil, &ask.InputError{Field: "window", Reason: "not given, want a length such as 1min"}
			}
			k, err := readKernel(ctx, args[0], host, st)
			if err != nil {
				return nil, err
			}
			q := &machines.SolveQuestion{Kernel: k, Window: float64(*window), State: state,
				Elapsed: float64(ask.Value(elapsed)), Explain: s.Output.Explain}
			return cmdline.Ask(ctx, q, func(ctx context.Context, q *machines.SolveQuestion) (*machines.SolveAnswer, error) {
				return cmdline.Counting(ctx, st, "availability solve", &q.Progress, q, machines.Solve)
			}, report.Solve)
		},
	}
}

// readKernel reads a file of one kernel, or of a fleet's the one of a host. Errors: *ask.InputError
// where a fleet needs the name of a machine; *source.FileError.
func readKernel(ctx context.Context, path, host string, s *cmdline.Streams) (*machines.Kernel, error) {
	src, err := source.Open(ctx, path, source.OpenOptions{Stdin: s.In, Want: "a kernel in JSON"})
	if err != nil {
		return nil, err
	}
	defer src.Close()
	// A fleet is distinguished from a kernel by its beginning, which is peeked at without being
	// consumed.
	b := bufio.NewReaderSize(src, 64<<10)
	head, _ := b.Peek(64 << 10) // an error comes again when it is read
	var r io.Reader = b
	name := src.Name
	if host == "" && records.IsFleet(head) {
		return nil, ask.Inputf("host", "%s holds the kernels of several machines, want the name of one", name)
	}
	// Of a fleet's file, a kernel a line, only the one that is named is read into memory.
	if host != "" {
		if r, err = records.FleetKernel(r, name, host); err != nil {
			return nil, err
		}
		name += ": kernel of " + host
	}
	return machines.ReadKernel(ctx, name, r)
}
