package attempts

import (
	"slices"

	"github.com/capplan/capplan/hosts"
)

// The number of groups into which the work of tasks is divided; ManyWorks if a task that starts anew keeps its own.
const (
	FewWorks  = 8
	ManyWorks = 16
)

// NormalWorks returns groups of tasks whose work is normal, each of a share and of a work over the mean; FewWorks of
// them are four points. cv is the coefficient of variation.
func NormalWorks(cv float64, groups int) []Node {
	if cv == 0 {
		return []Node{{1, 1}}
	}
	if groups > FewWorks {
		return NodesOf(hosts.Speed{Mean: 1, SD: cv}, groups)
	}
	out := []Node{{0.16, -1.5}, {0.34, -0.45}, {0.34, 0.45}, {0.16, 1.5}}
	for i := range out {
		out[i].Speed = max(0.1, 1+cv*out[i].Speed)
	}
	return out
}

// WorksOf returns groups of tasks whose works over the mean are listed. It sorts the list.
func WorksOf(works []float64, groups int) []Node {
	slices.Sort(works)
	if works[0] == works[len(works)-1] {
		return []Node{{1, 1}}
	}
	var out []Node
	for k := range groups {
		part := works[k*len(works)/groups : (k+1)*len(works)/groups]
		if len(part) == 0 {
			continue
		}
		sum := 0.0
		for _, w := range part {
			sum += w
		}
		out = append(out, Node{float64(len(part)) / float64(len(works)), sum / float64(len(part))})
	}
	return out
}
