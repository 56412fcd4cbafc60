//go:build unix

package lp

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/capplan/capplan/internal/children"
	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/parallel"
)

// fakeCBC is a shell script that is called as cbc is; $out is the file that the
// answer goes to.
func fakeCBC(t *testing.T, dir, body string) *External {
	t.Helper()
	path := filepath.Join(dir, "cbc")
	text := "#!/bin/sh\nfor out; do :; done\nanswer() { printf 'Optimal - objective value 0\\n 0 x0 0 1\\n' >\"$out\"; }\n" + body + "\n"
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	return &External{Path: path, Kind: CBC}
}

func solved(t *testing.T, e *External, s Settings) *Solution {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute) // a hang is a failure of its own
	defer cancel()
	sol, err := e.Solve(ctx, tiny(), s)
	if err != nil {
		t.Fatal(err)
	}
	return sol
}

// A folder for temporary files that is not there is said by the name of the variable to set.
func TestExternalWithoutTemporaryFolder(t *testing.T) {
	e := fakeCBC(t, t.TempDir(), "answer")
	missing := filepath.Join(t.TempDir(), "none")
	t.Setenv("TMPDIR", missing)
	_, err := e.Solve(context.Background(), tiny(), Settings{})
	if !errors.Is(err, syscall.ENOENT) || !strings.Contains(err.Error(), "TMPDIR") ||
		!strings.Contains(err.Error(), missing+`"`) || strings.Contains(err.Error(), ".capplan-") {
		t.Errorf("%v, want TMPDIR and its folder", err)
	}
}

// The executable runs in a folder of its own: neither its path nor that of the
// folder may be taken as relative to it.
func TestExternalRelativePaths(t *testing.T) {
	dir := t.TempDir()
	fakeCBC(t, dir, "test -r \"$1\" && answer")
	t.Chdir(dir)
	if err := os.Mkdir("with blank", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, temporary := range []string{dir, ".", "with blank"} {
		t.Setenv("TMPDIR", temporary)
		if sol := solved(t, &External{Path: "./cbc", Kind: CBC}, Settings{}); sol.Status != Optimal {
			t.Errorf("TMPDIR=%q: %+v", temporary, sol)
		}
		e, err := Find("./cbc")
		if err != nil {
			t.Fatal(err)
		}
		if sol := solved(t, e, Settings{}); sol.Status != Optimal {
			t.Errorf("found, TMPDIR=%q: %+v", temporary, sol)
		}
	}
}

// What the executable has started ends with it: at the limit, with the context,
// and where it has answered. The other end of a pipe says when all have.
func TestExternalEndsItsWholeGroup(t *testing.T) {
	for name, body := range map[string]string{
		"at the limit":             "trap '' INT TERM\nsleep 1000 &\nwait\nsleep 1000",
		"with its answer":          "sleep 1000 &\nanswer",
		"failed":                   "sleep 1000 &\nexit 7",
		"a child that is deaf too": "(trap '' INT TERM HUP; sleep 1000; sleep 1000) &\nanswer",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fifo := filepath.Join(dir, "alive")
			if err := syscall.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			e := fakeCBC(t, dir, "exec 9>'"+fifo+"'\n"+body)
			ended := make(chan error, 1)
			go func() {
				f, err := os.Open(fifo) // waits for the writer
				if err == nil {
					_, err = io.ReadAll(f) // ends when nobody holds it
				}
				ended <- err
			}()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if name == "at the limit" {
				time.AfterFunc(300*time.Millisecond, cancel)
			}
			if _, err := e.Solve(ctx, tiny(), Settings{}); err != nil {
				t.Fatal(err)
			}
			select {
			case err := <-ended:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(30 * time.Second):
				t.Error("some process goes on")
			}
		})
	}
}

// A wrapper that leaves a child behind keeps the answer, be the child something
// else or the solver itself.
func TestExternalKeepsTheAnswerOfAWrapper(t *testing.T) {
	for name, body := range map[string]string{
		"a child beside":          "sleep 1000 &\nanswer",
		"the child is the solver": "(sleep 0.5; answer) &\nexit 0",
	} {
		if sol := solved(t, fakeCBC(t, t.TempDir(), body), Settings{}); sol.Status != Optimal || sol.Objective != 0 {
			t.Errorf("%s: %+v", name, sol)
		}
	}
}

// Anything but a file of a size that the model can have is no answer; a pipe
// without a writer is not waited for.
func TestExternalRefusesWhatIsNoFile(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"FIFO":      {"mkfifo \"$out\"", "not a regular file"},
		"link":      {"answer; mv \"$out\" \"$out.real\"; ln -s \"$out.real\" \"$out\"", "a link"},
		"folder":    {"mkdir \"$out\"", "not a regular file"},
		"sparse":    {"answer; truncate -s 100G \"$out\"", "bytes"},
		"small gap": {"truncate -s 100K \"$out\"", `\x00`},
		"device":    {"ln -s /dev/zero \"$out\"", "a link"},
	} {
		sol := solved(t, fakeCBC(t, t.TempDir(), c.body), Settings{})
		if sol.Status != Unknown || sol.X != nil || !strings.Contains(sol.Message, c.want) {
			t.Errorf("%s: %+v, want %q", name, sol, c.want)
		}
	}
}

// The words of a program reach a terminal as text, and not without end.
func TestExternalMessagesAreText(t *testing.T) {
	for name, body := range map[string]string{
		"failed": `printf 'boom \033[31m\007\302\233\342\200\256\377'; exit 3`,
		"long":   `head -c 100000 /dev/zero | tr '\0' x; exit 3`,
		"answer": `printf 'odd \033]0;title\007\n' >"$out"`,
	} {
		sol := solved(t, fakeCBC(t, t.TempDir(), body), Settings{})
		if sol.Status != Unknown || sol.Message == "" || len(sol.Message) > 2*maxMessage {
			t.Errorf("%s: %+v", name, sol)
		}
		for _, r := range sol.Message {
			if !unicode.IsPrint(r) {
				t.Errorf("%s: %q has %U", name, sol.Message, r)
			}
		}
	}
}

// A solver that goes on for ever ends without a time limit of its caller too.
func TestExternalEndsWithoutALimit(t *testing.T) {
	e := fakeCBC(t, t.TempDir(), "trap '' INT TERM HUP\nsleep 1000 &\nwait\nsleep 1000")
	e.Limit, e.grace = time.Millisecond, 100*time.Millisecond
	sol := solved(t, e, Settings{})
	if sol.Reason != TimeLimit || sol.Status != Unknown {
		t.Errorf("%s, %s, want the time limit", sol.Reason, sol.Status)
	}
}

// A process that ends without waiting for a deaf solver takes its folder away all the same.
func TestExternalLeftAloneLeavesNoFolder(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	e := fakeCBC(t, t.TempDir(), "trap '' INT TERM HUP\necho >begun\nsleep 1000")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		_, err := e.Solve(ctx, tiny(), Settings{})
		ended <- err
	}()
	for found, _ := filepath.Glob(filepath.Join(dir, "*", "begun")); len(found) == 0; {
		time.Sleep(time.Millisecond)
		found, _ = filepath.Glob(filepath.Join(dir, ".*", "begun"))
	}
	children.End()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// Solves beside one another take and leave the same few names: none removes the folder of another.
func TestExternalFoldersOfManySolves(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	err := parallel.Each(t.Context(), 16, longtest.Of(400, 2000), func(int) error {
		dir, remove, err := workFolder()
		if err != nil {
			return err
		}
		defer remove()
		return os.WriteFile(filepath.Join(dir, "model.mps"), nil, 0o600)
	})
	if err != nil {
		t.Error(err)
	}
}

// The folder of a run that was killed is taken away by the next, that of one which goes
// on is not, and none is left behind.
func TestExternalSweepsFolders(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	killed := filepath.Join(dir, ".capplan-999999-0.tmp")
	if err := os.Mkdir(killed, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(killed, "model.mps"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	busy, remove, err := workFolder()
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(busy); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v, want a folder that nobody else reads", info, err)
	}
	solved(t, fakeCBC(t, t.TempDir(), "answer"), Settings{})
	if _, err := os.Stat(killed); err == nil {
		t.Error("the folder of a killed run stays")
	}
	if _, err := os.Stat(busy); err != nil {
		t.Error(err)
	}
	remove()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}
