package cmdline

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/cluster"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// ClusterCommand writes what a scheduler is given to do a program's work in shards. of makes the
// program anew, against whose commands the line is checked.
func ClusterCommand(of func() *Program) *Command {
	return &Command{
		Name: "cluster", Usage: "what a scheduler needs to do work in shards",
		Description: `Prints a script for Slurm or a manifest for Kubernetes that runs a command in shards, each a
task of its own, and then merges them. capplan submits nothing. See docs/SCALE.md.

  $ capplan cluster slurm --shards 16 -- sweep size --max-blocking 1% --over load=1:1000:1`,
		Children: []func() *Command{
			func() *Command {
				return clusterOf(of, "slurm", "a script that submits an array of tasks and a merge", `The script runs sbatch twice, for the array and for the merge that depends on it.
A task that is killed and requeued goes on where it was.

  $ capplan cluster slurm --shards 4 --cpus 2 --memory 2GB --time 1h -- simulate station --servers 2 --rate 1.6/s --service-time 1s --replications 100`,
					(*cluster.Job).Slurm)
			},
			func() *Command {
				return clusterOf(of, "kubernetes", "a manifest of an Indexed Job and a "+
					"Job that merges", `The pods share a volume, their working folder, in which files that the command
names stand, and which gets the answer. The image is that of the Dockerfile.

  $ capplan cluster kubernetes --shards 4 --image registry.example/capplan:1 --volume work -- sweep size --max-blocking 1% --over load=1:1000:1`,
					(*cluster.Job).Kubernetes)
			},
		},
	}
}

// clusterFlags are those of both schedulers. A nil is a flag that was not given.
type clusterFlags struct {
	job    cluster.Job
	shards *units.Count
	cpus   *units.Count
	atOnce *units.Count
	memory *units.Size
	time   *units.Duration
}

// clusterOf makes the command of one scheduler, which differ in what they write and in the flags of a
// container.
func clusterOf(of func() *Program, name, usage, description string, write func(*cluster.Job) string) *Command {
	s := PlainFlags()
	f := &clusterFlags{job: cluster.Job{Version: Version()}}
	Value(s, "shards", &f.shards, "N", "number of parts of the work, one task each (default 16)")
	s.Text("folder", &f.job.Folder, "DIR", "folder of the shards and the answer, which all tasks see (default shards)")
	s.Text("name", &f.job.Name, "NAME", "name of the job (default capplan)")
	s.Text("program", &f.job.Program, "PATH", "program to run on the nodes or in the image (default capplan)")
	Value(s, "cpus", &f.cpus, "N", "CPUs of a task (default 1)")
	Value(s, "memory", &f.memory, "SIZE", "memory of a task (default 1GB)")
	Value(s, "time", &f.time, "TIME", "time limit of a task (default: as long as the cluster allows)")
	Value(s, "at-once", &f.atOnce, "N", "tasks that run at one time (default: as many as there is room for)")
	if name == "kubernetes" {
		s.Text("image", &f.job.Image, "IMAGE", "image of the container (default capplan)")
		s.Text("volume", &f.job.Volume, "CLAIM", "volume that many nodes may write to (default capplan)")
	}
	return &Command{
		// The command behind -- has as many words as it takes.
		Name: name, Usage: usage, Args: "-- COMMAND...", MaxArgs: math.MaxInt32, Flags: s, Description: description,
		Ask: func(ctx context.Context, st *Streams, args []string) (*Result, error) {
			if err := f.complete(); err != nil {
				return nil, err
			}
			// The command line is checked here by the program that will run it: a fault would
			// otherwise be found by each of the tasks.
			if err := f.command(ctx, of().App(st), args); err != nil {
				return nil, err
			}
			return &Result{Raw: write(&f.job)}, nil
		},
	}
}

// complete checks the flags and puts in what was not given. Errors: *UsageError of the flag.
func (f *clusterFlags) complete() error {
	j := &f.job
	// Defaults are put in here, since an empty name is none of a job, a file or a program.
	j.Folder, j.Name, j.Program = cmp.Or(j.Folder, "shards"), cmp.Or(j.Name, "capplan"), cmp.Or(j.Program, "capplan")
	j.Image, j.Volume = cmp.Or(j.Image, "capplan"), cmp.Or(j.Volume, "capplan")
	// A default of 0 means that nothing is said of it in the script.
	count := func(flag string, v *units.Count, default_, most int64) (int, error) {
		n := ask.Or(v, default_)
		if v != nil && (n < 1 || n > most) {
			return 0, &UsageError{Reason: "--" + flag + ": is " + v.String() + ", want 1 to " +
				units.Count(most).String()}
		}
		return int(n), nil
	}
	var err error
	if j.Shards, err = count("shards", f.shards, 16, shards.MostShards); err != nil {
		return err
	}
	if j.CPUs, err = count("cpus", f.cpus, 1, 4096); err != nil {
		return err
	}
	if j.AtOnce, err = count("at-once", f.atOnce, 0, shards.MostShards); err != nil {
		return err
	}
	j.Memory = 1e9
	if f.memory != nil {
		// 2^50 bytes are more than any node has; above it the conversion could wrap.
		if j.Memory = int64(min(float64(*f.memory), 1<<50)); j.Memory == 0 {
			return &UsageError{Reason: "--memory: is 0, want a size such as 2GB"}
		}
	}
	if f.time != nil {
		// Schedulers count in minutes; a part of one is rounded up, so that no task is ended before
		// its time.
		minutes := math.Ceil(float64(*f.time) / 60)
		if !(minutes >= 1 && minutes <= 366*24*60) {
			return &UsageError{Reason: "--time: want up to a year, such as 4h"}
		}
		j.Minutes = int(minutes)
	}
	if err := cluster.CheckName(j.Name); err != nil {
		return &UsageError{Reason: "--name: " + err.Error()}
	}
	for _, given := range [][2]string{{"folder", j.Folder}, {"program", j.Program}} {
		flag, text := given[0], given[1]
		// A line break would end a line of the script, other control characters write to a
		// terminal, and a leading dash would make a flag of the path.
		if strings.ContainsFunc(text, unicode.IsControl) || strings.HasPrefix(text, "-") {
			return &UsageError{Reason: "--" + flag + ": " + spell.Quote(text) + " is not a path"}
		}
	}
	j.Folder = path.Clean(j.Folder)
	return nil
}

// command checks the command line that is to be done in shards, and takes out of
// it where the answer goes. Errors: *UsageError for a line that the program would refuse, and for
// work that has no pieces.
func (f *clusterFlags) command(ctx context.Context, app *cli.App, args []string) error {
	// The name is mostly copied along.
	if len(args) > 0 && args[0] == "capplan" {
		args = args[1:]
	}
	if len(args) == 0 {
		return &UsageError{Reason: "no command given, want one after -- such as: -- sweep size --max-blocking 1% " +
			"--over load=1:1000:1"}
	}
	line, err := Arrange(app.Commands, append([]string{"capplan"}, args...))
	if err != nil {
		return err
	}
	whole, line := line, line[1:]
	// The line is arranged as the program itself would, so that what is checked is what will run.
	at, _ := descend(app.Commands, line)
	// Work that can be parted has the flag --shard.
	parted := at != nil && slices.ContainsFunc(at.Flags, func(f cli.Flag) bool { return namesOf(f)[0] == "shard" })
	if !parted {
		return &UsageError{Reason: spell.Quote(strings.Join(args, " ")) +
			" is not work of many pieces, want sweep, simulate, finish --simulate, allocate study or another " +
			"command with --shard in its help"}
	}
	files := slices.Index(line, "--")
	if files < 0 {
		return &UsageError{Reason: "this asks for help, which is not work of many pieces"}
	}
	// What is left is the work itself: where its answer goes is the matter of the merge.
	for i := 0; i < files; i++ {
		name, value, valued := strings.Cut(strings.TrimLeft(line[i], "-"), "=")
		if !strings.HasPrefix(line[i], "-") || name != "out" && name != "shard" {
			f.job.Command = append(f.job.Command, line[i])
			continue
		}
		if name == "shard" {
			return &UsageError{Reason: "the tasks get --shard, leave it out of the command"}
		}
		if !valued {
			i++
			value = line[i]
		}
		if !takesOut(at) {
			return &UsageError{Reason: "the tasks get --out, leave it out of the command"}
		}
		f.job.Out = value
	}
	if files+1 < len(line) {
		f.job.Command = append(f.job.Command, line[files:]...)
	}
	// The tasks of an array start with no terminal, and each would wait for the same input.
	if slices.Contains(f.job.Command, "-") {
		return &UsageError{Reason: "a task has no standard input: want a file"}
	}
	// Values of flags and names of what is asked are checked as the program would before it reads a file.
	return app.RunContext(context.WithValue(ctx, onlyChecked{}, true), whole)
}
