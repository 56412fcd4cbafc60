package main

import (
	"context"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/patient"
)

// streams are the three standard streams of one run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// A command is one question of the command line. Each run of it is made anew
// by a function, so that sweep can ask it many times in one process.
type command struct {
	name        string
	path        string // with the commands above it, set when it is made part of the program
	usage       string // one line
	args        string // names of file arguments, as in "FILE.swf"
	maxArgs     int
	description string // with worked examples, lines starting with "$ capplan"
	flags       *flagSet
	ask         func(ctx context.Context, s *streams, args []string) (*result, error)
	children    []func() *command
}

// commands lists all commands in the order of the help.
func commands() []func() *command {
	return []func() *command{
		initCommand, planCommand, sizeCommand, capacityCommand, checkCommand, throughputCommand, queueCommand, routeCommand,
		replicasCommand, epochCommand, linkCommand, checkpointCommand, lifetimeCommand, availabilityCommand, allocateCommand, lpCommand,
		fitCommand, finishCommand, simulateCommand, sweepCommand, reproduceCommand, schemaCommand, completionCommand, manCommand, versionCommand,
	}
}

// run is the whole program: it parses, answers, prints, and returns the exit
// code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return guarded(stderr, func() int { return runOf(ctx, commands(), args, stdin, stdout, stderr) })
}

// runOf is run with the given commands.
func runOf(ctx context.Context, all []func() *command, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := &streams{in: patient.NewReader(ctx, stdin), out: &failingWriter{w: stdout}, err: stderr}
	app := newApp(s, all)
	args, err := arrange(app.Commands, args)
	if err == nil {
		err = app.RunContext(ctx, args)
	}
	if err == nil {
		err = s.out.(*failingWriter).err
	}
	return failed(stderr, err)
}

func newApp(s *streams, all []func() *command) *cli.App {
	app := &cli.App{
		Name:                 "capplan",
		Usage:                "capacity planning: how many servers, and why",
		HideVersion:          true,
		Reader:               s.in,
		Writer:               s.out,
		ErrWriter:            s.err,
		EnableBashCompletion: true,
		ExitErrHandler:       func(*cli.Context, error) {},
		Description: `capplan answers capacity questions with the mathematics shown.

Examples:

  $ capplan size --load 120 --max-blocking 1% --format csv
  $ capplan capacity --servers 138 --max-blocking 1%
  $ capplan queue erlang-c --servers 138 --load 120

Exit codes: 0 answered, 1 failure, 2 bad usage or input, 3 infeasible.`,
	}
	for _, make := range all {
		app.Commands = append(app.Commands, cliCommand(make, "", s))
	}
	return app
}

// cliCommand wraps a command for the parser.
func cliCommand(make func() *command, above string, s *streams) *cli.Command {
	c := make()
	c.path = strings.TrimSpace(above + " " + c.name)
	out := &cli.Command{
		Name:            c.name,
		Usage:           c.usage,
		ArgsUsage:       c.args,
		Description:     c.description,
		HideHelpCommand: true,
	}
	for _, child := range c.children {
		out.Subcommands = append(out.Subcommands, cliCommand(child, c.path, s))
	}
	if c.ask == nil {
		return out
	}
	c.flags.command = c.path
	out.Flags = c.flags.list
	out.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return c.flags.usageError(c.path, err) }
	out.Action = func(ctx *cli.Context) error {
		if n := ctx.NArg(); n > c.maxArgs {
			return &usageError{c.path, "unexpected argument " + quote(ctx.Args().Get(c.maxArgs))}
		}
		if err := c.flags.unused(ctx.IsSet); err != nil {
			return err
		}
		if err := c.flags.output.check(); err != nil {
			return &commandError{c, err}
		}
		answer, err := c.ask(ctx.Context, s, ctx.Args().Slice())
		if err != nil {
			return &commandError{c, err}
		}
		if err := c.flags.output.print(ctx.Context, s, answer); err != nil {
			return &commandError{c, err}
		}
		return nil
	}
	return out
}

// failingWriter remembers the first error, so that a full disk or a closed
// pipe is not taken for success.
type failingWriter struct {
	w   io.Writer
	err error
}

func (f *failingWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err != nil && f.err == nil {
		f.err = err
	}
	return n, err
}
