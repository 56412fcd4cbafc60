//go:build unix

package records

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/capplan/capplan/planner/machines"
)

// What a crash has left under the name, or somebody has put there, is neither waited
// for nor read into memory.
func TestFleetFileOfAnyLength(t *testing.T) {
	pipe, long := filepath.Join(t.TempDir(), "pipe"), filepath.Join(t.TempDir(), "long")
	if err := syscall.Mkfifo(pipe, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(long, []byte(`{"host":`), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, 1<<38); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		pipe: "is a pipe", long: "no line of a fleet file", os.DevNull: "is a device",
	} {
		_, err := openFleetFile(path, true, &machines.FleetQuestion{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	f, err := os.Open(long)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := FleetKernel(f, "long", "a"); err == nil || !strings.Contains(err.Error(), "no line of a fleet file") {
		t.Errorf("kernel: %v", err)
	}
}
