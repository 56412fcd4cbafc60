package cluster

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	strict "sigs.k8s.io/json"
)

// odd is a job whose words want quoting everywhere.
var odd = Job{
	Version: "v1",
	Program: "/opt/my tools/capplan",
	Command: []string{"sweep", "fit", "--over", "from=0s,1h", "--y", "it's $HOME $(date) `id` \"x\" \\", "--csv", "--", "a b.swf"},
	Out:     "rows 1.csv",
	Shards:  5,
	Folder:  "my shards",
	Name:    "my-sweep",
	CPUs:    2,
	Memory:  3 << 30,
	Minutes: 90,
	AtOnce:  2,
	Image:   "registry.example/capplan:1",
	Volume:  "work",
}

// decoded returns the Jobs of a manifest, refusing whatever the API does not know,
// a field of another case or a second of one name among it.
func decoded(t *testing.T, manifest string) []batchv1.Job {
	t.Helper()
	var all []batchv1.Job
	for d := yaml.NewDecoder(strings.NewReader(manifest)); ; {
		var document any
		if err := d.Decode(&document); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("%v\n%s", err, manifest)
		}
		text, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		var job batchv1.Job
		if unknown, err := strict.UnmarshalStrict(text, &job); err != nil || len(unknown) > 0 {
			t.Fatalf("%v %v\n%s", err, unknown, text)
		}
		all = append(all, job)
	}
}

func TestKubernetes(t *testing.T) {
	jobs := decoded(t, odd.Kubernetes())
	if len(jobs) != 2 {
		t.Fatalf("%d jobs, want 2", len(jobs))
	}
	for i, job := range jobs {
		c := job.Spec.Template.Spec.Containers[0]
		limits := c.Resources.Limits
		switch {
		case job.APIVersion != "batch/v1" || job.Kind != "Job":
			t.Errorf("job %d is %s %s", i, job.APIVersion, job.Kind)
		case job.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyNever:
			t.Errorf("job %d restarts in place, which an Indexed Job with a limit for each index must not", i)
		case limits.Cpu().Value() != 2 || limits.Memory().Value() != 3<<30 || !limits.Cpu().Equal(*c.Resources.Requests.Cpu()):
			t.Errorf("job %d has %+v", i, c.Resources)
		case c.Image != odd.Image || job.Spec.Template.Spec.Volumes[0].PersistentVolumeClaim.ClaimName != "work":
			t.Errorf("job %d: %+v", i, job.Spec.Template.Spec)
		}
	}
	array := jobs[0].Spec
	if *array.CompletionMode != batchv1.IndexedCompletion || *array.Completions != 5 || *array.Parallelism != 2 || *array.BackoffLimitPerIndex != 3 {
		t.Errorf("%+v", array)
	}
	task := array.Template.Spec.Containers[0]
	want := []string{"sweep", "fit", "--over", "from=0s,1h", "--y", "it's $HOME $$(date) `id` \"x\" \\", "--csv", "--shard", "auto", "--out", "my shards", "--", "a b.swf"}
	if !slices.Equal(task.Args, want) || !slices.Equal(task.Command, []string{odd.Program}) {
		t.Errorf("the tasks run %q %q, want %q", task.Command, task.Args, want)
	}
	if task.Env[0] != (corev1.EnvVar{Name: "CAPPLAN_SHARDS", Value: "5"}) || task.Env[1].ValueFrom.ResourceFieldRef.Resource != "limits.cpu" {
		t.Errorf("the tasks have %+v", task.Env)
	}
	merge := jobs[1].Spec.Template.Spec.Containers[0]
	// Three rounds of two tasks, each of which may be begun four times.
	want = []string{"merge", "my shards", "--answer", "my shards/answer.csv", "--out", "rows 1.csv", "--wait", "1080min"}
	if !slices.Equal(merge.Args, want) {
		t.Errorf("the merge runs %q, want %q", merge.Args, want)
	}
}

// The decoder is as strict as the test above needs it.
func TestDecodedIsStrict(t *testing.T) {
	for _, text := range []string{`{"spec":{"completion":3}}`, `{"spec":{"Completions":3}}`, `{"spec":{"completions":3,"completions":4}}`} {
		if unknown, err := strict.UnmarshalStrict([]byte(text), &batchv1.Job{}); err == nil && len(unknown) == 0 {
			t.Errorf("%s is taken", text)
		}
	}
	if !bytes.Contains([]byte(odd.Kubernetes()), []byte("completionMode: Indexed\n")) {
		t.Error("no Indexed Job")
	}
}
