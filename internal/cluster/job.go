package cluster

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A Job is a command line in shards, and what each of them takes.
type Job struct {
	Version string   // of the program that writes it
	Program string   // as the tasks start it, in the image or on the path of the nodes
	Command []string // words of the command line behind the program, without --shard and --out
	Out     string   // what the command itself takes for --out, given to the merge; "": none
	Shards  int
	Folder  string // of the shards, which all tasks see
	Name    string // of the job
	CPUs    int    // of a task
	Memory  int64  // of a task, in bytes
	Minutes int    // that a task may take; 0: as long as the cluster lets it
	AtOnce  int    // tasks that run at once; 0: as many as there is room for
	// Of Kubernetes.
	Image  string // of the container
	Volume string // a claim of a volume that many nodes may write
}

// retries is how often a task that fails is begun anew: it goes on where it was. A task whose node
// is lost goes on at no cost but its last second of work.
const retries = 3

// named is what all schedulers take for a name. Kubernetes takes the least: what a host may be
// called, shorter than 63 with what is put behind it.
var named = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// longestName leaves 21 of Kubernetes' 63 characters to what is put behind a name.
const longestName = 42

// NameWant is the form of a job's name.
const NameWant = "small letters, digits and hyphens such as my-sweep"

// CheckName says whether a name can be that of a job. Errors: with the form that is wanted.
func CheckName(name string) error {
	if len(name) > longestName || !named.MatchString(name) {
		return fmt.Errorf("%q, want %s", name, NameWant)
	}
	return nil
}

// answer is the file that the merge writes. Its ending is that of the format, for whoever opens it.
func (j *Job) answer() string {
	kind := "txt"
	for i, w := range j.Command {
		next := ""
		if i+1 < len(j.Command) {
			next = j.Command[i+1]
		}
		for _, format := range []string{"json", "csv"} {
			switch {
			case w == "--"+format, w == "--format="+format, w == "-o="+format:
				kind = format
			case (w == "--format" || w == "-o") && next == format:
				kind = format
			}
		}
	}
	return path.Join(j.Folder, "answer."+kind)
}

// task is the command line of a shard; place is I/N or what stands for it. Files stand behind "--"
// at the end, where the command had them.
func (j *Job) task(place string) []string {
	var words, files []string
	words = append(words, j.Program)
	for i, w := range j.Command {
		if w == "--" {
			files = j.Command[i:]
			break
		}
		words = append(words, w)
	}
	return append(append(words, "--shard", place, "--out", j.Folder), files...)
}

// merge is the command line that merges the shards. It runs in the working folder of the tasks.
func (j *Job) merge() []string {
	words := []string{j.Program, "merge", j.Folder, "--answer", j.answer()}
	if j.Out != "" {
		words = append(words, "--out", j.Out)
	}
	return words
}

// heading says in comments what stands below.
func (j *Job) heading(how ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Written by capplan %s. %d shards of:\n#   %s\n",
		j.Version, j.Shards, printed(shell(append([]string{"capplan"}, j.Command...))))
	for _, line := range how {
		fmt.Fprintf(&b, "# %s\n", line)
	}
	return b.String()
}

// printed is a text in a comment, where a line break would end it. A command line may hold any
// text.
func printed(s string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(s) }

// plain matches a word that needs no quoting. These words mean the same in a shell without
// quotation marks.
var plain = regexp.MustCompile(`^[-A-Za-z0-9_./=:,%@+]+$`)

// shell writes words for a shell. Within single quotes a shell takes everything as it stands, but
// for the single quote.
func shell(words []string) string {
	var out []string
	for _, w := range words {
		if !plain.MatchString(w) {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}
