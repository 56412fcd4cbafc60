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
	if err := distinct("Model.Joint", machines, expected); err != nil {
		return nil, err
	}
	all := []float64{1}
	for _, members := range inGroups(machines) {
		name := machines[members[0]].Group
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

// distinct refuses a machine that is asked for twice, and failures that are none.
func distinct(of string, machines []Machine, expected []float64) error {
	if len(machines) != len(expected) {
		return &smp.DomainError{
			Func:  of,
			Arg:   "len(expected)",
			Value: float64(len(expected)),
			Want:  "one per machine",
		}
	}
	seen := map[string]bool{}
	for i, x := range machines {
		if seen[x.Name] {
			return &smp.DomainError{
				Func:  of,
				Arg:   "machine " + x.Name,
				Value: float64(i),
				Want:  "each machine once",
			}
		}
		if !(expected[i] >= 0) {
			return &smp.DomainError{Func: of, Arg: "expected", Value: expected[i], Want: "numbers >= 0"}
		}
		seen[x.Name] = true
	}
	return nil
}

// inGroups returns the machines of each group, in the order in which they come.
func inGroups(machines []Machine) [][]int {
	at := map[string]int{}
	var out [][]int
	for i, x := range machines {
		g, ok := at[x.Group]
		if !ok {
			g = len(out)
			at[x.Group] = g
			out = append(out, nil)
		}
		out[g] = append(out[g], i)
	}
	return out
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
