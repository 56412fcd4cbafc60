package frailty

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/smp"
)

// smallFleet draws machines of some groups, and none, and what is expected of each.
func smallFleet(rng *rand.Rand, n, groups int) (m *Model, machines []Machine, expected []float64) {
	m = &Model{Shape: 0.3 + 2*rng.Float64(), GroupShape: 0.3 + 2*rng.Float64()}
	byGroup := make([][]int, groups+1)
	for i := range n {
		x := Machine{Name: string(rune('a' + i)), Failures: float64(rng.IntN(12)), Expected: 8 * rng.Float64()}
		g := rng.IntN(groups + 1)
		if g > 0 {
			x.Group = string(rune('0' + g))
			byGroup[g] = append(byGroup[g], i)
		}
		machines = append(machines, x)
		expected = append(expected, 3*rng.Float64())
	}
	for g := 1; g <= groups; g++ {
		if len(byGroup[g]) > 0 {
			law := lawOf(machines, byGroup[g], m.Shape, m.GroupShape)
			law.Name = string(rune('0' + g))
			m.Groups = append(m.Groups, law)
		}
	}
	return m, machines, expected
}

// least tries all subsets by the law of Model.Joint, of which 0 is the chance that none
// stays free.
func least(t *testing.T, m *Model, machines []Machine, expected []float64, target float64) (size int, failed float64) {
	t.Helper()
	size, failed = len(machines)+1, 2
	for set := uint(1); set < 1<<len(machines); set++ {
		if bits.OnesCount(set) > size {
			continue
		}
		var some []Machine
		var of []float64
		for i := range machines {
			if set>>i&1 == 1 {
				some, of = append(some, machines[i]), append(of, expected[i])
			}
		}
		law, err := m.Joint(some, of)
		if err != nil {
			t.Fatal(err)
		}
		if law[0] <= (1-target)*(1+1e-9) && (len(some) < size || law[0] < failed) {
			size, failed = len(some), law[0]
		}
	}
	return size, failed
}

// Against all subsets: the bound never lies above the least number, the set never
// below, and what is said to be proved least is.
func TestFewestAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 2))
	proved, found, answered := 0, 0, 0
	for range 120 {
		m, machines, expected := smallFleet(rng, 8, rng.IntN(4))
		target := 1 - math.Pow(10, -0.3-2*rng.Float64())
		want, failed := least(t, m, machines, expected, target)
		f, err := m.Fewest(context.Background(), machines, expected, target)
		if err != nil {
			t.Fatal(err)
		}
		if f.Size == 0 {
			if want <= len(machines) || f.All <= 1-target {
				t.Errorf("target %v: no set, want %d of %d", target, want, len(machines))
			}
			continue
		}
		answered++
		if f.Bound > want || f.Size < want || f.Bound < 1 {
			t.Errorf("target %v: %d machines, at least %d, want %d", target, f.Size, f.Bound, want)
		}
		if f.Bound == f.Size {
			proved++
		}
		if f.Size == want && math.Abs(f.Failed[want]/failed-1) < 1e-6 {
			found++
		}
		law, err := m.Joint(pick(machines, f.Machines[:f.Size]), pick(expected, f.Machines[:f.Size]))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(law[0]-f.Failed[f.Size]) > 1e-12 || law[0] > (1-target)*(1+1e-9) {
			t.Errorf("target %v: none is free with %v, by the joint law %v", target, f.Failed[f.Size], law[0])
		}
	}
	if answered < 60 || proved < answered*9/10 || found < answered*9/10 {
		t.Errorf("%d answered, %d proved least, %d the best of their size", answered, proved, found)
	}
}

// Machines without a group fail apart: by hand, and exact.
func TestFewestWithoutGroups(t *testing.T) {
	m := &Model{Shape: 1}
	machines := []Machine{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	expected := []float64{1, 3, 0.25, 1} // they fail with 1/2, 3/4, 1/5 and 1/2
	f, err := m.Fewest(context.Background(), machines, expected, 0.95)
	if err != nil || f.Size != 3 || f.Bound != 3 || !near(f.Failed[3], 0.05, 1e-12) || f.Machines[0] != 2 || !near(f.All, 0.0375, 1e-12) {
		t.Errorf("%+v, %v", f, err)
	}
	if len(f.Machines) != 4 || f.Machines[3] != 1 {
		t.Errorf("order %v", f.Machines)
	}
	f, err = m.Fewest(context.Background(), machines, expected, 0.97)
	if err != nil || f.Size != 0 {
		t.Errorf("%+v, %v: all together reach 96.25 %%", f, err)
	}
}

// A site whose machines share their fate is left after one copy.
func TestFewestSpreadsOverGroups(t *testing.T) {
	m := &Model{Shape: 50, GroupShape: 0.2}
	machines := []Machine{{Name: "a", Group: "x"}, {Name: "b", Group: "x"}, {Name: "c", Group: "y"}}
	f, err := m.Fewest(context.Background(), machines, []float64{1, 1.1, 1.4}, 0.85)
	if err != nil || f.Size < 2 || f.Machines[0] != 0 || f.Machines[1] != 2 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestFewestRefuses(t *testing.T) {
	m := &Model{Shape: 1}
	one := []Machine{{Name: "a"}}
	var domain *smp.DomainError
	for _, c := range []struct {
		machines []Machine
		expected []float64
		target   float64
	}{
		{one, []float64{1}, 1},
		{one, []float64{1}, math.NaN()},
		{one, []float64{-1}, 0.5},
		{one, nil, 0.5},
		{append(one, one...), []float64{1, 1}, 0.5},
	} {
		if _, err := m.Fewest(context.Background(), c.machines, c.expected, c.target); !errors.As(err, &domain) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	if _, err := (&Model{}).Fewest(context.Background(), one, []float64{1}, 0.5); err != nil && !errors.As(err, &domain) {
		t.Error(err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, err := m.Fewest(stopped, one, []float64{1}, 0.5); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func pick[T any](from []T, at []int) []T {
	var out []T
	for _, i := range at {
		out = append(out, from[i])
	}
	return out
}
