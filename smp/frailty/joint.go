package frailty

import (
	"github.com/capplan/capplan/smp"
)

// Joint returns the chances that exactly 0, 1, … n of n machines stay free
// while the i-th expects expected[i] failures at frailty 1. Given the frailties
// of their groups they fail independently; machines of one group share its
// frailty, so that they stay free, or fail, together more often than chance
// has it. A machine may not be asked for twice: its own frailty is one.
//
// Time: n² times the points of a group's law.
func (m *Model) Joint(machines []Machine, expected []float64) ([]float64, error) {
	if len(machines) != len(expected) {
		return nil, &smp.DomainError{
			Func:  "Model.Joint",
			Arg:   "len(expected)",
			Value: float64(len(expected)),
			Want:  "one per machine",
		}
	}
	seen := map[string]bool{}
	byGroup := map[string][]int{}
	var order []string
	for i, x := range machines {
		if seen[x.Name] {
			return nil, &smp.DomainError{
				Func:  "Model.Joint",
				Arg:   "machine " + x.Name,
				Value: float64(i),
				Want:  "each machine once",
			}
		}
		if !(expected[i] >= 0) {
			return nil, &smp.DomainError{Func: "Model.Joint", Arg: "expected", Value: expected[i], Want: "numbers >= 0"}
		}
		seen[x.Name] = true
		if byGroup[x.Group] == nil {
			order = append(order, x.Group)
		}
		byGroup[x.Group] = append(byGroup[x.Group], i)
	}
	all := []float64{1}
	for _, name := range order {
		members := byGroup[name]
		g := &Group{Frailty: []float64{1}, Weight: []float64{1}}
		if name != "" {
			g = m.group(name)
		}
		law := make([]float64, len(members)+1)
		for j, phi := range g.Frailty {
			if g.Weight[j] == 0 {
				continue
			}
			part := []float64{1}
			for _, i := range members {
				p := m.survivalAt(machines[i], expected[i], phi)
				part = convolve(part, []float64{1 - p, p})
			}
			for n, v := range part {
				law[n] += g.Weight[j] * v
			}
		}
		all = convolve(all, law)
	}
	return all, nil
}

func convolve(a, b []float64) []float64 {
	out := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			out[i+j] += x * y
		}
	}
	return out
}
