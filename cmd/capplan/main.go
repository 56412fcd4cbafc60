// Command capplan answers capacity questions from the shell. See the README
// and "capplan help".
//
// A command is a file, named after it, with a function that makes a [cmdline.Command].
// Commands about one subject that share flags have packages of their own below internal.
// What several files here use:
//
//	question.go        flags of size that check, shifts and sweep have too
//	trafficfile.go     --load-curve, --rate-query: a load that varies over days
//	class.go           --class, --classes: classes of jobs, on the command line or in a file
//	growth.go          --growth, --spare: the load in some years, and machines that may be lost
//	simulate.go        --simulate: the check of a formula by simulation
//	planread.go        scenarios, for plan, check and compare
//	planout.go         the folder of files that a plan leaves
//	scenariolive.go    scenarios whose load a Prometheus server tells
//	terms.go           the words that help terms explains
//	schema.go          the JSON Schemas of all answers, which scripts may rely on
//
// The way of a question: words become flags in package cmdline, a command's Ask fills in
// the question of package planner and has it answered, and package report makes of the
// answer what is shown. No command computes, and none formats: capplan serve, which has no
// flags, comes to the same answers by the same packages.
//
// Load, times and objectives have no defaults, since an answer for a number that nobody named
// would be taken for one. A flag that would change nothing beside the others is refused and
// not passed over.
//
// Exit codes: 0 answered, 1 failure, 2 bad usage or input, 3 infeasible. An interrupted
// command ends with 1, and shows what is finished where that is an answer; the second signal
// ends the process by its own meaning. Answers go to stdout; warnings, errors and progress go
// to stderr.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/capplan/capplan/cmd/capplan/internal/availability"
	"github.com/capplan/capplan/cmd/capplan/internal/grid"
	"github.com/capplan/capplan/internal/children"
	"github.com/capplan/capplan/internal/cmdline"
	_ "github.com/capplan/capplan/packed" // gzip and xz, wherever a file is read
)

// main runs the command line and leaves with its exit code. It ends by os.Exit alone, so that
// nothing may be deferred here.
func main() {
	collectEagerly()
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup wants it to go on
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	// The first signal asks for an orderly end, a second one ends the process at
	// once.
	context.AfterFunc(ctx, func() {
		again := make(chan os.Signal, 1)
		signal.Notify(again, signals...)
		stop()
		endBy(<-again)
	})
	code := run(ctx, os.Args, os.Stdin, os.Stdout, os.Stderr)
	// A solver that was started as a process of its own must not outlive the command.
	children.End() // of a kernel that was left alone
	os.Exit(code)
}

// endBy ends the solvers that run and then the process, by the signal's own
// meaning, so that a shell sees which it was. It returns where that means nothing:
// then the orderly end goes on.
func endBy(s os.Signal) {
	children.End()
	signal.Reset(s)
	if own, err := os.FindProcess(os.Getpid()); err != nil || own.Signal(s) != nil {
		os.Exit(1) // a system without signals
	}
}

// capplan is the program with all its commands in the order of the help. Commands are functions,
// since sweep and merge ask one command many times in one process.
func capplan() *cmdline.Program {
	return &cmdline.Program{
		Usage: "capacity planning: how many servers, and why",
		Description: `capplan answers capacity questions with the mathematics shown.

Examples:

  $ capplan size --load 120 --max-blocking 1% --format csv
  $ capplan capacity --servers 138 --max-blocking 1%
  $ capplan queue erlang-c --servers 138 --load 120

capplan help terms explains the terms of the field, such as erlang, SCV or MOL.

Exit codes: 0 answered, 1 failure, 2 bad usage or input, 3 infeasible.`,
		Commands: []func() *cmdline.Command{
			initCommand, planCommand, compareCommand, sizeCommand, shiftsCommand, capacityCommand, checkCommand,
			throughputCommand, queueCommand, routeCommand,
			replicasCommand, epochCommand, linkCommand, checkpointCommand, lifetimeCommand, availability.Command,
			allocateCommand, lpCommand,
			fitCommand, grid.Finish, simulateCommand, sweepCommand,
			func() *cmdline.Command { return cmdline.MergeCommand(capplan) },
			func() *cmdline.Command { return cmdline.ClusterCommand(capplan) },
			reproduceCommand, serveCommand, schemaCommand,
			func() *cmdline.Command { return cmdline.CompletionCommand(capplan) },
			func() *cmdline.Command { return cmdline.ManCommand(capplan) },
			func() *cmdline.Command { return cmdline.TermsCommand(terms) },
			cmdline.VersionCommand,
		},
	}
}

// run runs capplan once and returns its exit code. Tests call it with streams of their own; it
// touches neither os.Args nor the standard streams.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return capplan().Run(ctx, args, stdin, stdout, stderr)
}
