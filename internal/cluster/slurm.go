package cluster

import (
	"fmt"
	"path"
	"strings"
)

// place stands for the shard until the words are quoted. A zero byte is in no word of a command
// line.
const place = "\x00place"

// Slurm returns a script that submits an array of tasks, one a shard, and a job
// that merges them when all have ended well. The merge depends on the array (afterok), so that it
// never runs on a part.
func (j *Job) Slurm() string {
	options := []string{
		"--parsable",
		"--job-name=" + j.Name,
		fmt.Sprintf("--cpus-per-task=%d", j.CPUs),
		// Memory is in MiB, rounded up.
		fmt.Sprintf("--mem=%dM", max(1, (j.Memory+1<<20-1)>>20)),
	}
	if j.Minutes > 0 {
		options = append(options, fmt.Sprintf("--time=%d", j.Minutes))
	}
	array := fmt.Sprintf("--array=1-%d", j.Shards)
	if j.AtOnce > 0 {
		array += fmt.Sprintf("%%%d", j.AtOnce)
	}
	// A task that is requeued goes on where it was, and its log with it.
	array += " --requeue --open-mode=append --output=" + shell([]string{path.Join(j.Folder, "task-%a.log")})
	task := strings.ReplaceAll(shell(j.task(place)), "'"+place+"'", fmt.Sprintf(`"$SLURM_ARRAY_TASK_ID/%d"`, j.Shards))
	return "#!/usr/bin/env bash\n" + j.heading(
		"Submit it with: bash FILE, in a folder that all nodes see.",
		"To run some shards again: sbatch --array=3,7 and the lines between the two TASK.",
	) + fmt.Sprintf(`set -euo pipefail
mkdir -p %[1]s

array=$(sbatch %[2]s %[3]s <<'TASK'
#!/usr/bin/env bash
export GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}"
exec %[4]s
TASK
)

merge=$(sbatch %[2]s --dependency="afterok:$array" --kill-on-invalid-dep=yes --output=%[5]s <<'MERGE'
#!/usr/bin/env bash
exec %[6]s
MERGE
)

echo "shards: job $array, merge: job $merge, answer: "%[7]s
echo "how far they are: "%[8]s
`, shell([]string{j.Folder}), shell(options), array, task, shell([]string{path.Join(j.Folder, "merge.log")}), shell(j.merge()),
		shell([]string{j.answer()}), shell([]string{shell([]string{j.Program, "merge", j.Folder, "--status"})}))
}
