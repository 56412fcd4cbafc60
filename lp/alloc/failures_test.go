package alloc

import (
	"context"
	"errors"
	"testing"
)

// figure3 is the example of QoS-GRAF figure 3 and section 2.2.1: three
// resources, two jobs, the third resource only for backups.
func figure3(t testing.TB) (*System, Choices) {
	t.Helper()
	s, err := New(&Batch{
		Dependencies: []string{"cpu"},
		Resources: []Resource{
			{ID: "R1", Dependency: "cpu", PrimaryCapacity: 200, BackupCapacity: 50},
			{ID: "R2", Dependency: "cpu", PrimaryCapacity: 200, BackupCapacity: 50},
			{ID: "R3", Dependency: "cpu", PrimaryCapacity: 0, BackupCapacity: 100},
		},
		Jobs: []Job{
			{ID: "job1", Levels: map[string][]Level{"cpu": {{50, 250}, {100, 500}, {200, 1000}}}},
			{ID: "job2", Levels: map[string][]Level{"cpu": {{50, 250}, {100, 500}, {200, 1000}}}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, Choices{{{0, 3}, {1, 3}}}
}

func TestSharingExampleOfThePaper(t *testing.T) {
	s, primary := figure3(t)
	ctx := context.Background()
	shared, err := s.Backup(ctx, primary, BackupOptions{})
	if err != nil {
		t.Fatal(err)
	}
	alone, err := s.Backup(ctx, primary, BackupOptions{NoSharing: true})
	if err != nil {
		t.Fatal(err)
	}
	// Worst single failure: 500 with sharing, 750 without, as the paper says.
	for _, c := range []struct {
		plan  *BackupPlan
		worst int64
	}{{shared, 500}, {alone, 750}} {
		single, _, err := s.Losses(primary, c.plan.Choices, LossOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if single.Worst != c.worst {
			t.Errorf("worst loss = %d, want %d", single.Worst, c.worst)
		}
	}
	if shared.Loss != 1000 || alone.Loss != 1250 {
		t.Errorf("losses %d and %d, want 1000 and 1250", shared.Loss, alone.Loss)
	}
	// Both backups at 100 on R3's 100: factor 2 there, none on the others.
	if got := shared.Dependencies[0].Sharing; got[2] != 2 || got[0] != 0 || got[1] != 0 {
		t.Errorf("sharing = %v, want 0, 0, 2", got)
	}
}

func TestPairLossCountsContention(t *testing.T) {
	s, primary := figure3(t)
	shared, err := s.Backup(context.Background(), primary, BackupOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, pairs, err := s.Losses(primary, shared.Choices, LossOptions{Pairs: 3})
	if err != nil {
		t.Fatal(err)
	}
	// R1 and R2 at once: one job gets R3's 100, the other stops. With R3
	// gone beside R1 (or R2), that job stops.
	want := map[string]int64{"R1R2": 1500, "R1R3": 1000, "R2R3": 1000}
	for _, l := range pairs.Losses {
		if key := l.Failed[0] + l.Failed[1]; l.Loss != want[key] || l.Stopped != 1 {
			t.Errorf("%s: loss %d and %d stopped, want %d and 1", key, l.Loss, l.Stopped, want[key])
		}
	}
	if !pairs.Complete || pairs.Worst != 1500 || pairs.Median != 1000 {
		t.Errorf("pairs = %+v", pairs)
	}
}

func TestFailInSuccession(t *testing.T) {
	s, primary := figure3(t)
	steps, err := s.FailInSuccession(context.Background(), primary, nil, []string{"R1", "R2", "R3"}, BackupOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// R1 fails: job1 goes to R3 at 100 (−500); its backup is then R2's 50,
	// job2 has nothing left. R2 fails: job2 stops (−1000), job1 has no other
	// resource. R3 fails: job1 stops (−500).
	want := []FailureStep{
		{Failed: "R1", Switched: 1, StepLoss: 500, Loss: 500, Stopped: 0, Unprotected: 1, LossAtRisk: 250 + 1000},
		{Failed: "R2", Switched: 0, StepLoss: 1000, Loss: 1500, Stopped: 1, Unprotected: 1, LossAtRisk: 500},
		{Failed: "R3", Switched: 0, StepLoss: 500, Loss: 2000, Stopped: 2, Unprotected: 0, LossAtRisk: 0},
	}
	for i := range want {
		if steps[i] != want[i] {
			t.Errorf("step %d = %+v, want %+v", i+1, steps[i], want[i])
		}
	}
	for _, c := range []struct {
		failures []string
		kind     error
	}{{[]string{"R9"}, ErrUnknownResource}, {[]string{"R1", "R1"}, ErrDuplicateID}} {
		if _, err := s.FailInSuccession(context.Background(), primary, nil, c.failures, BackupOptions{}); !errors.Is(err, c.kind) {
			t.Errorf("%v: err = %v", c.failures, err)
		}
	}
}

// After every failure the revenue that runs and the loss add up to the
// revenue at the beginning, which the steps must show from the outside: the
// last failure of all leaves nothing.
func TestFailuresOfEverythingLoseEverything(t *testing.T) {
	s := generated(t, 40, 4, 0.6, 0.3, 3)
	plan, err := s.Allocate(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, r := range s.Batch.Resources {
		all = append(all, r.ID)
	}
	steps, err := s.FailInSuccession(context.Background(), plan.Choices, nil, all, BackupOptions{})
	if err != nil {
		t.Fatal(err)
	}
	last := steps[len(steps)-1]
	if last.Loss != plan.Revenue || last.Stopped != 40 || last.Unprotected != 0 {
		t.Errorf("last step = %+v, want loss %d and 40 stopped", last, plan.Revenue)
	}
	for i := 1; i < len(steps); i++ {
		if steps[i].Loss < steps[i-1].Loss || steps[i].Stopped < steps[i-1].Stopped {
			t.Errorf("step %d: %+v after %+v", i+1, steps[i], steps[i-1])
		}
	}
}

func TestRiskGroupsFailTogether(t *testing.T) {
	s, primary := figure3(t)
	b := *s.Batch
	b.Resources = append([]Resource(nil), b.Resources...)
	b.Resources[0].RiskGroup, b.Resources[2].RiskGroup = "rack", "rack"
	s, err := New(&b)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := s.Backup(context.Background(), primary, BackupOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// job1 on R1 may no longer use R3: only R2's 50. job2 still has R3's 100.
	if plan.Loss != 750+500 {
		t.Errorf("loss = %d, want 1250", plan.Loss)
	}
	if !Verify(s.Batch, primary, plan.Choices, true).Feasible {
		t.Error("answer fails its check")
	}
	bad := Choices{{{2, 2}, {2, 2}}}
	if r := Verify(s.Batch, primary, bad, true); r.Feasible || r.Violations[0].Rule != "disjoint" {
		t.Errorf("report = %+v, want a disjoint violation", r)
	}
}

// Backups that a failure does not strike stay, and lose no more than all planned anew where those are proven.
func TestBackupsThatStandLoseNoMore(t *testing.T) {
	stood, proven := 0, 0
	for seed := range uint64(12) {
		b, err := Generate(t.Context(), GeneratorOptions{Dependencies: []string{"cpu"}, Jobs: 30, Resources: 8,
			PrimaryFactor: 0.7, BackupFactor: 0.3, Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		s, plan := allocated(t, b)
		backup, err := s.Backup(t.Context(), plan.Choices, BackupOptions{})
		if err != nil {
			t.Fatal(err)
		}
		// Resource 3 fails: its jobs run on where their backups are, or stop.
		running := Choices{append([]Choice(nil), plan.Choices[0]...)}
		capacity := [][]int64{append([]int64(nil), s.deps[0].backup...)}
		down := make([]bool, len(s.names))
		down[3] = true
		stays := &standing{backup: backup.Choices, gained: map[failing]bool{}, orders: make([][]int32, len(s.deps))}
		for k, c := range running[0] {
			if c.Level == 0 || c.Resource != 3 {
				continue
			}
			to := backup.Choices[0][k]
			if running[0][k] = to; to.Level > 0 {
				capacity[0][to.Resource] -= b.Jobs[k].Levels["cpu"][to.Level-1].Demand
				stays.gained[failing{unit: s.units[to.Resource]}] = true
			}
		}
		kept, err := s.backup(t.Context(), running, BackupOptions{}, capacity, down, stays)
		if err != nil {
			t.Fatal(err)
		}
		anew, err := s.backup(t.Context(), running, BackupOptions{}, capacity, down, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.checkBackups(running, kept.Choices, capacity, down, false); err != nil {
			t.Error(err)
		}
		if anew.Optimal {
			proven++
			if kept.Loss > anew.Loss {
				t.Errorf("seed %d: loss %d, planned anew %d", seed, kept.Loss, anew.Loss)
			}
		}
		used := make([]int64, 8)
		failings, jobs, _ := s.failings(running, false)
		for _, f := range failings {
			if s.kept(stays, f, jobs, kept, running[0], capacity[0], down, used) {
				stood++
			}
		}
	}
	if stood == 0 || proven == 0 {
		t.Errorf("%d failures whose backups stood, %d plans proven", stood, proven)
	}
}
