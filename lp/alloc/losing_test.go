package alloc

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"
)

// What two failures at once cost is what comes of serving all their victims, one after another.
func TestTwoFailuresAtOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	shared := 0
	for range 40 {
		b := tightBackups(r, 60+r.IntN(60), 5+r.IntN(8))
		for j := range b.Resources {
			b.Resources[j].RiskGroup = []string{"", "", "a", "b"}[r.IntN(4)]
		}
		s, a := allocated(t, b)
		plan, err := s.Backup(context.Background(), a.Choices, BackupOptions{Options: Options{Effort: 0.1}})
		if err != nil {
			t.Fatal(err)
		}
		single, pairs, err := s.Losses(a.Choices, plan.Choices, LossOptions{Pairs: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range append(single.Losses, pairs.Losses...) {
			if got, want := (cost{f.Loss, f.Stopped}), served(s, a.Choices[0], plan.Choices[0], f.Failed); got != want {
				t.Fatalf("%v: %v, want %v", f.Failed, got, want)
			}
		}
		l := s.losing(a.Choices, plan.Choices)
		shared += len(l.tight)
	}
	if shared < 500 {
		t.Errorf("%d times backups of two failures may want too much, want more", shared)
	}
}

// served is what failures of named units cost at once.
func served(s *System, primary, backup []Choice, failed []string) (c cost) {
	d := &s.deps[0]
	down := func(j int32) bool { return slices.Contains(failed, s.names[s.units[j]]) }
	density := func(k int32) float64 {
		l := d.first[k] + backup[k].Level - 1
		return float64(d.revenue[l]) / float64(max(1, d.demand[l]))
	}
	var on []int32
	for k := range d.job {
		switch to := backup[k]; {
		case !down(primary[k].Resource):
			continue
		case to.Level == 0 || down(to.Resource):
			c.stopped++
		default:
			on = append(on, int32(k))
		}
		c.loss += d.revenue[d.first[k]+primary[k].Level-1]
	}
	slices.SortFunc(on, func(x, y int32) int { return cmp.Or(cmp.Compare(density(y), density(x)), cmp.Compare(x, y)) })
	room := slices.Clone(d.backup)
	for _, k := range on {
		j, l := d.local[backup[k].Resource], backup[k].Level
		for l > 0 && d.demand[d.first[k]+l-1] > room[j] {
			l--
		}
		if l == 0 {
			c.stopped++
			continue
		}
		room[j] -= d.demand[d.first[k]+l-1]
		c.loss -= d.revenue[d.first[k]+l-1]
	}
	return c
}
