package alloc

import (
	"fmt"
	"math"
	"sort"

	"github.com/capplan/capplan/internal/numeric"
)

// A Curve is the greatest relaxed revenue of one dependency against the
// capacity of all its resources together: concave, piecewise linear, from the
// capacity that holds every job's least level on, jobs left out that may be.
// Prices, base fees and a budget have no part in it.
type Curve struct {
	Capacity []float64 `json:"capacity"` // corners, rising
	Revenue  []float64 `json:"revenue"`  // lp_bound at each corner
}

// Curve returns the revenue-capacity curve of a dependency with all its
// corners; one sort gives it whole. An unknown name returns a *BatchError.
func (s *System) Curve(name string) (Curve, error) {
	if err := s.made("Curve"); err != nil {
		return Curve{}, err
	}
	for i := range s.deps {
		if s.deps[i].name == name {
			return s.withOut(&s.deps[i]).curve(), nil
		}
	}
	return Curve{}, &BatchError{
		Place:   fmt.Sprintf("dependency %q", name),
		Problem: "not among the dependencies",
		Name:    name,
		Kind:    ErrUnknownDependency,
	}
}

// withOut is the primary problem of a dependency with level 0, "left out", for
// the jobs that may be.
func (s *System) withOut(d *dependency) *problem {
	p := d.primaryProblem()
	if s.optional == nil {
		return p
	}
	q := &problem{}
	for k, b := range d.job {
		q.first = append(q.first, int32(len(q.dem)))
		if s.optional[b] && p.dem[p.first[k]] > 0 {
			q.dem, q.rev = append(q.dem, 0), append(q.rev, 0)
		}
		q.dem = append(q.dem, p.dem[p.first[k]:p.last[k]]...)
		q.rev = append(q.rev, p.rev[p.first[k]:p.last[k]]...)
		q.last = append(q.last, int32(len(q.dem)))
	}
	return q
}

func (p *problem) curve() Curve {
	capacity, revenue := float64(p.least()), float64(p.revenue(p.first))
	c := Curve{[]float64{capacity}, []float64{revenue}}
	slope := math.Inf(1)
	for _, s := range numeric.InOrder(p.hulls(nil), steepestFirst) {
		capacity += float64(s.extra)
		revenue += float64(s.more)
		if s.slope == slope { // one corner for steps as steep as each other
			c.Capacity = c.Capacity[:len(c.Capacity)-1]
			c.Revenue = c.Revenue[:len(c.Revenue)-1]
		}
		c.Capacity = append(c.Capacity, capacity)
		c.Revenue = append(c.Revenue, revenue)
		slope = s.slope
	}
	return c
}

// At returns the relaxed revenue at a capacity and the shadow price there,
// that of the next unit. Below the first corner no assignment exists: ok is
// false, as it is for a curve whose parts are not of one length. Beyond the
// last the revenue is constant and the price 0.
func (c Curve) At(capacity float64) (revenue, price float64, ok bool) {
	n := len(c.Capacity)
	if n == 0 || len(c.Revenue) != n || !(capacity >= c.Capacity[0]) {
		return 0, 0, false
	}
	i := sort.Search(n, func(i int) bool { return c.Capacity[i] > capacity })
	switch i {
	case n:
		return c.Revenue[n-1], 0, true
	case 0:
		return 0, 0, false // capacities that do not ascend
	}
	price = (c.Revenue[i] - c.Revenue[i-1]) / (c.Capacity[i] - c.Capacity[i-1])
	return c.Revenue[i-1] + price*(capacity-c.Capacity[i-1]), price, true
}

// Thin returns at most n ≥ 2 of the corners, the first and the last among
// them, evenly spread by number: enough for drawing.
func (c Curve) Thin(n int) Curve {
	if n < 2 || len(c.Capacity) <= n || len(c.Revenue) != len(c.Capacity) {
		return c
	}
	t := Curve{make([]float64, n), make([]float64, n)}
	for i := range n {
		at := i * (len(c.Capacity) - 1) / (n - 1)
		t.Capacity[i], t.Revenue[i] = c.Capacity[at], c.Revenue[at]
	}
	return t
}
