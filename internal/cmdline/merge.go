package cmdline

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/units"
)

// mergeKey is that of the folder that is merged in a context. The context carries the folder down
// to where an answer ends.
type mergeKey struct{}

// merged finds out whether an answer was made of all that the merged folder holds. Without a folder
// nothing is looked at.
func merged(ctx context.Context) error {
	if f, ok := ctx.Value(mergeKey{}).(*shards.Folder); ok {
		return f.Done()
	}
	return nil
}

// MergeCommand makes one answer of the shards of a program's work. The command line of the shards
// stands in their files, so that only what is to be told otherwise is given.
func MergeCommand(of func() *Program) *Command {
	s := NewFlags(true)
	m := &merge{of: of}
	s.Text("out", &m.out, "PATH", "what to write: the command's own --out if it has one, else a file for the answer")
	s.Text("answer", &m.answer, "FILE", "file for what the command prints, instead of standard output; it appears "+
		"whole or not at all")
	Value(s, "wait", &m.wait, "TIME", "longest time to wait for missing shards")
	s.Toggle("force", &m.force, "replace an existing --out of a command that asks for --force")
	s.Needs("force", "out")
	s.Toggle("status", &m.status, "show which shards are done, missing or late, and how long each took; merges "+
		"nothing")
	m.command = &Command{
		Name: "merge", Usage: "one answer of the shards that many machines made", Args: "DIR", MaxArgs: 1, Flags: s,
		NoArgs: "no folder given, want the --out of the shards",
		Description: `Work that consists of many pieces (sweep, simulate, allocate study, ...) can be done in
shards, by as many processes or machines: each takes --shard I/N and --out DIR. The merged
answer is the same to the byte as that of one process, but for numbers of runs that nobody
gave and that one process lessens where they take long; --format, --plot and --out may ask
for another form of it.

  $ capplan sweep size --max-blocking 1% --over load=1:50:1 --shard 1/2 --out shards
  $ capplan sweep size --max-blocking 1% --over load=1:50:1 --shard 2/2 --out shards
  $ capplan merge shards --format csv

Run a killed shard again and it continues where it was. capplan cluster writes what a
scheduler needs to run them all.

  $ capplan merge shards --status`,
		Ask: m.ask,
	}
	return m.command
}

// A merge is the flags of the command.
type merge struct {
	of            func() *Program
	command       *Command
	out, answer   string
	wait          *units.Duration
	force, status bool
}

// ask merges, or says how far the shards are. Errors: *UsageError for a folder that is none;
// *shards.Error for shards that do not fit.
func (m *merge) ask(ctx context.Context, st *Streams, args []string) (*Result, error) {
	if m.status {
		return shardStatus(ctx, args[0])
	}
	folder, err := m.open(ctx, args[0])
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &UsageError{Reason: spell.Quote(args[0]) + ": there is no such folder"}
	}
	if errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.ENAMETOOLONG) {
		return nil, &UsageError{Reason: spell.Quote(args[0]) + ": " + Errno(err)}
	}
	if err != nil {
		return nil, err
	}
	// The pieces are put together by this version and these input files, which have to be those of the
	// shards.
	here, err := shards.Identify(ctx, Version(), folder.Command)
	if err != nil {
		return nil, err
	}
	if why := here.Differs(&folder.Identity); why != "" {
		return nil, &shards.Error{Name: args[0], Reason: "holds shards " + why}
	}
	if err := m.run(ctx, st, folder); err != nil {
		return nil, err
	}
	return &Result{Write: func(io.Writer) error { return nil }}, nil
}

// open opens the folder, as soon as all shards are there if that is to be waited
// for. Errors: *shards.Error where one is missing and the time is over.
func (m *merge) open(ctx context.Context, dir string) (*shards.Folder, error) {
	begun := time.Now()
	for {
		folder, err := shards.Open(ctx, dir)
		lacking := (*shards.Error)(nil)
		if m.wait == nil || time.Since(begun).Seconds() >= float64(*m.wait) ||
			!(errors.As(err, &lacking) && lacking.Lacking || errors.Is(err, fs.ErrNotExist)) {
			return folder, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		// A second between looks is short beside a shard, and does no harm to a folder on the network.
		case <-time.After(time.Second):
		}
	}
}

// run asks what the shards were asked, with their pieces. Errors: those of the command, as if it
// had been run alone.
func (m *merge) run(ctx context.Context, st *Streams, folder *shards.Folder) error {
	inner, files := descend(m.of().App(st).Commands, folder.Command)
	if inner == nil {
		return &shards.Error{Name: spell.Quote(strings.Join(folder.Command, " ")),
			Reason: "is not a command line of this program"}
	}
	line := append([]string{"capplan"}, m.line(ctx, folder.Command)...)
	// A command with an --out of its own writes to it, as it would alone; of any other the answer is a
	// text, for which merge makes the file.
	if m.out != "" && takesOut(inner) {
		line = append(line, "--out="+m.out)
		if m.force {
			line = append(line, "--force")
		}
	} else if m.out != "" && m.answer != "" {
		return &UsageError{Reason: "--out and --answer mean the same here: want one of them"}
	} else if m.out != "" {
		m.answer = m.out
	}
	ctx = context.WithValue(pieces.WithGiver(ctx, folder), mergeKey{}, folder)
	ask := func(out io.Writer) error {
		// The merged command reads no standard input: a shard that did was refused.
		inner := &Streams{In: strings.NewReader(""), out: out, Err: st.Err}
		defer func() {
			st.heard, st.said = append(st.heard, inner.heard...), append(st.said, inner.said...)
		}()
		app := m.of().App(inner)
		args, err := Arrange(app.Commands, append(append(line, "--"), files...))
		if err != nil {
			return err
		}
		return app.RunContext(ctx, args)
	}
	if m.answer == "" {
		return ask(st.out)
	}
	file, err := outfile.Create(m.answer)
	if err != nil {
		return OutError("answer", m.answer, err)
	}
	defer file.Discard()
	// A check that is not met has an answer all the same, and its file is written before the exit code
	// says so.
	notMet := ask(file)
	if notMet != nil && !errors.Is(notMet, ErrNotMet) {
		return notMet
	}
	return errors.Join(notMet, OutError("answer", m.answer, file.Commit()))
}

// line is the command line of the shards, up to its files, with what is asked
// otherwise here. Flags that are given to merge, such as --format, take the place of those of the
// shards.
func (m *merge) line(ctx context.Context, command []string) []string {
	line := slices.Clone(command[:slices.Index(append(command, "--"), "--")])
	drop := func(flag string) {
		line = slices.DeleteFunc(line, func(w string) bool {
			name, _, _ := strings.Cut(w, "=")
			return name == flag
		})
	}
	for _, w := range m.command.flagWords(ctx) {
		if slices.Contains(notOfTheWork, w.name) || w.name == "answer" || w.name == "wait" {
			continue
		}
		if drop("--" + w.name); w.name == "format" {
			drop("--csv") // short for it in a sweep
		}
		line = append(line, w.String())
	}
	return line
}

// descend follows the words of a command line to its command and its files. at is nil where the
// first word is no command.
func descend(commands []*cli.Command, words []string) (at *cli.Command, files []string) {
	for _, w := range words {
		next := find(commands, w)
		if next == nil {
			break
		}
		at, commands = next, next.Subcommands
	}
	if i := slices.Index(words, "--"); i >= 0 {
		files = words[i+1:]
	}
	return at, files
}

// takesOut reports whether a command writes to --out without --shard too. An --out that is for
// shards alone has the usage onlyShards.
func takesOut(c *cli.Command) bool {
	for _, f := range c.Flags {
		if g, ok := f.(*cli.GenericFlag); ok && g.Name == "out" {
			return !strings.HasSuffix(g.Usage, onlyShards)
		}
	}
	return false
}
