//go:build unix

package records

import (
	"bytes"
	"encoding/json"
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
		pipe: "is a pipe", long: "not a line of a fleet file", os.DevNull: "is a device",
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
	if _, err := FleetKernel(f, "long", "a"); err == nil || !strings.Contains(err.Error(), "not a line of a fleet file") {
		t.Errorf("kernel: %v", err)
	}
}

// A file that was cut anywhere, by a kill or a full disk, is gone on with behind its
// last whole line: nothing of a machine is lost or there twice.
func TestFleetFileCutAtEveryByte(t *testing.T) {
	q := &machines.FleetQuestion{ClockText: machines.ClockText{Zone: "UTC"}}
	var lines []json.RawMessage
	for _, host := range []string{"a", "b\n\u00e4", "c"} {
		fit := machines.HostFit{HostSummary: machines.HostSummary{Host: host, Days: 3}, Question: q, Notes: []string{"x"}}
		line, err := json.Marshal(&fit)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	path := filepath.Join(t.TempDir(), "fleet.jsonl")
	l, err := openFleetFile(path, false, q)
	if err == nil {
		err = l.write(lines)
	}
	if err != nil || l.close(nil) != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(whole) + 1 {
		if err := os.WriteFile(path, whole[:cut], 0o666); err != nil {
			t.Fatal(err)
		}
		kept := bytes.Count(whole[:cut], []byte("\n"))
		l, err := openFleetFile(path, true, q)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if len(l.hosts) != kept || len(l.done) != kept || l.repaired != (cut > 0 && whole[cut-1] != '\n') {
			t.Errorf("cut at %d: %d machines, repaired %v, want %d", cut, len(l.hosts), l.repaired, kept)
		}
		if err := l.write(lines[kept:]); err != nil || l.close(nil) != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, whole) {
			t.Fatalf("cut at %d: %v, %q", cut, err, got)
		}
	}
	for _, other := range []string{"x", "{", `{"hosts"`, "time,cpu"} {
		want := other == "{" // may be the beginning of a line
		if err := os.WriteFile(path, []byte(other), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := openFleetFile(path, true, q)
		if (err == nil) != want {
			t.Errorf("%s: %v", other, err)
		}
		if err == nil {
			l.close(nil)
		}
		if got, _ := os.ReadFile(path); !want && string(got) != other {
			t.Errorf("%s: is %q now, want the file left alone", other, got)
		}
	}
}

// Millions of empty lines are passed over, and what follows knows its line.
func TestFleetKernelBehindEmptyLines(t *testing.T) {
	const empty = 3_000_001
	_, err := FleetKernel(strings.NewReader(strings.Repeat("\n", empty)+"x\n"), "fleet", "a")
	if err == nil || !strings.Contains(err.Error(), "fleet:3000002: not a line of a fleet file") {
		t.Errorf("%v", err)
	}
}
