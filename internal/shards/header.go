package shards

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/capplan/capplan/internal/jsonwords"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/internal/spell"
)

// An Identity is what all shards of one work have in common. What is not in it may differ between
// the machines: folders, times, processors.
type Identity struct {
	Version string   `json:"version"` // of the program
	Command []string `json:"command"` // words of the command line, without those that name the shard
	Inputs  []Input  `json:"inputs"`  // files that these words name
}

// An Input is a file that the command reads.
type Input struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// A header is the first line of a shard. Format is the first field, by which a file is known to be
// a shard.
type header struct {
	Format int `json:"capplan_shard"`
	Identity
	pieces.Work
	Place
	Started time.Time `json:"started"`
	Host    string    `json:"host"`
}

const format = 1

// Identify looks up the files that the words of a command line name, alone or
// behind an equals sign, and of folders behind "--" the names and sizes of what they
// hold. Words that name no file are passed over. Errors: those of reading a file; that of the
// context.
func Identify(ctx context.Context, version string, command []string) (Identity, error) {
	id := Identity{Version: version, Command: command, Inputs: []Input{}}
	arguments := false
	for _, w := range command {
		// A folder before "--" is where something is written.
		arguments = arguments || w == "--"
		if strings.HasPrefix(w, "--") {
			_, w, _ = strings.Cut(w, "=")
		}
		// A file that is named twice is read once.
		if slices.ContainsFunc(id.Inputs, func(in Input) bool { return in.Name == w }) {
			continue
		}
		in, err := input(ctx, w)
		if errors.Is(err, errNoFile) && arguments {
			in, err = folderInput(ctx, w)
		}
		if errors.Is(err, errNoFile) {
			continue
		}
		if err != nil {
			return id, err
		}
		id.Inputs = append(id.Inputs, in)
	}
	return id, nil
}

// errNoFile marks an argument that is not a regular file. It never leaves the package.
var errNoFile = errors.New("no file")

// input reads a file for its sum. What is no regular file is left to the command. 16 MiB at a time,
// between which the context is looked at.
func input(ctx context.Context, name string) (Input, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return Input{}, errNoFile
	}
	f, err := os.Open(name)
	if err != nil {
		return Input{}, err
	}
	defer f.Close()
	sum := sha256.New()
	in := Input{Name: name}
	for {
		n, err := io.CopyN(sum, f, 16<<20)
		in.Bytes += n
		if errors.Is(err, io.EOF) {
			break
		}
		err = cmp.Or(err, ctx.Err())
		if err != nil {
			return Input{}, err
		}
	}
	in.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return in, nil
}

// folderInput sums up the names and sizes of what a folder holds: its files may be
// more than each shard could read. The order is that of filepath.WalkDir, which is by name.
func folderInput(ctx context.Context, name string) (Input, error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return Input{}, errNoFile
	}
	sum := sha256.New()
	in := Input{Name: name}
	err := filepath.WalkDir(name, func(path string, e fs.DirEntry, err error) error {
		err = cmp.Or(err, ctx.Err())
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		in.Bytes += info.Size()
		_, err = fmt.Fprintf(sum, "%q %d\n", path, info.Size())
		return err
	})
	in.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return in, err
}

// Differs says in what another identity is not this one, "" in nothing. The command line is
// compared first, since another one explains all else.
func (id *Identity) Differs(other *Identity) string {
	if !slices.Equal(id.Command, other.Command) {
		return "of the command line " + otherWords(other.Command, id.Command)
	}
	if id.Version != other.Version {
		return fmt.Sprintf("of capplan %s, not %s", other.Version, id.Version)
	}
	// Files are compared by their sums, since their times differ from machine to machine.
	for _, in := range id.Inputs {
		i := slices.IndexFunc(other.Inputs, func(o Input) bool { return o.Name == in.Name })
		if i < 0 {
			return fmt.Sprintf("made where there was no file %s", spell.Quote(in.Name))
		}
		if in != other.Inputs[i] {
			return fmt.Sprintf("of another %s (%d bytes, SHA-256 %.12s..., not %d bytes, %.12s...)",
				spell.Quote(in.Name), other.Inputs[i].Bytes, other.Inputs[i].SHA256, in.Bytes, in.SHA256)
		}
	}
	if len(other.Inputs) > len(id.Inputs) {
		return "of more files than there are"
	}
	return ""
}

// otherWords shows a command line, and in which words it is not another. Both may be long, and
// mostly differ in a word.
func otherWords(command, not []string) string {
	beside := func(a, b []string) string {
		var only []string
		for _, w := range a {
			if !slices.Contains(b, w) {
				only = append(only, w)
			}
		}
		if len(only) == 0 {
			return "nothing"
		}
		return listed(only)
	}
	return fmt.Sprintf("%s: with %s, not %s",
		spell.Quote(strings.Join(command, " ")), beside(command, not), beside(not, command))
}

// workDiffers says in what another work is not this one, "" in nothing. A seed that is not given
// differs from every other.
func workDiffers(w, other pieces.Work) string {
	seed := func(s *uint64) string {
		if s == nil {
			return "none"
		}
		return fmt.Sprint(*s)
	}
	switch {
	case w.Name != other.Name:
		return fmt.Sprintf("of %s, not %s", other.Name, w.Name)
	case w.Count != other.Count:
		return fmt.Sprintf("of %d %s, not %d", other.Count, w.Name, w.Count)
	case seed(w.Seed) != seed(other.Seed):
		return fmt.Sprintf("of seed %s, not %s", seed(other.Seed), seed(w.Seed))
	}
	return ""
}

// readHeader reads the first line of a shard. A field that is not known is one of a later version,
// whose meaning cannot be guessed.
func readHeader(line []byte) (*header, error) {
	h := &header{}
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	if !bytes.HasPrefix(line, []byte(`{"capplan_shard":`)) {
		return nil, errors.New("is not a shard: its first line does not begin with \"capplan_shard\"")
	}
	if err := d.Decode(h); err != nil {
		return nil, fmt.Errorf("has a first line that cannot be read: %s", jsonwords.Of(err))
	}
	if h.Format != format {
		return nil, fmt.Errorf("is a shard of format %d, but this program reads %d", h.Format, format)
	}
	if _, err := checked(h.Place, h.Place.String()); err != nil || h.Count < 0 {
		return nil, fmt.Errorf("says that it is shard %s of %d %s, which is impossible", h.Place, h.Count, h.Name)
	}
	return h, nil
}

// An Error says which shard, or which folder, cannot be used. Its text is the name and then the
// reason, which goes on from there.
type Error struct {
	Name   string
	Reason string
	// Lacking says that nothing is wrong but that shards are missing, which may
	// still come.
	Lacking bool
}

func (e *Error) Error() string { return e.Name + " " + e.Reason }
