package shards

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/pieces"
)

// A work is two folds, the second only begun after the first: sums of words, which
// repeat, and of squares.
type work struct {
	words, squares int
	seed           uint64
	stop           int // before which piece of the first fold the run ends; 0: none
}

var errStopped = errors.New("stopped")

// run returns what the work comes to.
func (w work) run(ctx context.Context) (string, error) {
	var all strings.Builder
	text := pieces.Form[string]{
		Write: func(to []byte, _ int, p string, words pieces.Words) ([]byte, error) {
			return strconv.AppendInt(to, int64(words.Number(p)), 10), nil
		},
		Read: func(_ int, text []byte, said pieces.Said) (string, error) {
			n, err := strconv.Atoi(string(text))
			p, ok := said.Text(n)
			if err == nil && !ok {
				err = fmt.Errorf("no word %d", n)
			}
			return p, err
		},
	}
	first := pieces.Fold(ctx, pieces.Work{Name: "words", Count: w.words, Seed: &w.seed}, text,
		func(_ context.Context, i int) (string, error) {
			if w.stop > 0 && i >= w.stop {
				return "", errStopped
			}
			return fmt.Sprintf("word \"%d\"\n", i%5), nil
		},
		func(i int, p string) error { fmt.Fprintf(&all, "%d %s", i, p); return nil })
	if first != nil && !errors.Is(first, pieces.ErrKept) {
		return "", first
	}
	number := pieces.Form[int]{
		Write: func(to []byte, _ int, p int, _ pieces.Words) ([]byte, error) {
			return strconv.AppendInt(to, int64(p), 10), nil
		},
		Read: func(_ int, text []byte, _ pieces.Said) (int, error) { return strconv.Atoi(string(text)) },
	}
	second := pieces.Fold(ctx, pieces.Work{Name: "squares", Count: w.squares}, number,
		func(_ context.Context, i int) (int, error) { return i * i, nil },
		func(i, p int) error { fmt.Fprintf(&all, "%d %d\n", i, p); return nil })
	return all.String(), errors.Join(first, second)
}

// shard does one shard of the work.
func (w work) shard(t *testing.T, dir string, p Place) error {
	t.Helper()
	k, err := NewKeeper(dir, w.identity(), p, false)
	if err != nil {
		return err
	}
	defer k.Close()
	if _, err := w.run(pieces.WithKeeper(t.Context(), k)); !errors.Is(err, pieces.ErrKept) {
		return err
	}
	if err := k.Finish(); err != nil {
		return fmt.Errorf("not finished: %w", err)
	}
	return nil
}

func (w work) identity() Identity {
	return Identity{Version: "v1", Command: []string{"work", fmt.Sprintf("--words=%d", w.words)}, Inputs: []Input{}}
}

// merge returns what the shards of a folder come to.
func (w work) merge(t *testing.T, dir string) (string, error) {
	t.Helper()
	f, err := Open(t.Context(), dir)
	if err != nil {
		return "", err
	}
	got, err := w.run(pieces.WithGiver(t.Context(), f))
	if err == nil {
		err = f.Done()
	}
	return got, err
}

// made returns a folder with all shards of the work.
func (w work) made(t *testing.T, of int) string {
	t.Helper()
	dir := t.TempDir()
	for i := 1; i <= of; i++ {
		if err := w.shard(t, dir, Place{i, of}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Shards of any number come to what one machine does, with fewer pieces than
// shards too.
func TestShardedIsUnsharded(t *testing.T) {
	for _, w := range []work{{words: 100, squares: 37, seed: 1}, {words: 5, squares: 0}, {}, {words: 9000, squares: 1}} {
		want, err := w.run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, of := range []int{1, 2, 3, 7, 16} {
			got, err := w.merge(t, w.made(t, of))
			if err != nil || got != want {
				t.Errorf("%+v in %d shards: %v, %d bytes, want %d", w, of, err, len(got), len(want))
			}
		}
	}
}

// A shard goes on wherever it was cut, and becomes the same.
func TestResume(t *testing.T) {
	w := work{words: 9, squares: 5}
	p := Place{2, 3}
	whole, err := os.ReadFile(filepath.Join(w.made(t, 3), p.File()))
	if err != nil {
		t.Fatal(err)
	}
	want := body(t, whole)
	for cut := 0; cut < len(whole); cut += 5 {
		dir := t.TempDir()
		path := filepath.Join(dir, p.File())
		if err := os.WriteFile(path+".part", whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		if err := w.shard(t, dir, p); err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || body(t, got) != want {
			t.Fatalf("cut at %d: %v, got\n%s\nwant\n%s", cut, err, got, whole)
		}
		if _, err := os.Stat(path + ".part"); err == nil {
			t.Fatalf("cut at %d: the unfinished file is still there", cut)
		}
	}
}

// body is what a shard holds between its first line and its last, which tell times.
func body(t *testing.T, shard []byte) string {
	t.Helper()
	lines := strings.SplitAfter(string(shard), "\n")
	return strings.Join(lines[1:len(lines)-2], "")
}

// A run that fails before it has a piece leaves nothing, neither file nor folder: its command line may be
// wrong, and the right one was refused for it.
func TestStoppedBeforeAPiece(t *testing.T) {
	w := work{words: 200, squares: 3, stop: 1}
	dir := filepath.Join(t.TempDir(), "shards")
	if err := w.shard(t, dir, Place{2, 2}); !errors.Is(err, errStopped) {
		t.Fatalf("%v, want %v", err, errStopped)
	}
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		files, _ := os.ReadDir(dir)
		t.Errorf("%v, want no folder: %v", err, files)
	}
}

// A run that fails leaves what it has for the next, and no shard.
func TestStopped(t *testing.T) {
	w := work{words: 200, squares: 3, stop: 100}
	dir := t.TempDir()
	if err := w.shard(t, dir, Place{1, 2}); !errors.Is(err, errStopped) {
		t.Fatalf("%v, want %v", err, errStopped)
	}
	if _, err := os.Stat(filepath.Join(dir, Place{1, 2}.File())); err == nil {
		t.Fatal("there is a shard though the run failed")
	}
	w.stop = 0
	k, err := NewKeeper(dir, w.identity(), Place{1, 2}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if k.Resumed != 50 {
		t.Errorf("%d pieces are gone on with, want 50", k.Resumed)
	}
	if _, err := NewKeeper(dir, w.identity(), Place{1, 2}, false); err == nil || !strings.Contains(err.Error(), "another run is writing") {
		t.Errorf("a second run at once: %v", err)
	}
}

// A shard that is there is not done again, one of another work not replaced.
func TestKeeperFindsShard(t *testing.T) {
	w := work{words: 10, squares: 2}
	dir := w.made(t, 2)
	k, err := NewKeeper(dir, w.identity(), Place{1, 2}, false)
	if err != nil || !k.Whole || k.Pieces != 6 {
		t.Errorf("%+v, %v; want a whole shard of 6 pieces", k, err)
	}
	other := w
	other.words = 11
	if err := other.shard(t, dir, Place{1, 2}); err == nil || !strings.Contains(err.Error(), `of the command line "work --words=10": with --words=10, not --words=11`) {
		t.Errorf("another command line: %v", err)
	}
	if _, err := NewKeeper(dir, other.identity(), Place{1, 2}, true); err != nil {
		t.Errorf("with force: %v", err)
	}
}

// A shard that ends before its first piece takes the folder that it made with it, one
// that was there stays, and so does whatever stands in one.
func TestKeeperLeavesNoEmptyFolder(t *testing.T) {
	w := work{words: 3}
	dir := filepath.Join(t.TempDir(), "new")
	open := func(place int) *Keeper {
		k, err := NewKeeper(dir, w.identity(), Place{place, 2}, false)
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	left := func(want bool, when string) {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", when, err)
		}
	}
	open(1).Close()
	left(false, "ended at once")
	first, second := open(1), open(2)
	first.Close()
	left(true, "with another shard in it")
	second.Close()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	open(1).Close()
	left(true, "there before")
}
