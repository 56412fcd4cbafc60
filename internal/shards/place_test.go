package shards

import (
	"strings"
	"testing"
)

func TestParsePlace(t *testing.T) {
	for _, c := range []struct {
		text, env string
		want      Place
		err       string
	}{
		{"3/16", "", Place{3, 16}, ""},
		{"1/1", "", Place{1, 1}, ""},
		{"0/4", "", Place{}, "want a shard from 1 to 4"},
		{"5/4", "", Place{}, "want a shard from 1 to 4"},
		{"1/0", "", Place{}, "want 1 to 100000 shards"},
		{"1/9999999", "", Place{}, "want 1 to 100000 shards"},
		{"3", "", Place{}, "want i/n such as 3/16"},
		{"a/b", "", Place{}, "want i/n such as 3/16"},
		{"", "", Place{}, "want i/n such as 3/16"},
		{"auto", "", Place{}, "neither SLURM_ARRAY_TASK_ID (Slurm) nor JOB_COMPLETION_INDEX"},
		{"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_COUNT=4", Place{1, 4}, ""},
		{"auto", "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 SLURM_ARRAY_TASK_COUNT=4", Place{4, 4}, ""},
		{"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3 SLURM_ARRAY_TASK_MAX=7 SLURM_ARRAY_TASK_COUNT=2", Place{}, "give the tasks of a part of an array as --shard 7/N"},
		{"auto", "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=3", Place{}, "SLURM_ARRAY_TASK_COUNT is not set"},
		{"auto", "JOB_COMPLETION_INDEX=0 CAPPLAN_SHARDS=4", Place{1, 4}, ""},
		{"auto", "JOB_COMPLETION_INDEX=4 CAPPLAN_SHARDS=4", Place{}, "want a shard from 1 to 4"},
		{"auto", "JOB_COMPLETION_INDEX=4", Place{}, "CAPPLAN_SHARDS is not set"},
		{"auto", "JOB_COMPLETION_INDEX=x CAPPLAN_SHARDS=4", Place{}, `JOB_COMPLETION_INDEX is "x"`},
	} {
		env := func(name string) string {
			for _, pair := range strings.Fields(c.env) {
				if n, v, _ := strings.Cut(pair, "="); n == name {
					return v
				}
			}
			return ""
		}
		p, err := ParsePlace(c.text, env)
		if p != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s with %s: %v, %v; want %v, %q", c.text, c.env, p, err, c.want, c.err)
		}
	}
}

// Each piece belongs to one shard.
func TestPlacePieces(t *testing.T) {
	for of := 1; of <= 9; of++ {
		for count := range 30 {
			seen := make([]int, count)
			for i := 1; i <= of; i++ {
				p := Place{i, of}
				for k := range p.Pieces(count) {
					seen[p.Piece(k)]++
				}
			}
			for i, n := range seen {
				if n != 1 {
					t.Errorf("piece %d of %d is in %d of %d shards", i, count, n, of)
				}
			}
		}
	}
}
