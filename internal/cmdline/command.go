package cmdline

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/capplan/capplan/internal/patient"
	"github.com/capplan/capplan/internal/spell"
)

// Streams are the three standard Streams of one run.
type Streams struct {
	In       io.Reader
	out, Err io.Writer
	heard    []string
	said     []string // the messages on stderr
	// simulates are the flags of the command, of which some make a simulation shorter.
	simulates *FlagSet
}

// Hear keeps what is to be said of the input, in case no answer comes to say it:
// which rows were left out may be why there is none.
func (s *Streams) Hear(warnings ...string) { s.heard = append(s.heard, warnings...) }

// Out is where an answer goes, for a command that says something before its end.
func (s *Streams) Out() io.Writer { return s.out }

// A Command is one question of the Command line. Each run of it is made anew
// by a function, so that sweep can ask it many times in one process.
type Command struct {
	Name        string
	path        string // with the commands above it, set when it is made part of the program
	Usage       string // one line
	Args        string // names of file arguments, as in "FILE.swf"
	MaxArgs     int
	Description string // with worked examples, lines starting with "$ capplan"
	Flags       *FlagSet
	Ask         func(ctx context.Context, s *Streams, args []string) (*Result, error)
	Children    []func() *Command
	Below       []*Command      // the children, made: see [Program.All]
	Complete    func() []string // words that its arguments may be; nil: files
}

// A Program is a set of commands under one name.
type Program struct {
	Usage       string // one line
	Description string
	Commands    []func() *Command // in the order of the help
}

// Run is the whole program: it parses, answers, prints, and returns the exit
// code.
func (p *Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return guarded(stderr, func() int {
		s := &Streams{In: patient.NewReader(ctx, stdin), out: &failingWriter{w: stdout}, Err: stderr}
		if n := len(args); n > 1 && args[n-1] == completionFlag {
			_, err := io.WriteString(stdout, strings.Join(append(p.completions(args[1:n-1]), ""), "\n"))
			return failed(stderr, err)
		}
		err := p.ask(ctx, s, args)
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

// ask answers a command line, as it was typed.
func (p *Program) ask(ctx context.Context, s *Streams, args []string) error {
	all := p.made(func(name string) bool { return slices.Contains(args, name) })
	args, err := Arrange(all, args)
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, wordsKey{}, args)
	at := (*Command)(nil)
	line := args[min(1, len(args)):]
	for below := all; len(line) > 0; line = line[1:] {
		next := find(below, line[0])
		if next == nil {
			break
		}
		at, below = next, next.Below
	}
	switch {
	case at == nil:
		return p.help(s.out, all)
	case at.Ask == nil, len(line) > 0 && line[0] == "--help":
		return at.help(s.out)
	}
	return at.answer(ctx, s, line)
}

// All are the commands of the program, each with those below it.
func (p *Program) All() []*Command { return p.made(func(string) bool { return true }) }

// made makes the commands, and those below each that is named. There are several
// hundred flags below sweep, and a line that asks one question names one command.
func (p *Program) made(named func(command string) bool) []*Command {
	var all []*Command
	for _, make := range p.Commands {
		all = append(all, madeBelow(make, "", named))
	}
	return all
}

func madeBelow(make func() *Command, above string, named func(command string) bool) *Command {
	c := make()
	c.path = strings.TrimSpace(above + " " + c.Name)
	if c.Flags != nil {
		c.Flags.command = c.path
	}
	if named(c.Name) {
		for _, child := range c.Children {
			c.Below = append(c.Below, madeBelow(child, c.path, named))
		}
	}
	return c
}

// answer reads the flags, asks and prints.
func (c *Command) answer(ctx context.Context, s *Streams, line []string) error {
	files, err := c.Flags.read(line)
	if err != nil {
		return err
	}
	if len(files) > c.MaxArgs {
		return &UsageError{c.path, "unexpected argument " + spell.Quote(files[c.MaxArgs])}
	}
	if err := c.Flags.unused(c.Flags.given); err != nil {
		return err
	}
	if err := c.Flags.Output.check(); err != nil {
		return &commandError{c, err}
	}
	if c.sharded() {
		return c.shard(ctx, s, files)
	}
	s.simulates = c.Flags
	answer, err := c.Ask(s.estimating(ctx), s, files)
	if err == nil {
		err = merged(ctx)
	}
	if err != nil {
		s.warn(s.heard)
		return &commandError{c, err}
	}
	if err := c.Flags.Output.print(ctx, s, answer); err != nil {
		return &commandError{c, err}
	}
	return nil
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
