//go:build unix

package outfile

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// left checks that a folder holds these names and no others.
func left(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("files %q, want %q", got, want)
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != want {
		t.Errorf("%s holds %q, %v, want %q", path, b, err, want)
	}
}

func put(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	for _, text := range []string{"first", "second and longer", ""} {
		if err := Write(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		holds(t, path, text)
	}
	put(t, filepath.Join(dir, "b.txt"), "", 0o666)
	got, _ := os.Stat(path)
	want, _ := os.Stat(filepath.Join(dir, "b.txt"))
	if got.Mode() != want.Mode() {
		t.Errorf("mode %v, want that of any new file, %v", got.Mode(), want.Mode())
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, []byte("third")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.Stat(path); got.Mode() != 0o640 {
		t.Errorf("mode %v, want the -rw-r----- that the file had", got.Mode())
	}
	left(t, dir, "a.txt", "b.txt")
}

// A name of the greatest length leaves no room for an addition to it.
func TestWriteLongName(t *testing.T) {
	dir := t.TempDir()
	name := strings.Repeat("n", 255)
	if err := Write(filepath.Join(dir, name), []byte("x")); err != nil {
		t.Error(err)
	}
	left(t, dir, name)
}

// An error leaves the old file, and nothing beside it.
func TestWriteFails(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	put(t, path, "old", 0o644)
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	f.f.Close() // the next write fails, as on a full disk
	if _, err := f.Write([]byte("rest")); err == nil {
		t.Fatal("a write to a closed file succeeds")
	}
	if err := f.Commit(); err == nil {
		t.Error("Commit after a failed write gives the file its name")
	}
	f.Discard()
	holds(t, path, "old")
	left(t, dir, "a.txt")
	if f, err = Create(path); err != nil {
		t.Fatal(err)
	}
	f.Discard()
	if err := f.Commit(); err == nil {
		t.Error("Commit after Discard succeeds")
	}
	holds(t, path, "old")
	left(t, dir, "a.txt")
}

func TestWriteKeepsLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "far"), 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "far", "real"), "old", 0o644)
	for link, to := range map[string]string{"direct": "far/real", "chain": "direct", "absent": "far/new", "back": "back"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"direct": "real", "chain": "real", "absent": "new"} {
		if err := Write(filepath.Join(dir, link), []byte(link)); err != nil {
			t.Fatal(err)
		}
		holds(t, filepath.Join(dir, "far", to), link)
		if info, err := os.Lstat(filepath.Join(dir, link)); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v, %v", link, info.Mode(), err)
		}
	}
	if err := Write(filepath.Join(dir, "back"), nil); err == nil {
		t.Error("a link to itself is accepted")
	}
	left(t, filepath.Join(dir, "far"), "new", "real")
	left(t, dir, "absent", "back", "chain", "direct", "far")
}

// A name with .. is what the system takes it for: behind a link it leads elsewhere, and behind
// nothing nowhere, which is known before anything is computed.
func TestWriteAbove(t *testing.T) {
	dir, other := t.TempDir(), t.TempDir()
	if err := errors.Join(os.Mkdir(filepath.Join(other, "below"), 0o755),
		os.Symlink(filepath.Join(other, "below"), filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Check": Check(dir + "/none/../a"), "Write": Write(dir+"/none/../a", nil), "link": Check(dir + "/link/../../none/a"),
	} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, want no such folder", name, err)
		}
	}
	f, err := Create(dir + "/link/../a")
	if err != nil {
		t.Fatal(err)
	}
	left(t, dir, "link") // what is in the making stands beside its place
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	left(t, dir, "link")
	left(t, other, "a", "below")
}

func TestWriteRefuses(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Fatal(err)
	}
	for path, kind := range map[string]string{dir: "a folder", pipe: "a pipe", os.DevNull: "a device", "": "empty"} {
		for _, err := range []error{Write(path, []byte("x")), Check(path)} {
			var k *KindError
			if !errors.As(err, &k) || k.Kind != kind {
				t.Errorf("%q: %v, want a *KindError that says %s", path, err, kind)
			}
		}
	}
	for _, err := range []error{Write(filepath.Join(dir, "no", "a"), nil), Check(filepath.Join(dir, "no", "a"))} {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a folder that is not there: %v", err)
		}
	}
	if err := Check(filepath.Join(dir, "new")); err != nil {
		t.Error(err)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		t.Errorf("the pipe became %v, %v", info, err)
	}
	left(t, dir, "pipe")
}

// The file that standard output goes to keeps its name.
func TestWriteRefusesStandardOutput(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	old := os.Stdout
	os.Stdout = f
	defer func() { os.Stdout = old }()
	var k *KindError
	if err := Write(path, []byte("x")); !errors.As(err, &k) {
		t.Errorf("error %v, want a *KindError", err)
	}
}

func TestCreateNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	f, err := CreateNew(path)
	if err != nil {
		t.Fatal(err)
	}
	g, err := CreateNew(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*File{f, g} {
		if _, err := x.Write([]byte("text")); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := g.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the second of two: %v, want fs.ErrExist", err)
	}
	if _, err := CreateNew(path); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there: %v, want fs.ErrExist", err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := CreateNew(filepath.Join(dir, "link")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link: %v, want fs.ErrExist", err)
	}
	holds(t, path, "text")
	left(t, dir, "a", "link")
}

// What a run that goes on has begun stays, what a killed one left goes.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	live, err := Create(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	defer live.Discard()
	stage, err := Folder(dir)
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, ".capplan-1-0.tmp"), "left", 0o600)
	put(t, filepath.Join(dir, ".capplan-notes.tmp"), "ours", 0o600)
	if err := os.MkdirAll(filepath.Join(dir, ".capplan-1-1.tmp", "plots"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, ".capplan-1-2.tmp"), 0o644); err != nil {
		t.Fatal(err)
	}
	Sweep(dir)
	left(t, dir, filepath.Base(live.f.Name()), filepath.Base(stage.Name()), ".capplan-1-2.tmp", ".capplan-notes.tmp")
	stage.Close()
	if err := live.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := Write(filepath.Join(dir, "b"), nil); err != nil { // sweeps too
		t.Fatal(err)
	}
	left(t, dir, ".capplan-1-2.tmp", ".capplan-notes.tmp", "a", "b")
}

// TestMain is also the process that TestKill kills: it writes without end.
func TestMain(m *testing.M) {
	if path := os.Getenv("OUTFILE_KILLED"); path != "" {
		for {
			for _, c := range "ab" {
				if err := Write(path, bytes.Repeat([]byte{byte(c)}, 1<<20)); err != nil {
					panic(err)
				}
			}
		}
	}
	os.Exit(m.Run())
}

// A process that is killed as it writes leaves a whole file under the name.
func TestKill(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	put(t, path, strings.Repeat("a", 1<<20), 0o644)
	for i := range 20 {
		c := exec.Command(os.Args[0])
		c.Env = append(os.Environ(), "OUTFILE_KILLED="+path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(5+7*i%40) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = c.Wait() // it was killed
		b, err := os.ReadFile(path)
		if err != nil || len(b) != 1<<20 || len(bytes.Trim(b, string(b[0]))) > 0 {
			t.Fatalf("kill %d left %d bytes, %v, want %d alike", i, len(b), err, 1<<20)
		}
	}
	if err := Write(path, []byte("end")); err != nil {
		t.Fatal(err)
	}
	left(t, dir, "a")
}

// What goes wrong with a file in the making is said by the name that it was to have.
func TestErrorsNameTheFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "answer.json")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	f.f.Close() // as if the disk had gone
	_, write := f.Write([]byte("{}"))
	for what, err := range map[string]error{
		"write": write, "commit": f.Commit(),
		"rename": of(path, &os.LinkError{Op: "rename", Old: ".capplan-1-0.tmp", New: path, Err: fs.ErrPermission}),
	} {
		if err == nil || !strings.Contains(err.Error(), "answer.json") || strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: %v, want an error of answer.json", what, err)
		}
	}
	if _, err := Create(filepath.Join(dir, "missing", "x")); err == nil || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("no folder: %v", err)
	}
}
