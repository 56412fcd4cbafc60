package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The script is one that bash takes; run with an sbatch that runs what it is given,
// it makes the words of the command arrive as they are.
func TestSlurm(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	dir := t.TempDir()
	job := odd
	job.Program = filepath.Join(dir, "my capplan")
	script := job.Slurm()
	for name, text := range map[string]string{
		"sbatch":     "#!/usr/bin/env bash\nprintf '%s|' \"$@\" >>asked; echo >>asked\ncat >task\nSLURM_ARRAY_TASK_ID=3 bash task\necho 7\n",
		"my capplan": "#!/usr/bin/env bash\nprintf '%s|' \"$@\" >>ran; echo >>ran\n",
		"script":     script,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command(bash, "-n", filepath.Join(dir, "script")).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	cmd := exec.Command(bash, "script")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "shards: job 7, merge: job 7") {
		t.Fatalf("%v: %s\n%s", err, out, script)
	}
	for name, want := range map[string]string{
		"asked": "--parsable|--job-name=my-sweep|--cpus-per-task=2|--mem=3072M|--time=90|--array=1-5%2|--requeue|--open-mode=append|--output=my shards/task-%a.log|\n" +
			"--parsable|--job-name=my-sweep|--cpus-per-task=2|--mem=3072M|--time=90|--dependency=afterok:7|--kill-on-invalid-dep=yes|--output=my shards/merge.log|\n",
		"ran": "sweep|fit|--over|from=0s,1h|--y|it's $HOME $(date) `id` \"x\" \\|--csv|--shard|3/5|--out|my shards|--|a b.swf|\n" +
			"merge|my shards|--answer|my shards/answer.csv|--out|rows 1.csv|\n",
	} {
		got, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwant\n%s\nof\n%s", name, err, got, want, script)
		}
	}
}

func TestCheckName(t *testing.T) {
	for name, ok := range map[string]bool{"capplan": true, "a": true, "my-sweep-2": true, "": false, "-a": false, "a-": false, "A": false, "a b": false, "1a": false, "a_b": false} {
		if err := CheckName(name); (err == nil) != ok {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// The answer is named by its format.
func TestAnswer(t *testing.T) {
	for line, want := range map[string]string{
		"sweep size": "d/answer.txt", "sweep size --csv": "d/answer.csv", "size --format json": "d/answer.json", "size --format=csv": "d/answer.csv",
		"size -o json": "d/answer.json", "size -o=text": "d/answer.txt",
	} {
		if got := (&Job{Command: strings.Fields(line), Folder: "d"}).answer(); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}
