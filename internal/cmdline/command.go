package cmdline

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/patient"
)

// Streams are the three standard streams of one run.
type Streams struct {
	In       io.Reader
	out, Err io.Writer
	heard    []string
	said     []string // the messages on stderr
	// simulates are the flags of the command if some of them make a simulation shorter.
	simulates *FlagSet
	path      string // the command that is asked
	// How long a simulation, or the command, takes is said once, and how long a whole sweep does.
	estimate, whole sync.Once
}

// Hear keeps what is to be said of the input, in case no answer comes to say it:
// which rows were left out may be why there is none.
func (s *Streams) Hear(warnings ...string) { s.heard = append(s.heard, warnings...) }

// Out is where an answer goes, for a command that says something before its end.
func (s *Streams) Out() io.Writer { return s.out }

// A Command is one question of the command line. Each run of it is made anew
// by a function, so that sweep can ask it many times in one process.
type Command struct {
	Name        string
	path        string // with the commands above it, set when it is made part of the program
	Usage       string // one line
	Args        string // names of file arguments, as in "FILE.swf"
	NoArgs      string // what is said where none is given; empty: the command does without
	MaxArgs     int
	Description string // with worked examples, lines starting with "$ capplan"
	Flags       *FlagSet
	// Check finds faults of the arguments before any file is opened; nil: none are known so early.
	Check    func(args []string) error
	Ask      func(ctx context.Context, s *Streams, args []string) (*Result, error)
	Children []func() *Command
	Complete func() []string // words that its arguments may be; nil: files
	Lasting  bool            // it goes on until it is stopped, which is not told as slow
}

// ask asks the question. Errors: those of check and of the question.
func (c *Command) ask(ctx context.Context, s *Streams, args []string) (*Result, error) {
	if err := c.check(args); err != nil {
		return nil, err
	}
	return c.Ask(ctx, s, args)
}

// check refuses arguments that lead to no answer whatever the files hold. Errors: *UsageError where a
// file is needed and none is named, and those of Check.
func (c *Command) check(args []string) error {
	switch {
	case len(args) == 0 && c.NoArgs != "":
		return &UsageError{Reason: c.NoArgs}
	case c.Check != nil:
		return c.Check(args)
	}
	return nil
}

// onlyChecked marks the context of a command line that is parsed and checked, and whose question is
// not asked: others will run it.
type onlyChecked struct{}

// A Program is a set of commands under one name.
type Program struct {
	Usage       string // one line
	Description string
	Commands    []func() *Command // in the order of the help
}

// Run is the whole program: it parses, answers, prints, and returns the exit
// code.
func (p *Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	stdout, stderr = patient.NewWriter(ctx, stdout), patient.NewWriter(ctx, stderr)
	return guarded(stderr, func() int {
		s := &Streams{In: patient.NewReader(ctx, stdin), out: &failingWriter{w: tame(stdout)}, Err: &spoken{w: stderr}}
		// A completion has to answer within the time of a keystroke, and any message would land in the
		// line that is typed.
		if n := len(args); n > 1 && args[n-1] == completionFlag {
			_, err := io.WriteString(stdout, strings.Join(append(p.completions(args[1:n-1]), ""), "\n"))
			return failed(stderr, err)
		}
		app := p.app(s, func(name string) bool { return slices.Contains(args, name) })
		args, err := Arrange(app.Commands, args)
		if err == nil {
			app.Commands, app.Flags = append(app.Commands, helpCommand()), append(app.Flags, cli.HelpFlag)
			// The words as they were arranged are what a shard is known by, see flagWords.
			err = app.RunContext(context.WithValue(ctx, wordsKey{}, args), args)
		}
		// What could not be written may have been noticed by nobody else: the parser's own help drops
		// its errors.
		if err == nil {
			err = s.out.(*failingWriter).err
		}
		code := failed(stderr, err)
		if err != nil && !slices.Contains(args, termsName) {
			s.said = append(s.said, err.Error())
		}
		s.sayTerms()
		return code
	})
}

// helpCommand takes the place of the parser's own in the list of commands, for its words. It is none of
// [Program.App]: the names behind "help" are those of commands, which [Arrange] looks after.
func helpCommand() *cli.Command {
	return &cli.Command{
		Name: "help", Aliases: []string{"h"}, Usage: "this list, or the help of one command",
		ArgsUsage: "[COMMAND]", HideHelpCommand: true, Action: cli.ShowAppHelp,
	}
}

// App is the program with all its commands, for manual pages and for command lines that are read from
// elsewhere, as merge does.
func (p *Program) App(s *Streams) *cli.App {
	return p.app(s, func(string) bool { return true })
}

// app leaves out the commands below those that are not named. There are several
// hundred flags below sweep, and a line that asks one question names one command.
func (p *Program) app(s *Streams, named func(command string) bool) *cli.App {
	app := &cli.App{
		Name:  "capplan",
		Usage: p.Usage,
		// version is a command here.
		HideVersion:    true,
		Reader:         s.In,
		Writer:         s.out,
		ErrWriter:      s.Err,
		ExitErrHandler: func(*cli.Context, error) {},
		Description:    p.Description,
	}
	for _, make := range p.Commands {
		app.Commands = append(app.Commands, cliCommand(make, "", s, named))
	}
	return app
}

// cliCommand wraps a command for the parser, with those below it where it is named. above are the
// names of the commands above it.
func cliCommand(make func() *Command, above string, s *Streams, named func(command string) bool) *cli.Command {
	c := make()
	c.path = strings.TrimSpace(above + " " + c.Name)
	out := &cli.Command{
		Name:            c.Name,
		Usage:           c.Usage,
		ArgsUsage:       c.Args,
		Description:     c.Description,
		HideHelpCommand: true,
	}
	if named(c.Name) {
		// The help of a command that is not named is not shown.
		out.Description += wordsOf(c)
		for _, child := range c.Children {
			out.Subcommands = append(out.Subcommands, cliCommand(child, c.path, s, named))
		}
	}
	if c.Ask == nil {
		return out
	}
	c.Flags.command = c.path
	out.Flags = c.Flags.list
	out.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return c.Flags.usageError(c.path, err) }
	out.Action = func(ctx *cli.Context) error {
		if n := ctx.NArg(); n > c.MaxArgs {
			return &UsageError{c.path, unexpectedFile(c.path, c.Args, ctx.Args().Get(c.MaxArgs), longNames(c.Flags.list))}
		}
		// From here on the set knows what was given; see Beside.
		c.Flags.given = ctx.IsSet
		if err := c.Flags.unused(ctx.IsSet); err != nil {
			return err
		}
		if ctx.Context.Value(onlyChecked{}) != nil {
			if err := c.check(ctx.Args().Slice()); err != nil {
				return &commandError{c, err}
			}
			return nil
		}
		// A file that cannot be drawn is refused before anything is computed.
		if err := c.Flags.Output.check(); err != nil {
			return &commandError{c, err}
		}
		said := func() {}
		if !c.Lasting {
			said = s.silent(c.path)
		}
		// A shard asks the same question, with a keeper in place of the pieces of others.
		if c.sharded() {
			defer said()
			return c.shard(ctx, s)
		}
		s.simulates, s.path = c.Flags, c.path
		estimated := s.estimating(ctx.Context)
		asked := estimated
		if !s.sweeping() { // which counts its points
			asked = parallel.WithCounter(asked, func() (func(done, of int), func()) { return s.Counted(c.path) })
		}
		answer, err := c.ask(asked, s, ctx.Args().Slice())
		said()
		if no := refused(estimated); no != nil {
			return &commandError{c, no}
		}
		if err == nil {
			// Pieces of shards that no question asked for are of another version or question.
			err = merged(ctx.Context)
		}
		if err != nil {
			// Warnings of an answer are part of it; without an answer they are printed here.
			s.warn(s.heard)
			return &commandError{c, err}
		}
		if err := c.Flags.Output.print(ctx.Context, s, answer); err != nil {
			return &commandError{c, err}
		}
		return nil
	}
	return out
}

// spoken is where messages go, those of timers among them, and knows whether there was any.
type spoken struct {
	mu   sync.Mutex
	w    io.Writer
	said bool
}

func (s *spoken) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = s.said || len(p) > 0
	return s.w.Write(p)
}

func (s *spoken) any() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.said
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
