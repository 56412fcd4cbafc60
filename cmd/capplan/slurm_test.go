package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// A sweep and a simulation as arrays of four tasks under a real Slurm, the second
// with a task that is taken from its node in the middle and requeued, come to the
// bytes of one process. .ci/slurm runs a Slurm for it.
func TestSlurm(t *testing.T) {
	wanted := os.Getenv("CAPPLAN_WANT_SLURM") != ""
	if out, err := exec.Command("sinfo", "--noheader").CombinedOutput(); err != nil || len(out) == 0 {
		if wanted {
			t.Fatalf("CAPPLAN_WANT_SLURM is set and there is no Slurm: %v, %s", err, out)
		}
		t.Skip("there is no Slurm; .ci/slurm go test runs one where it is installed")
	}
	for name, c := range map[string]struct {
		line    string
		requeue bool
	}{
		"sweep":      {"sweep queue erlang-c --over servers=3:40:1 --over load=1:30:1 --csv", false},
		"simulation": {"simulate station --servers 2 --rate 1.6/s --service-time 1s --horizon 60h --warm-up 1h --replications 40 -o json", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			program := programIn(t)
			want, stderr, code := runLine(t, "capplan "+c.line)
			if code != 0 {
				t.Fatal(stderr)
			}
			script, stderr, code := runLine(t, "capplan cluster slurm --shards 4 --program "+program+" -- "+c.line)
			if code != 0 {
				t.Fatal(stderr)
			}
			cmd := exec.Command("bash", "-s")
			cmd.Stdin = strings.NewReader(script)
			out, err := cmd.CombinedOutput()
			job := regexp.MustCompile(`shards: job ([0-9]+), merge: job ([0-9]+)`).FindSubmatch(out)
			if err != nil || job == nil {
				t.Fatalf("%v, %s", err, out)
			}
			if c.requeue {
				requeue(t, string(job[1])+"_2", filepath.Join("shards", "shard-0002-of-0004.jsonl"))
			}
			answer := filepath.Join("shards", "answer."+map[bool]string{false: "csv", true: "json"}[c.requeue])
			if !until(2*time.Minute, func() bool { _, err := os.Stat(answer); return err == nil }) {
				t.Fatalf("there is no answer: %s", slurmSays())
			}
			if got, err := os.ReadFile(answer); err != nil || string(got) != want {
				t.Errorf("%v, the answer is\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// requeue takes a task that has done some of its pieces from its node.
func requeue(t *testing.T, task, shard string) {
	t.Helper()
	begun := func() bool {
		part, _ := os.ReadFile(shard + ".part")
		return bytes.Count(part, []byte(`{"piece":`)) >= 1
	}
	if !until(time.Minute, begun) {
		t.Fatal("the second task does not begin")
	}
	if out, err := exec.Command("scontrol", "requeue", task).CombinedOutput(); err != nil {
		t.Fatalf("scontrol requeue %s: %v, %s", task, err, out)
	}
	if _, err := os.Stat(shard); err == nil {
		t.Fatal("the task was done before it was requeued")
	}
	ended := func() bool {
		// Slurm lets two minutes pass before it begins a requeued task.
		_ = exec.Command("scontrol", "update", "JobId="+task, "StartTime=now").Run()
		_, err := os.Stat(shard)
		return err == nil
	}
	if !until(time.Minute, ended) {
		t.Fatalf("the requeued task does not end: %s", slurmSays())
	}
	data, err := os.ReadFile(shard)
	if err != nil || !regexp.MustCompile(`"resumed":[1-9]`).Match(data) {
		t.Errorf("%v, the requeued task did not go on with what it had: %s", err, data[bytes.LastIndex(data, []byte(`{"end"`)):])
	}
}

// slurmSays is what helps to see why something did not happen.
func slurmSays() []byte {
	out, _ := exec.Command("bash", "-c", "squeue; scontrol show job; tail shards/*.log; ls -l shards").CombinedOutput()
	return out
}

// until waits for something that other processes do.
func until(patience time.Duration, there func() bool) bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if there() {
			return true
		}
	}
	return false
}

// programIn returns a program capplan, which is this test under that name.
func programIn(t *testing.T) string {
	t.Helper()
	test, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "capplan")
	if err := os.Symlink(test, program); err != nil {
		t.Fatal(err)
	}
	return program
}
