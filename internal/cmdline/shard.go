package cmdline

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/shards"
	"github.com/capplan/capplan/report/page"
)

// A sharding is the flags of a command whose work can be parted. place is the text of --shard,
// empty without.
type sharding struct {
	place string
	dir   string // where the command has no --out of its own
}

// onlyShards explains an --out that is for shards alone.
const onlyShards = "folder of the shards, with --shard"

// Sharded adds the flags of a command whose work is many pieces, done by package
// pieces: with --shard it does those of one shard and no more. It comes after the
// command's other flags.
func (s *FlagSet) Sharded() {
	h := &sharding{}
	s.sharding = h
	usage := "do only every N-th piece of the work, beginning with the I-th, and keep the results in the folder --out for " +
		"capplan merge; auto takes I and N from a Slurm array or an indexed Job of Kubernetes"
	s.Text("shard", &h.place, "I/N", usage)
	if !s.Has("out") {
		s.Text("out", &h.dir, "DIR", onlyShards)
		s.Needs("out", "shard")
	}
}

// A ShardAnswer says what a shard did. Pieces are those of this shard.
type ShardAnswer struct {
	shards.Place
	File    string `json:"file"`
	Pieces  int    `json:"pieces"`
	Resumed int    `json:"resumed"` // pieces that runs before had done
	Whole   bool   `json:"was_there"`
}

// notOfTheWork are flags that say where answers go, not what is asked.
var notOfTheWork = []string{"shard", "out", "resume", "force"}

// shard does one shard of a command's work. Errors: *UsageError for a place or a folder that cannot
// be.
func (c *Command) shard(ctx *cli.Context, s *Streams) error {
	err := c.shardOf(ctx, s)
	// An error about the folder of the shards is one of --out: the folder is another's, or of another
	// question.
	if bad := (*shards.Error)(nil); errors.As(err, &bad) {
		return &UsageError{c.path, "--out: " + bad.Error()}
	}
	return err
}

// shardOf asks the command with a keeper in place of the pieces of other shards, and says what was
// kept.
func (c *Command) shardOf(ctx *cli.Context, s *Streams) error {
	bad := func(format string, args ...any) error {
		return &UsageError{c.path, "--shard: " + fmt.Sprintf(format, args...)}
	}
	place, err := shards.ParsePlace(c.Flags.sharding.place, os.Getenv)
	if err != nil {
		return bad("%v", err)
	}
	dir := c.Flags.textOf("out")
	if dir == "" {
		return bad("there is no place for its file, want --out DIR")
	}
	files := ctx.Args().Slice()
	flags := slices.DeleteFunc(c.flagWords(ctx.Context),
		func(w word) bool { return slices.Contains(notOfTheWork, w.name) })
	if slices.Contains(files,
		"-") || slices.ContainsFunc(flags, func(w word) bool { return w.value == "-" && w.name != "plot" }) {
		return bad("each shard reads the question, and standard input can be read only once: want a file")
	}
	// The identity holds the version, the command line and what its files were, for merge to
	// compare.
	id, err := shards.Identify(ctx.Context, Version(), c.commandLine(flags, files))
	if err != nil {
		return err
	}
	// What the command itself would write, or go on with, is for the one who merges.
	for name, none := range map[string]string{"out": "", "resume": "false"} {
		if !c.Flags.Has(name) {
			continue
		}
		if err := c.Flags.assign(name, none); err != nil {
			return err
		}
	}
	keeper, err := shards.NewKeeper(dir, id, place, c.Flags.Gave("force"))
	if err != nil {
		return &commandError{c, OutError("out", dir, err)}
	}
	defer keeper.Close()
	// A shard that was there whole asks nothing, so that a task that is started again ends at once.
	if !keeper.Whole {
		_, err := c.ask(pieces.WithKeeper(ctx.Context, keeper), s, files)
		if err := ctx.Err(); err != nil {
			return err
		}
		// A command whose pieces are kept ends with ErrKept; one that returns an answer had none.
		switch {
		case errors.Is(err, pieces.ErrKept):
			if err := keeper.Finish(); err != nil {
				return &commandError{c, OutError("out", keeper.Path, err)}
			}
		case errors.Is(err, pieces.ErrUncounted):
			return bad("the number of replications that a precision needs is known only at the end, want " +
				"--replications N")
		case err != nil:
			return &commandError{c, err}
		default:
			return bad("this question is answered at once and has no pieces to share")
		}
	}
	a := &ShardAnswer{
		Place:   place,
		File:    keeper.Path,
		Pieces:  keeper.Pieces,
		Resumed: keeper.Resumed,
		Whole:   keeper.Whole,
	}
	out := *c.Flags.Output
	// The drawing is of the whole answer, which a shard has not.
	out.plot = ""
	return out.print(ctx.Context, s, Answered(a, a.section()))
}

// section says which shard stands where. The path leads, since a script wants it.
func (a *ShardAnswer) section() *page.Section {
	s := &page.Section{ID: "shard"}
	switch {
	case a.Whole:
		s.Say("shard %s existed already: %s", a.Place, a.File)
	default:
		s.Say("shard %s in %s", a.Place, a.File)
	}
	remark := ""
	if a.Resumed > 0 {
		remark = fmt.Sprintf("%d of them by earlier runs", a.Resumed)
	}
	s.Fact("pieces", fmt.Sprint(a.Pieces), remark)
	return s
}

// sharded reports whether one shard was asked for.
func (c *Command) sharded() bool {
	return c.Flags.sharding != nil && strings.TrimSpace(c.Flags.sharding.place) != ""
}
