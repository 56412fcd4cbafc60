package cluster

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/capplan/capplan/internal/shards"
)

// mount is where the volume stands in a container, and where commands run.
const mount = "/work"

// Kubernetes returns a manifest of two Jobs: one with an index for each shard, and
// one that merges them as soon as they are there.
func (j *Job) Kubernetes() string {
	var b strings.Builder
	b.WriteString(j.heading(
		"Apply it with: kubectl apply -f FILE. Files that the command names stand in the",
		"volume, which is the working folder; so does the answer, "+j.answer()+".",
		"A pod that fails is begun anew and goes on where it was.",
	))
	tasks := fmt.Sprintf("  completionMode: Indexed\n  completions: %d\n  parallelism: %d\n  backoffLimitPerIndex: %d\n",
		j.Shards, j.parallel(), retries)
	env := []string{
		fmt.Sprintf("            - {name: %s, value: %q}\n", shards.Completions, fmt.Sprint(j.Shards)),
		"            - name: GOMAXPROCS\n              valueFrom: {resourceFieldRef: {resource: limits.cpu}}\n",
	}
	j.manifest(&b, j.Name, tasks, j.task("auto"), strings.Join(env, ""))
	b.WriteString("---\n")
	// The merge knows by the files alone that all are done: no rights in the
	// cluster are needed to wait.
	wait := append(j.merge(), "--wait", fmt.Sprintf("%dmin", j.patience()))
	j.manifest(&b, j.Name+"-merge", fmt.Sprintf("  backoffLimit: %d\n", retries), wait, env[1])
	return b.String()
}

// parallel is how many pods run at once.
func (j *Job) parallel() int {
	if j.AtOnce > 0 {
		return min(j.AtOnce, j.Shards)
	}
	return j.Shards
}

// patience is for how many minutes the merge waits: a week where nothing bounds a
// task. It is enough for every task to fail as often as it may and to take all of its time.
func (j *Job) patience() int {
	if j.Minutes == 0 {
		return 7 * 24 * 60
	}
	rounds := (j.Shards + j.parallel() - 1) / j.parallel()
	return (1 + retries) * rounds * j.Minutes
}

// manifest writes one Job with a container that runs the words of a command. spec are the lines
// that differ between the two Jobs.
func (j *Job) manifest(b *strings.Builder, name, spec string, words []string, env string) {
	var args strings.Builder
	for _, w := range words[1:] {
		// What looks like a variable to Kubernetes is none of ours.
		fmt.Fprintf(&args, "            - %s\n", quote(strings.ReplaceAll(w, "$(", "$$(")))
	}
	limit := ""
	if j.Minutes > 0 && strings.Contains(spec, "completions") {
		limit = fmt.Sprintf("      activeDeadlineSeconds: %d\n", 60*j.Minutes)
	}
	fmt.Fprintf(b, `apiVersion: batch/v1
kind: Job
metadata:
  name: %[1]s
  labels: {app.kubernetes.io/name: capplan}
spec:
%[2]s  template:
    metadata:
      labels: {app.kubernetes.io/name: capplan}
    spec:
      restartPolicy: Never
%[3]s      containers:
        - name: capplan
          image: %[4]s
          workingDir: %[5]s
          command:
            - %[6]s
          args:
%[7]s          env:
%[8]s          resources:
            requests: {cpu: %[9]d, memory: %[10]dMi}
            limits: {cpu: %[9]d, memory: %[10]dMi}
          volumeMounts:
            - {name: work, mountPath: %[5]s}
      volumes:
        - name: work
          persistentVolumeClaim: {claimName: %[11]s}
`, name, spec, limit, quote(j.Image), mount, quote(words[0]), args.String(), env, j.CPUs, max(1, (j.Memory+1<<20-1)>>20), quote(j.Volume))
}

// quote writes a text for YAML, as JSON does.
func quote(s string) string {
	text, _ := json.Marshal(s) // a string marshals
	return string(text)
}
