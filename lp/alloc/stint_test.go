package alloc

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
)

// tightBackups is a batch with room for all primaries, and for some three quarters of the backups of a failure.
func tightBackups(r *rand.Rand, jobs, resources int) *Batch {
	b := &Batch{Dependencies: []string{"cpu"}}
	each := float64(jobs) / float64(resources)
	for j := range resources {
		b.Resources = append(b.Resources, Resource{ID: fmt.Sprint("r", j), Dependency: "cpu",
			PrimaryCapacity: int64(40 * each),
			BackupCapacity:  int64(0.7 * each * 15 / float64(resources-1) * (0.3 + 1.4*r.Float64()))})
	}
	for k := range jobs {
		least := Level{1 + r.Int64N(19), 10 + r.Int64N(990)}
		more := Level{least.Demand + 1 + r.Int64N(19), least.Revenue + r.Int64N(500)}
		b.Jobs = append(b.Jobs, Job{ID: fmt.Sprint("j", k), Needs: [][]Level{{least, more}}})
	}
	return b
}

// Backups that are searched for in few steps lose a little more, and say so.
func TestHurriedBackupsSaySo(t *testing.T) {
	defer func(was int) { backupSteps = was }(backupSteps)
	steps, hurried := backupSteps, 0
	var quick, most int64
	for seed := range uint64(4) {
		s, a := allocated(t, tightBackups(rand.New(rand.NewPCG(seed, 1)), 800, 16))
		plan := func(steps int) *BackupPlan {
			backupSteps = steps
			p, err := s.Backup(context.Background(), a.Choices, BackupOptions{})
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		full, less := plan(steps), plan(1_000_000)
		if full.Hurried {
			t.Errorf("seed %d: hurried with all steps", seed)
		}
		if less.Loss < full.Loss || less.Bounds.Best > float64(full.Loss) {
			t.Errorf("seed %d: loss %d at least %v, %d with all steps", seed, less.Loss, less.Bounds.Best, full.Loss)
		}
		if less.Hurried {
			hurried++
		} else if float64(less.Loss)-less.Bounds.Best > 1e-4*float64(a.Revenue) {
			t.Errorf("seed %d: not hurried at a loss of %d, bound %v", seed, less.Loss, less.Bounds.Best)
		}
		quick, most = quick+less.Loss, most+full.Loss
	}
	t.Logf("%d hurried, loss %d, with all steps %d", hurried, quick, most)
	if hurried < 4 || float64(quick) > 1.02*float64(most) {
		t.Errorf("%d hurried, want all; loss %d, want at most 2 %% above %d", hurried, quick, most)
	}
}
