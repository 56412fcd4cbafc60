package early

import (
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"
)

// A Kind is tasks of about the same work, in classes of saved work: of class k, k/Classes of it is saved.
type Kind struct {
	Share   float64 // of the tasks of a bag
	Work    float64 // of a task, over the mean
	Most    float64 // of listed tasks, the greatest
	First   int     // of its classes, among those of all kinds
	Classes int
}

// Listed tasks are divided into smallKinds kinds of equal number and, of the largest, kinds of 1, 1, 2, 4
// and so on: the largest are the last to be done, each by itself. Kinds whose works differ by a factor of less than
// alikeWorks are one, and those with more than smallWork of the work within which it differs by more than
// apartWorks are two.
const (
	smallKinds = 8
	alikeWorks = 1.05
	apartWorks = 1.4
	smallWork  = 0.01
)

// normalEnds divide a normal law of work into kinds, in standard deviations.
var normalEnds = []float64{math.Inf(-1), -1, 0, 1, 2, math.Inf(1)}

// NormalKinds returns the kinds of tasks whose work is normal, with a coefficient of variation, and at least a tenth
// of its mean.
func NormalKinds(cv float64) []Kind {
	if cv == 0 {
		return []Kind{{Share: 1, Work: 1}}
	}
	var out []Kind
	for k, from := range normalEnds[:len(normalEnds)-1] {
		to := normalEnds[k+1]
		share := distuv.UnitNormal.CDF(to) - distuv.UnitNormal.CDF(from)
		z := (distuv.UnitNormal.Prob(from) - distuv.UnitNormal.Prob(to)) / share
		out = append(out, Kind{Share: share, Work: max(0.1, 1+z*cv)})
	}
	return out
}

// ListedKinds returns the kinds of listed works over their mean, from small to large. It sorts the works.
func ListedKinds(works []float64) []Kind {
	slices.Sort(works)
	ends, rest := []int{len(works)}, len(works)
	for k := 1; k <= len(works)/16; k *= 2 {
		if k == 1 {
			rest--
			ends = append(ends, rest)
		}
		rest -= k
		ends = append(ends, rest)
	}
	for k := smallKinds - 1; k >= 0; k-- {
		if end := rest * k / smallKinds; end < ends[len(ends)-1] {
			ends = append(ends, end)
		}
	}
	slices.Reverse(ends)
	var out []Kind
	from := 0
	for _, end := range ends[1:] {
		if end < len(works) {
			end = sort.SearchFloat64s(works, works[end]) // equal works are of one kind
		}
		if end > from {
			out = kinds(out, works[from:end], len(works))
			from = end
		}
	}
	return out
}

// kinds appends works that ascend, of so many in all, as one kind or several.
func kinds(out []Kind, works []float64, all int) []Kind {
	least, most, sum := works[0], works[len(works)-1], floats.Sum(works)
	if most > apartWorks*least && sum > smallWork*float64(all) {
		at := sort.SearchFloat64s(works, math.Sqrt(least)*math.Sqrt(most))
		return kinds(kinds(out, works[:at], all), works[at:], all)
	}
	k := Kind{Share: float64(len(works)) / float64(all), Work: sum / float64(len(works)), Most: most}
	if last := len(out) - 1; last >= 0 && most <= alikeWorks*out[last].Work {
		o := &out[last]
		o.Work = (o.Share*o.Work + k.Share*k.Work) / (o.Share + k.Share)
		o.Share, o.Most = o.Share+k.Share, most
		return out
	}
	return append(out, k)
}

// KindOf returns the kind of a listed work.
func KindOf(kinds []Kind, work float64) int {
	return sort.Search(len(kinds)-1, func(k int) bool { return work <= kinds[k].Most })
}
