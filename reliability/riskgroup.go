package reliability

import (
	"container/heap"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/fault"
)

// A RiskGroup is a set of places that go down together: a rack, a site, a
// power feed. Groups are independent of one another and of the replicas.
type RiskGroup struct {
	Unavailability float64 // chance that the whole group is down, 0..1
	Capacity       int     // most replicas it can hold, >= 0
}

// A Placement puts identical replicas into shared-risk groups.
type Placement struct {
	Component             // each replica by itself, given that its group is up
	Groups    []RiskGroup // at least one
}

func (p Placement) check(fn string) error {
	if err := p.Component.check(fn); err != nil {
		return err
	}
	if len(p.Groups) == 0 {
		return &DomainError{fn, "Groups", 0, "at least one group"}
	}
	for i, g := range p.Groups {
		if err := all(fraction(fn, fmt.Sprintf("Groups[%d].Unavailability", i), g.Unavailability),
			atLeast(fn, fmt.Sprintf("Groups[%d].Capacity", i), g.Capacity, 0)); err != nil {
			return err
		}
	}
	return nil
}

// AtLeast returns the probability that at least m replicas are up, and that
// fewer are, when perGroup[i] of them are in group i:
//
//	number up in a group = 0 with probability s, else Bin(n, p),
//
// the groups convolved. Both results are sums of positive terms. 1 <= m <= Σ
// perGroup. Time O(k²) for k replicas, of which there are at most 50,000.
func (p Placement) AtLeast(m int, perGroup []int) (up, fewer float64, err error) {
	const fn = "Placement.AtLeast"
	if err := p.check(fn); err != nil {
		return 0, 0, err
	}
	if len(perGroup) != len(p.Groups) {
		return 0, 0, &DomainError{fn, "perGroup",
			float64(len(perGroup)), fmt.Sprintf("one count for each of %d groups", len(p.Groups))}
	}
	total := 0
	for i, n := range perGroup {
		if n < 0 || n > p.Groups[i].Capacity {
			return 0, 0, &DomainError{fn, fmt.Sprintf("perGroup[%d]", i), float64(n),
				fmt.Sprintf("0..%d, the capacity", p.Groups[i].Capacity)}
		}
		if total += n; total > mostConvolved || total < 0 {
			return 0, 0, &DomainError{fn, fmt.Sprintf("perGroup[%d]", i), float64(n),
				fmt.Sprintf("at most %d replicas in all", mostConvolved)}
		}
	}
	if m < 1 || m > total {
		return 0, 0, &DomainError{fn, "m", float64(m), fmt.Sprintf("1 <= m <= %d", total)}
	}
	law := []float64{1}
	a, u := p.up(), p.down()
	for i, n := range perGroup {
		s := p.Groups[i].Unavailability
		group := make([]float64, n+1)
		for j := range group {
			group[j] = (1 - s) * binomialTerm(n, j, a, u)
		}
		group[0] += s
		next := make([]float64, len(law)+n)
		for x, px := range law {
			for y, py := range group {
				next[x+y] += px * py
			}
		}
		law = next
	}
	for j, x := range law {
		if j < m {
			fewer += x
		} else {
			up += x
		}
	}
	return up, fewer, nil
}

// Replicas returns the least number of replicas, and how many to put into
// each group, so that at least one is up with probability P = target. With
// n_i replicas in group i,
//
//	P(all down) = Π_i ( s_i + (1 - s_i) u^{n_i} ).
//
// The logarithm is a sum of convex functions of the n_i, so adding one
// replica at a time where it gains most gives the best placement of every
// count; of equal gains the first group is taken. The floor is the product
// with every group full; a target beyond it returns an *AvailabilityError.
// 0 < P < 1; P = 1 returns ErrNoFiniteCount; more than a million replicas
// return ErrCountTooLarge. Time O(k groups).
func (p Placement) Replicas(target float64) (CorrelatedCount, error) {
	const fn = "Placement.Replicas"
	if err := all(p.check(fn), checkTarget(fn, target)); err != nil {
		return CorrelatedCount{}, err
	}
	logU := p.logDown()
	logFloor := 0.0
	for _, g := range p.Groups {
		logFloor += groupLog(g.Unavailability, logU, g.Capacity)
	}
	r := CorrelatedCount{Floor: math.Exp(logFloor)}
	logQ := math.Log1p(-target)
	slack := targetSlack(target)
	if !meets(logFloor, logQ, slack) {
		return CorrelatedCount{}, &AvailabilityError{fn, target, -math.Expm1(logFloor), r.Floor,
			"the groups fail as wholes and hold no more replicas"}
	}
	var logAll float64
	r.PerGroup, logAll = p.fill(func(count int, logAll float64) bool {
		return count <= mostPlaced && !meets(logAll, logQ, slack)
	})
	for _, n := range r.PerGroup {
		r.Replicas += n
	}
	if r.Replicas > mostPlaced {
		return CorrelatedCount{}, fault.New("reliability",
			fn, fmt.Sprintf("more than %d replicas", mostPlaced), ErrCountTooLarge)
	}
	r.Availability, r.Unavailability = -math.Expm1(logAll), math.Exp(logAll)
	return r, nil
}

// AllDown returns the chance that all are down, for the best placement of
// each count 0, 1, ... up to most, or up to what the groups hold. It is the
// curve along which [Placement.Replicas] climbs.
func (p Placement) AllDown(most int) ([]float64, error) {
	const fn = "Placement.AllDown"
	if err := all(p.check(fn), atLeast(fn, "most", most, 0)); err != nil {
		return nil, err
	}
	if most > mostPlaced {
		return nil, &DomainError{fn, "most", float64(most), fmt.Sprintf("most <= %d", mostPlaced)}
	}
	var curve []float64
	p.fill(func(count int, logAll float64) bool {
		curve = append(curve, math.Exp(logAll))
		return count < most
	})
	return curve, nil
}

// fill adds one replica at a time where it gains most, while more says so of
// the count and of the logarithm of P(all down). It returns the replicas in
// each group and that logarithm.
func (p Placement) fill(more func(count int, logAll float64) bool) ([]int, float64) {
	logU := p.logDown()
	q := &gainQueue{}
	for i, g := range p.Groups {
		if g.Capacity > 0 && g.Unavailability < 1 {
			q.items = append(q.items, groupGain{i, 0, -groupLog(g.Unavailability, logU, 1)})
		}
	}
	heap.Init(q)
	perGroup := make([]int, len(p.Groups))
	count, logAll := 0, 0.0
	for more(count, logAll) && q.Len() > 0 {
		g := q.items[0]
		count++
		g.count++
		perGroup[g.group] = g.count
		// Recomputed, not accumulated: k roundings would add up.
		logAll = 0
		for i, n := range perGroup {
			logAll += groupLog(p.Groups[i].Unavailability, logU, n)
		}
		spec := p.Groups[g.group]
		if g.count == spec.Capacity {
			heap.Pop(q)
			continue
		}
		g.gain = groupLog(spec.Unavailability, logU, g.count) - groupLog(spec.Unavailability, logU, g.count+1)
		q.items[0] = g
		heap.Fix(q, 0)
	}
	return perGroup, logAll
}

// mostConvolved bounds the replicas whose law is convolved.
const mostConvolved = 50_000

// mostPlaced bounds the replicas placed one at a time.
const mostPlaced = 1_000_000

// groupLog returns log(s + (1-s) u^n).
func groupLog(s, logU float64, n int) float64 {
	if n == 0 {
		return 0
	}
	return logAdd(math.Log(s), math.Log1p(-s)+float64(n)*logU)
}

// A groupGain is what the next replica in a group gains.
type groupGain struct {
	group, count int
	gain         float64
}

type gainQueue struct{ items []groupGain }

func (q *gainQueue) Len() int { return len(q.items) }
func (q *gainQueue) Less(i, j int) bool {
	a, b := q.items[i], q.items[j]
	if a.gain != b.gain {
		return a.gain > b.gain
	}
	return a.group < b.group
}
func (q *gainQueue) Swap(i, j int) { q.items[i], q.items[j] = q.items[j], q.items[i] }
func (q *gainQueue) Push(x any)    { q.items = append(q.items, x.(groupGain)) }
func (q *gainQueue) Pop() any {
	x := q.items[len(q.items)-1]
	q.items = q.items[:len(q.items)-1]
	return x
}
