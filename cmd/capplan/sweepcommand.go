package main

import (
	"slices"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/cmd/capplan/internal/grid"
	"github.com/capplan/capplan/internal/cmdline"
	"github.com/capplan/capplan/internal/scalars"
)

// sweepCommand lists the commands that can be swept: those whose answers have figures that are single
// numbers.
func sweepCommand() *cmdline.Command {
	return &cmdline.Command{
		Name: "sweep", Usage: "the same question over a range",
		Description: `Takes a command with its flags, and one or two --over. Each row is a point: the swept
flags and the scalar figures of the answer, or the reason why there is none. Text shows the
figures that differ, in people's units; --csv and --format json have all figures and
digits.

  $ capplan sweep size --max-blocking 1% --over load=100:140:20 --csv
  $ capplan sweep capacity --max-blocking 1% --over servers=10,100,1000

Over two flags the plot is a heat map, empty where there is no answer; --as line draws a
line for each value of the second flag:

  $ capplan sweep queue erlang-c --over servers=10:20:1 --over load=6:15:1 --y wait_probability --plot waits.svg

--out writes the rows to a file, in order, as they are finished. After Ctrl-C or a crash
the same command line with --resume continues where the file ends, with the same result to
the byte. FILE.sweep, which records the question, is removed when all rows are there.

  $ capplan sweep size --max-blocking 1% --over load=1:100:1 --out sizes.csv`,
		Children: []func() *cmdline.Command{
			func() *cmdline.Command { return swept(sizeCommand) },
			func() *cmdline.Command { return swept(capacityCommand) },
			func() *cmdline.Command { return swept(planCommand) },
			func() *cmdline.Command { return swept(shiftsCommand) },
			func() *cmdline.Command { return swept(checkCommand) },
			func() *cmdline.Command { return swept(throughputCommand) },
			func() *cmdline.Command { return sweptGroup(queueCommand) },
			func() *cmdline.Command { return swept(fitCommand) },
			func() *cmdline.Command { return swept(replicasCommand) },
			func() *cmdline.Command { return swept(epochCommand) },
			func() *cmdline.Command { return swept(linkCommand) },
			func() *cmdline.Command { return swept(checkpointCommand) },
			func() *cmdline.Command { return swept(lifetimeCommand) },
			func() *cmdline.Command { return swept(routeCommand) },
			func() *cmdline.Command {
				return sweptGroup(availability.Command, "label", "fit", "predict", "rank", "evaluate", "solve")
			},
			func() *cmdline.Command { return swept(allocateCommand) },
			func() *cmdline.Command { return swept(lpCommand) },
			func() *cmdline.Command { return swept(grid.Finish) },
			func() *cmdline.Command { return sweptGroup(simulateCommand) },
			// A new command with scalar figures is one more line here.
		},
	}
}

// swept makes the sweep of one command. The scalar fields of the schema's type are the columns of a
// sweep.
func swept(make func() *cmdline.Command) *cmdline.Command {
	return cmdline.Sweep(make, func() []string {
		// If no point of a sweep has an answer, its figures are those that the schema promises.
		answer, ok := schemas()[answerOf(make().Name)]
		if !ok {
			return nil
		}
		names, _ := scalars.Of(answer)
		return names
	})
}

// sweptGroup makes the sweep of a command that has children, of all or of those
// that are named.
func sweptGroup(make func() *cmdline.Command, names ...string) *cmdline.Command {
	c := make()
	// A group has no question of its own; only its children are swept.
	out := &cmdline.Command{Name: c.Name, Usage: c.Usage,
		Description: "Takes the flags of one of its commands, and --over. See capplan sweep --help."}
	for _, child := range c.Children {
		if len(names) > 0 && !slices.Contains(names, child().Name) {
			continue
		}
		out.Children = append(out.Children, func() *cmdline.Command { return swept(child) })
	}
	return out
}

// answerOf returns the name of the schema that the answers of a command have. command is the name
// without the group around it.
func answerOf(command string) string {
	// Most answers have the name of their command; these are named after what their commands share or
	// stand in.
	switch command {
	case "mva", "jackson":
		return "network"
	case "links":
		return "links"
	case "predict", "solve", "label", "rank", "evaluate":
		return "availability-" + command
	}
	for _, spec := range queueSpecs {
		if string(spec.model) == command {
			return "queue"
		}
	}
	return command
}
