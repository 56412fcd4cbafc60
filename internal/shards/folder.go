package shards

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/capplan/capplan/internal/outfile"
	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/pieces"
)

// A Folder holds all shards of one work. It is a [pieces.Giver]. It is used for one command line at
// a time, whose works it gives one after the other.
type Folder struct {
	Identity
	Work pieces.Work
	Of   int

	files  []string // by shard
	wholes []*whole
	number int    // of the works that the command has asked for
	begins []mark // of the pieces of the last, by shard
	ends   []mark
	shared sync.Map // texts of all shards
}

// shardFiles returns the names of what may be a shard in a folder, in order. Errors: *Error where
// dir is no folder; *fs.PathError.
func shardFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, syscall.ENOTDIR) {
		return nil, &Error{Name: dir,
			Reason: "is not a folder, want that of the shards, with files such as " + Place{1, 4}.File()}
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		// Logs of a scheduler and the answer itself may stand beside the shards.
		if strings.HasSuffix(e.Name(), ".jsonl") {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Open opens a folder in which all shards of one work stand. Files that do not end
// in .jsonl are left alone. Errors: *Error, which names a shard that is missing,
// there twice, of another work or cut; *fs.PathError.
func Open(ctx context.Context, dir string) (*Folder, error) {
	names, err := shardFiles(dir)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, &Error{Name: dir,
			Reason: "holds no shards, want files such as " + Place{1, 4}.File() + unfinishedIn(dir), Lacking: true}
	}
	found := make([]*whole, len(names))
	// Only first and last lines are read here: shards may hold gigabytes.
	err = parallel.All(ctx, len(names), func(i int) (err error) {
		found[i], err = inspect(filepath.Join(dir, names[i]))
		return err
	})
	if err != nil {
		return nil, err
	}
	// The first file by name stands for all; which of two that differ is wrong nobody can tell.
	first := found[0].header
	f := &Folder{Identity: first.Identity, Work: first.Work, Of: first.Of}
	f.files, f.wholes = make([]string, f.Of), make([]*whole, f.Of)
	for i, w := range found {
		if why := foreign(first, w.header); why != "" {
			return nil, &Error{Name: filepath.Join(dir, names[i]),
				Reason: "does not belong to " + names[0] + ": it is " + why}
		}
		// The place of a shard is what its header says; a file may have been renamed.
		at := w.header.Shard - 1
		if f.wholes[at] != nil {
			return nil, &Error{Name: filepath.Join(dir, names[i]),
				Reason: fmt.Sprintf("is shard %s, and so is %s: remove one of them", w.header.Place, f.files[at])}
		}
		f.files[at], f.wholes[at] = names[i], w
	}
	if missing := f.missing(); len(missing) > 0 {
		return nil, &Error{Name: dir,
			Reason:  fmt.Sprintf("lacks %d of %d shards: %s", len(missing), f.Of, listed(missing)) + unfinishedIn(dir),
			Lacking: true}
	}
	for i := range f.files {
		f.files[i] = filepath.Join(dir, f.files[i])
	}
	return f, nil
}

// foreign says in what a shard is not of the same work as another. It is empty where it is of the
// same work.
func foreign(first, h *header) string {
	if h.Of != first.Of {
		return fmt.Sprintf("one of %d shards, not of %d", h.Of, first.Of)
	}
	if why := first.Differs(&h.Identity); why != "" {
		return why
	}
	return workDiffers(first.Work, h.Work)
}

// missing are the names of shards that are not there.
func (f *Folder) missing() (names []string) {
	for i, w := range f.wholes {
		if w == nil {
			names = append(names, Place{i + 1, f.Of}.File())
		}
	}
	return names
}

// listed shows the first of many names.
func listed(names []string) string {
	const most = 10
	if len(names) > most {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
	}
	return strings.Join(names, ", ")
}

// unfinishedIn mentions shards in the making, "" if there are none. Whoever misses a shard looks
// for it there first.
func unfinishedIn(dir string) string {
	parts, _ := filepath.Glob(filepath.Join(escaped(dir), outfile.Unfinished("*.jsonl")))
	if len(parts) == 0 {
		return ""
	}
	for i := range parts {
		parts[i] = filepath.Base(parts[i])
	}
	slices.Sort(parts)
	return "; not finished: " + listed(parts)
}

// escaped is a path in which no character is a pattern. A folder may be called shards[1].
func escaped(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
