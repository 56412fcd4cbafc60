package routing

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A Rule is how a [Dispatcher] picks the next cluster.
type Rule int

const (
	// Billiard takes argmin_j (Xⱼ + Yⱼ)/Pⱼ over Pⱼ > 0, ties to the lowest index
	// (InterGrid eq. 20 and algorithm 2). No count is ever 1 or more ahead of
	// its ideal n·Pⱼ where X = 0; with two clusters none is 1 or more behind
	// either. With three and more clusters one may fall behind by more, up to
	// about their number: with P = 0.8, 0.1, 0.1 the first three requests go to
	// the three clusters, 1 for an ideal of 2.4. It is Adams' method of
	// apportionment, which keeps the upper quota only.
	Billiard Rule = iota
	// Balanced keeps every count within 1 of its ideal over any prefix, ahead
	// and behind, for any number of clusters: among the clusters that would not
	// come 1 ahead, Yⱼ + 1 − (n+1)Pⱼ < 1, it takes the one whose next request
	// is due first, argmin (Yⱼ + 1)/Pⱼ, ties to the lowest index (Tijdeman,
	// Balinski and Young's quota method). X is not used.
	Balanced
)

// DispatchOptions are the options of a [Dispatcher]; the zero value is Billiard
// with X = 0.
type DispatchOptions struct {
	Rule Rule
	// Offset is X by cluster, ≥ 0; nil means 0. Algorithm 2 has 1 for the
	// fastest cluster and 0 for the others ([FastestOffset]), the same for every
	// type: the fastest is reached later.
	Offset []float64
}

// FastestOffset returns X of InterGrid algorithm 2: 1 for the cluster with the
// least service time of external requests, the first of equals, 0 for the
// others.
func FastestOffset(clusters []Cluster) []float64 {
	x := make([]float64, len(clusters))
	best := 0
	for j := range clusters {
		if clusters[j].ServiceTime/clusters[j].servers() < clusters[best].ServiceTime/clusters[best].servers() {
			best = j
		}
	}
	if len(x) > 0 {
		x[best] = 1
	}
	return x
}

// A Dispatcher turns probabilities into a deterministic sequence of clusters,
// one sequence per type of request, so that every cluster gets a like mix of
// types (RTDP, InterGrid algorithm 2). Y counts by type and cluster; the
// probability of type i at cluster j is Pⱼ times the share of type i, which
// cancels in the choice. A dispatch costs O(log N) for N clusters; memory is
// some 40 bytes per type and cluster. It is not safe for concurrent use.
type Dispatcher struct {
	p      []float64
	share  []float64
	offset []float64
	rule   Rule
	types  []sequence
	all    tally
}

// NewDispatcher returns a dispatcher for the probabilities by cluster and the
// shares by type of request, each ≥ 0 and adding up to 1; nil shares mean one
// type. Errors: *DomainError.
func NewDispatcher(probabilities, shares []float64, o DispatchOptions) (*Dispatcher, error) {
	const fn = "NewDispatcher"
	if shares == nil {
		shares = []float64{1}
	}
	if err := checkProbabilities(fn, probabilities, len(probabilities)); err != nil {
		return nil, err
	}
	c := check{fn: fn}
	var all numeric.Sum
	for i, v := range shares {
		c.atLeastZero(fmt.Sprintf("share[%d]", i), v)
		all.Add(v)
	}
	if v := all.Value(); !(math.Abs(v-1) <= rounding) {
		c.fail("shares", v, "shares that add up to 1")
	}
	if o.Offset != nil && len(o.Offset) != len(probabilities) {
		c.fail("offset", float64(len(o.Offset)), fmt.Sprintf("one per cluster, %d", len(probabilities)))
	}
	for j, v := range o.Offset {
		c.atLeastZero(fmt.Sprintf("offset[%d]", j), v)
	}
	if o.Rule != Billiard && o.Rule != Balanced {
		c.fail("rule", float64(o.Rule), "Billiard or Balanced")
	}
	if c.err != nil {
		return nil, c.err
	}
	d := &Dispatcher{
		p:      append([]float64(nil), probabilities...),
		share:  append([]float64(nil), shares...),
		offset: make([]float64, len(probabilities)),
		rule:   o.Rule,
		types:  make([]sequence, len(shares)),
		all:    newTally(len(probabilities)),
	}
	copy(d.offset, o.Offset)
	for i := range d.types {
		d.types[i] = newSequence(d)
	}
	return d, nil
}

// Next returns the cluster, from 0, of the next request of the given type, from
// 0, and counts it. An unknown type, or one of share 0, which has no cluster by
// P = 0, is a *DomainError.
func (d *Dispatcher) Next(typ int) (cluster int, err error) {
	if err := d.checkType("Dispatcher.Next", typ); err != nil {
		return 0, err
	}
	if d.share[typ] == 0 {
		return 0, &DomainError{"Dispatcher.Next", "", fmt.Sprintf("share of type %d", typ), 0, "a type of share > 0"}
	}
	j := d.types[typ].next(d)
	d.all.count(j, d.p[j])
	return j, nil
}

func (d *Dispatcher) checkType(fn string, typ int) error {
	if typ < 0 || typ >= len(d.types) {
		return &DomainError{fn, "", "type", float64(typ), fmt.Sprintf("a type within 0..%d", len(d.types)-1)}
	}
	return nil
}

// Counts returns how many requests of a type each cluster was sent, Y.
func (d *Dispatcher) Counts(typ int) ([]int, error) {
	if err := d.checkType("Dispatcher.Counts", typ); err != nil {
		return nil, err
	}
	return append([]int(nil), d.types[typ].tally.y...), nil
}

// Discrepancy is how far counts have been from n·Pⱼ over every prefix so far.
type Discrepancy struct {
	Ahead  float64 // greatest Yⱼ − n·Pⱼ, ≥ 0
	Behind float64 // greatest n·Pⱼ − Yⱼ, ≥ 0
}

// Discrepancy returns that of one type's own sequence, in O(N).
func (d *Dispatcher) Discrepancy(typ int) (Discrepancy, error) {
	if err := d.checkType("Dispatcher.Discrepancy", typ); err != nil {
		return Discrepancy{}, err
	}
	return d.types[typ].tally.discrepancy(d.p), nil
}

// TotalDiscrepancy returns that of all types together.
func (d *Dispatcher) TotalDiscrepancy() Discrepancy { return d.all.discrepancy(d.p) }

// A Tally measures a sequence of clusters against probabilities, by whatever
// rule it was made, such as that of all types where each has its own.
type Tally struct {
	p []float64
	t tally
}

// NewTally returns a tally for the probabilities by cluster, each ≥ 0 and adding
// up to 1, else a *DomainError.
func NewTally(probabilities []float64) (*Tally, error) {
	if err := checkProbabilities("NewTally", probabilities, len(probabilities)); err != nil {
		return nil, err
	}
	return &Tally{append([]float64(nil), probabilities...), newTally(len(probabilities))}, nil
}

// Count counts a request sent to a cluster, from 0; one that there is not is a
// *DomainError.
func (t *Tally) Count(cluster int) error {
	if cluster < 0 || cluster >= len(t.p) {
		return &DomainError{"Tally.Count", "", "cluster",
			float64(cluster), fmt.Sprintf("a cluster within 0..%d", len(t.p)-1)}
	}
	t.t.count(cluster, t.p[cluster])
	return nil
}

// Discrepancy returns that of the sequence so far, in O(N).
func (t *Tally) Discrepancy() Discrepancy { return t.t.discrepancy(t.p) }

// A tally counts dispatches and keeps the extremes of counts against ideals. A
// cluster is furthest ahead right after a dispatch to it, and furthest behind
// right before one or now.
type tally struct {
	y     []int
	n     int
	worst Discrepancy
}

func newTally(n int) tally { return tally{y: make([]int, n)} }

func (t *tally) count(j int, p float64) {
	t.worst.Behind = max(t.worst.Behind, math.FMA(float64(t.n), p, -float64(t.y[j])))
	t.n++
	t.y[j]++
	t.worst.Ahead = max(t.worst.Ahead, -math.FMA(float64(t.n), p, -float64(t.y[j])))
}

func (t *tally) discrepancy(p []float64) Discrepancy {
	w := t.worst
	for j, y := range t.y {
		w.Behind = max(w.Behind, math.FMA(float64(t.n), p[j], -float64(y)))
	}
	return w
}
