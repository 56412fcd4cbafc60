package chart_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/capplan/capplan/chart"
)

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	for suffix, magic := range map[string]string{".svg": "<?xml", ".png": "\x89PNG", ".pdf": "%PDF", ".SVG": "<?xml"} {
		path := filepath.Join(dir, "plot"+suffix)
		for range 2 { // the second replaces the first
			if err := WriteFile(path, objective()); err != nil {
				t.Fatal(err)
			}
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(b, []byte(magic)) {
			t.Errorf("%s starts with %q, %v", suffix, b[:min(8, len(b))], err)
		}
		// The mode is that of any new file under the umask of this process.
		other := filepath.Join(dir, "other")
		if err := os.WriteFile(other, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := os.Stat(path)
		want, err2 := os.Stat(other)
		if err != nil || err2 != nil || got.Mode() != want.Mode() {
			t.Errorf("mode %v, want %v (%v, %v)", got.Mode(), want.Mode(), err, err2)
		}
		os.Remove(other)
	}
	load, servers := day()
	if err := WritePanelsFile(filepath.Join(dir, "day.svg"), load, servers); err != nil {
		t.Error(err)
	}
	checkFiles(t, dir, "day.svg", "plot.SVG", "plot.pdf", "plot.png", "plot.svg")
}

// checkFiles checks that a folder holds these files and no others.
func checkFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("files %v, want %v", got, want)
	}
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"plot", "plot.gif", "plot.svg.gz", ""} {
		var fe *FormatError
		err := WriteFile(filepath.Join(dir, name), objective())
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), ".svg, .png or .pdf") {
			t.Errorf("%q: %v, want a *FormatError that names the formats", name, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.svg"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(dir, "folder.svg"), objective()); err == nil || !strings.Contains(err.Error(), "is a folder") {
		t.Errorf("a folder: %v", err)
	}
	if err := WriteFile(filepath.Join(dir, "absent", "plot.svg"), objective()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	old := filepath.Join(dir, "old.svg")
	if err := os.WriteFile(old, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(filepath.Join(old, "plot.svg"), objective()); err == nil {
		t.Error("a file as folder is accepted")
	}
	var de *DataError
	if err := WriteFile(old, Chart{}); !errors.As(err, &de) {
		t.Errorf("an empty chart: %v", err)
	}
	if b, err := os.ReadFile(old); err != nil || string(b) != "old" {
		t.Errorf("an error left %q, %v", b, err)
	}
	checkFiles(t, dir, "folder.svg", "old.svg")
}

// A folder that cannot be written to is an error. The superuser may write
// anywhere, so /proc stands in for such a folder.
func TestWriteFileUnwritable(t *testing.T) {
	dir := t.TempDir()
	if os.Geteuid() == 0 {
		dir = "/proc"
	} else if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	err := WriteFile(filepath.Join(dir, "plot.svg"), objective())
	if err == nil || !strings.HasPrefix(err.Error(), "chart: WriteFile: path = ") {
		t.Errorf("error %v, want one that names the path", err)
	}
}
