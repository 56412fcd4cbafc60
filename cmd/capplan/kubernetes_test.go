package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	strict "sigs.k8s.io/json"
)

// The containers of a manifest, run one after the other as Kubernetes would run them,
// one with each index and then the merge, come to the bytes of one process. One pod is
// begun twice, as after a failure.
func TestKubernetesRuns(t *testing.T) {
	root := atRoot(t)
	trace, err := os.ReadFile(filepath.Join(root, "testdata", "hosts-small.csv"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ line, answer string }{
		"sweep":      {"sweep queue erlang-c --over servers=3:7:1 --over load=1:4:1 --csv", "answer.csv"},
		"simulation": {"simulate station --servers 2 --rate 1.6/s --service-time 1s --horizon 1h --warm-up 10min --replications 7 -o json", "answer.json"},
		"evaluation": {"availability evaluate $(a).csv --day weekday --windows 1h --starts 08:00 --noise 1 --repetitions 2", "answer.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile("$(a).csv", trace, 0o666); err != nil {
				t.Fatal(err)
			}
			words := strings.Fields(c.line)
			want := ran(t, append([]string{"capplan"}, words...))
			manifest := ran(t, append(strings.Fields("capplan cluster kubernetes --shards 3 --cpus 2 --volume work --"), words...))
			jobs := jobsOf(t, manifest)
			if len(jobs) != 2 || *jobs[0].Spec.CompletionMode != batchv1.IndexedCompletion || *jobs[0].Spec.Completions != 3 {
				t.Fatalf("%d jobs, %s", len(jobs), manifest)
			}
			for _, index := range []int{2, 0, 0, 1} {
				// The index is what the controller adds to an Indexed Job.
				t.Setenv("JOB_COMPLETION_INDEX", strconv.Itoa(index))
				inPod(t, jobs[0].Spec.Template.Spec)
			}
			os.Unsetenv("JOB_COMPLETION_INDEX")
			inPod(t, jobs[1].Spec.Template.Spec)
			got, err := os.ReadFile(filepath.Join("shards", c.answer))
			if err != nil || string(got) != want {
				t.Errorf("%v, the answer is\n%s\nwant\n%s", err, got, want)
			}
		})
	}
}

// jobsOf decodes a manifest, refusing whatever the API does not know.
func jobsOf(t *testing.T, manifest string) (jobs []batchv1.Job) {
	t.Helper()
	for d := yaml.NewDecoder(strings.NewReader(manifest)); ; {
		var document any
		err := d.Decode(&document)
		if errors.Is(err, io.EOF) {
			return jobs
		}
		text, err2 := json.Marshal(document)
		if err := errors.Join(err, err2); err != nil {
			t.Fatalf("%v\n%s", err, manifest)
		}
		var job batchv1.Job
		if unknown, err := strict.UnmarshalStrict(text, &job); err != nil || len(unknown) > 0 {
			t.Fatalf("%v %v\n%s", err, unknown, text)
		}
		jobs = append(jobs, job)
	}
}

// inPod runs the container of a pod here, with what its manifest sets, as a kubelet
// would: variables of the environment in its arguments are put in, and $$( is $(.
func inPod(t *testing.T, pod corev1.PodSpec) {
	t.Helper()
	c := pod.Containers[0]
	known := map[string]string{}
	for _, e := range c.Env {
		if e.ValueFrom == nil {
			t.Setenv(e.Name, e.Value)
			known[e.Name] = e.Value
		}
	}
	var args []string
	for _, a := range append(c.Command[1:], c.Args...) {
		for name, value := range known {
			a = strings.ReplaceAll(a, "$("+name+")", value)
		}
		args = append(args, strings.ReplaceAll(a, "$$(", "$("))
	}
	if c.Command[0] != "capplan" || c.WorkingDir != c.VolumeMounts[0].MountPath {
		t.Fatalf("the container runs %q in %q", c.Command, c.WorkingDir)
	}
	ran(t, append([]string{"capplan"}, args...))
}

// ran is what a command prints that succeeds.
func ran(t *testing.T, words []string) string {
	t.Helper()
	var out, stderr strings.Builder
	if code := run(context.Background(), words, strings.NewReader(""), &out, &stderr); code != 0 {
		t.Fatalf("%q: exit code %d, %s", words, code, stderr.String())
	}
	return out.String()
}
