package shards

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/capplan/capplan/internal/spell"
)

// MostShards bounds into how many shards a work is parted.
const MostShards = 100_000

// A Place is which of how many shards.
type Place struct {
	Shard int `json:"shard"` // from 1 on
	Of    int `json:"of"`
}

// PlaceWant is the form of a place.
const PlaceWant = "i/n such as 3/16, the third of sixteen, or auto in a task of a Slurm array or an indexed Job of Kubernetes"

// Variables of the environment by which a scheduler tells a task its place.
const (
	// Completions is what the manifest of an indexed Job says: Kubernetes tells a
	// pod its index, but not of how many.
	Completions = "CAPPLAN_SHARDS"
	kubernetes  = "JOB_COMPLETION_INDEX"
	slurmTask   = "SLURM_ARRAY_TASK_ID"
	slurmLeast  = "SLURM_ARRAY_TASK_MIN"
	slurmMost   = "SLURM_ARRAY_TASK_MAX"
	slurmCount  = "SLURM_ARRAY_TASK_COUNT"
)

// ParsePlace reads i/n, or auto by the variables of the environment. env is os.Getenv but for
// tests. Errors: for a text that is none, in words that show the form.
func ParsePlace(text string, env func(name string) string) (Place, error) {
	if text == "auto" {
		return auto(env)
	}
	i, n, ok := strings.Cut(text, "/")
	shard, err1 := strconv.Atoi(i)
	of, err2 := strconv.Atoi(n)
	if !ok || err1 != nil || err2 != nil {
		return Place{}, fmt.Errorf("%s, want %s", spell.Quote(text), PlaceWant)
	}
	return checked(Place{shard, of}, spell.Quote(text))
}

func checked(p Place, what string) (Place, error) {
	switch {
	case p.Of < 1 || p.Of > MostShards:
		return Place{}, fmt.Errorf("%s, want 1 to %d shards", what, MostShards)
	case p.Shard < 1 || p.Shard > p.Of:
		return Place{}, fmt.Errorf("%s, want a shard from 1 to %d", what, p.Of)
	}
	return p, nil
}

// auto asks the scheduler. Slurm says the least, the greatest and the number of its tasks; an array
// with gaps has shards that no task does.
func auto(env func(string) string) (Place, error) {
	var fault error
	number := func(name string) int {
		n, err := strconv.Atoi(env(name))
		if err != nil && fault == nil {
			fault = fmt.Errorf("auto: %s is %s, want a whole number", name, spell.Quote(env(name)))
			if env(name) == "" {
				fault = fmt.Errorf("auto: %s is not set, want a whole number", name)
			}
		}
		return n
	}
	switch {
	case env(slurmTask) != "":
		task, least, count := number(slurmTask), number(slurmLeast), number(slurmCount)
		if fault == nil && env(slurmMost) != "" {
			// Of --array=3,7 the count says nothing of the shards that there are.
			if most := number(slurmMost); fault == nil && most-least+1 != count {
				fault = fmt.Errorf("auto: the array has %d tasks from %d to %d, want one without gaps; give the "+
					"tasks of a part of an array as --shard %d/N",
					count, least, most, task)
			}
		}
		if fault != nil {
			return Place{}, fault
		}
		return checked(Place{task - least + 1, count},
			fmt.Sprintf("auto: task %d of %d from %d on", task, count, least))
	case env(kubernetes) != "":
		index, count := number(kubernetes), number(Completions)
		if fault != nil {
			return Place{}, fault
		}
		return checked(Place{index + 1, count}, fmt.Sprintf("auto: index %d of %d", index, count))
	}
	return Place{}, fmt.Errorf("auto: neither %s (Slurm) nor %s (Kubernetes) is set, want %s",
		slurmTask, kubernetes, PlaceWant)
}

// String is the place as it is typed.
func (p Place) String() string { return fmt.Sprintf("%d/%d", p.Shard, p.Of) }

// File is the name of the shard's file.
func (p Place) File() string { return fmt.Sprintf("shard-%04d-of-%04d.jsonl", p.Shard, p.Of) }

// Pieces returns how many of count pieces belong to the shard. Shards differ by one piece at most.
func (p Place) Pieces(count int) int {
	return max(0, (count-p.Shard+p.Of)/p.Of)
}

// Piece is the k-th piece of the shard, from 0 on.
func (p Place) Piece(k int) int { return p.Shard - 1 + k*p.Of }
