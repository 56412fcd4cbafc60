package shards

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever is wrong with a folder is said of the file where it is.
func TestMergeRefuses(t *testing.T) {
	w := work{words: 40, squares: 9, seed: 3}
	const third = "shard-0003-of-0004.jsonl"
	edit := func(t *testing.T, dir, name string, f func([]byte) []byte) {
		path := filepath.Join(dir, name)
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, f(data), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	replace := func(old, fresh string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.Replace(b, []byte(old), []byte(fresh), 1) }
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		want  []string
	}{
		"missing": {func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, third))
			os.Remove(filepath.Join(dir, "shard-0001-of-0004.jsonl"))
		}, []string{"lacks 2 of 4 shards: shard-0001-of-0004.jsonl, " + third}},
		"unfinished": {func(t *testing.T, dir string) {
			os.Rename(filepath.Join(dir, third), filepath.Join(dir, third+".part"))
		}, []string{"lacks 1 of 4 shards: " + third, "not finished: " + third + ".part"}},
		"doubled": {func(t *testing.T, dir string) {
			data, _ := os.ReadFile(filepath.Join(dir, third))
			os.WriteFile(filepath.Join(dir, "shard-0003-of-0004 (copy).jsonl"), data, 0o666)
		}, []string{third + " is shard 3/4, and so is shard-0003-of-0004 (copy).jsonl"}},
		"no shard": {func(t *testing.T, dir string) {
			os.WriteFile(filepath.Join(dir, "rows.jsonl"), []byte("{\"a\":1}\n"), 0o666)
		}, []string{"rows.jsonl is not a shard"}},
		"other count": {func(t *testing.T, dir string) {
			if err := w.shard(t, dir, Place{5, 5}); err != nil {
				t.Fatal(err)
			}
		}, []string{"shard-0005-of-0005.jsonl does not belong to shard-0001-of-0004.jsonl: it is one of 5 shards, not of 4"}},
		"other version": {func(t *testing.T, dir string) { edit(t, dir, third, replace(`"v1"`, `"v2"`)) },
			[]string{third + " does not belong", "of capplan v2, not v1"}},
		"other command": {func(t *testing.T, dir string) { edit(t, dir, third, replace(`words=40`, `words=41`)) },
			[]string{third + " does not belong", `of the command line "work --words=41"`}},
		"other seed": {func(t *testing.T, dir string) { edit(t, dir, third, replace(`"seed":3`, `"seed":4`)) },
			[]string{third + " does not belong", "of seed 4, not 3"}},
		"other pieces": {func(t *testing.T, dir string) { edit(t, dir, third, replace(`"pieces":40`, `"pieces":44`)) },
			[]string{third + " does not belong", "of 44 words, not 40"}},
		"a number that is none": {func(t *testing.T, dir string) {
			edit(t, dir, third, replace(`"of":4`, `"of":1e3`))
		}, []string{third + " has a first line that cannot be read: of is a number 1e3, not a whole number"}},
		"another format": {func(t *testing.T, dir string) {
			edit(t, dir, third, replace(`"capplan_shard":1`, `"capplan_shard":2`))
		}, []string{third + " is a shard of format 2"}},
		"cut": {func(t *testing.T, dir string) { edit(t, dir, third, func(b []byte) []byte { return b[:len(b)/2] }) },
			[]string{third + " is cut"}},
		"empty": {func(t *testing.T, dir string) { edit(t, dir, third, func([]byte) []byte { return nil }) },
			[]string{third + " is not a shard"}},
		"changed": {func(t *testing.T, dir string) {
			edit(t, dir, third, replace(`{"piece":2,"value":4}`, `{"piece":2,"value":5}`))
		},
			[]string{third + " is damaged", "checksum"}},
		"no value": {func(t *testing.T, dir string) {
			edit(t, dir, third, replace(`{"piece":2,"value":4}`, `{"piece":2,"value":[]}`))
		}, []string{third + " is damaged: piece 2 is not as it was written; copy it again",
			"or remove it and run the shard again"}},
		"lacks a line": {func(t *testing.T, dir string) {
			edit(t, dir, third, func(b []byte) []byte {
				return append(bytes.Clone(b[:bytes.Index(b, []byte(`{"piece":6,`))]), b[bytes.Index(b, []byte(`{"piece":10,`)):]...)
			})
		}, []string{third + " is damaged: piece 6 is expected"}},
	} {
		dir := w.made(t, 4)
		c.spoil(t, dir)
		_, err := w.merge(t, dir)
		if err == nil {
			t.Errorf("%s: merged", name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
		}
	}
	if _, err := Open(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "holds no shards") {
		t.Errorf("an empty folder: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(t.TempDir(), "none")); !os.IsNotExist(err) {
		t.Errorf("no folder: %v", err)
	}
	// The command asks for less, more or other than the shards hold.
	for _, other := range []work{{words: 40, squares: 8, seed: 3}, {words: 40, squares: 9, seed: 4}, {words: 41, squares: 9, seed: 3}} {
		if _, err := other.merge(t, w.made(t, 2)); err == nil || !strings.Contains(err.Error(), "asks for something else here") {
			t.Errorf("%+v: %v", other, err)
		}
	}
}

// A shard read in small portions is the same.
func TestReaderPortions(t *testing.T) {
	w := work{words: 40, squares: 9}
	dir := w.made(t, 1)
	path := filepath.Join(dir, Place{1, 1}.File())
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, portion := range []int{1, 7, 64, 1 << 20} {
		r := &reader{path: path, end: int64(len(want)), portion: portion}
		var got []byte
		for {
			line, err := r.line()
			if err != nil {
				break
			}
			got = append(append(got, line...), '\n')
		}
		if !bytes.Equal(got, want) {
			t.Errorf("in portions of %d: %d bytes, want %d", portion, len(got), len(want))
		}
	}
}
