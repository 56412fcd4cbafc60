package sweeps

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// An Identity is what two runs must have in common for one to go on with
// the rows of the other. It stands as JSON in the file beside an unfinished one.
type Identity struct {
	Version string      `json:"version"`
	Command string      `json:"command"`
	Flags   [][2]string `json:"flags"`
	Over    []string    `json:"over"`
	Files   []inputID   `json:"files"`
	Stdin   string      `json:"stdin_sha256"`
}

// An inputID identifies the content of a file that the points read. Size and time show a change as
// well as a checksum would, without reading traces of gigabytes.
type inputID struct {
	Name     string    `json:"name"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

// identify says of a sweep what it is: of files that its words name, which are
// there, and of standard input, whether they are still the same.
func (s *Sweep) identify(ctx context.Context) (*Identity, error) {
	id := &Identity{Version: s.Version, Command: s.Command, Flags: s.Flags, Over: s.Over, Files: []inputID{}}
	words := slices.Clone(s.Files)
	for _, f := range s.Flags {
		words = append(words, f[1])
	}
	for _, a := range s.Axes {
		words = append(words, a.Values...)
	}
	// Any word may be the name of a file; those that name none are passed over, but for files of
	// arguments.
	for i, w := range words {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if info, err := os.Stat(w); err == nil && info.Mode().IsRegular() {
			id.Files = append(id.Files, inputID{w, info.Size(), info.ModTime().UTC()})
		} else if slices.Contains(s.Files, w) {
			id.Files = append(id.Files, inputID{Name: w})
		}
	}
	if s.Stdin != nil {
		sum := sha256.Sum256(s.Stdin)
		id.Stdin = hex.EncodeToString(sum[:])
	}
	return id, nil
}

// differs says in what the run that left a file is not this one, "" in nothing. It names the first
// thing that differs, in the order in which people look.
func (id *Identity) differs(old *Identity) string {
	same := func(a, b any) bool {
		x, err1 := json.Marshal(a)
		y, err2 := json.Marshal(b)
		return err1 == nil && err2 == nil && bytes.Equal(x, y)
	}
	switch {
	// The version comes last: whatever else differs explains more.
	case id.Command != old.Command:
		return "of capplan sweep " + old.Command
	case !same(id.Flags, old.Flags):
		show := func(flags [][2]string) string {
			var words []string
			for _, f := range flags {
				words = append(words, "--"+f[0]+" "+f[1])
			}
			return cmp.Or(strings.Join(words, " "), "none")
		}
		return "with other flags: " + show(old.Flags) + ", not " + show(id.Flags)
	case !same(id.Over, old.Over):
		return fmt.Sprintf("over %v, not %v", old.Over, id.Over)
	case !same(id.Files, old.Files):
		return "of files that are not the same, or have changed"
	case id.Stdin != old.Stdin:
		return "of another standard input"
	case id.Version != old.Version:
		return "of capplan " + old.Version + ", this is " + id.Version
	}
	return ""
}
