package smp

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/internal/given"
)

// A Foresight tells how likely a window stays free from a state just entered, by the kernels that
// its days give, without making these: it is [Reliability] of [EstimateToFailure],
// [EstimateCensored] and [EstimateCounts] to the last bit, at a fraction of the time where windows
// are short. The same counts of stays, by age, serve all three, and their memory serves the next
// days. It is for scores of many windows, and for one goroutine at a time.
type Foresight struct {
	space  Space
	up     []int
	number []int // of up states, -1 for others
	n      int
	days   []Day
	plain  bool // counts hold all that the days say
	// In place of days: where windows begin in a history.
	history *History
	firsts  []int64
	counts  []stayCounts
	rows    [][]arc
	tails   []float64 // of the rows
	r       renewal
	x       [][]float64
}

// stayCounts are stays in one state, by age and whether they came after a failure of their window.
type stayCounts struct {
	exits [2][]int // by age and state entered next
	cut   [2][]int // by age
	left  [2]int   // exits in all
	known [2]int   // stays cut at an age above 1, which say something
	seen  int      // stays in all
}

// add counts a stay of so many steps, and which of so many states is entered next.
func (c *stayCounts) add(after, steps, next, states int) {
	c.seen++
	switch {
	case next != Cut:
		c.exits[after][steps*states+next]++
		c.left[after]++
	case steps > 1:
		c.cut[after][steps]++
		c.known[after]++
	}
}

// mostForeseen bounds the windows that are counted by age.
const mostForeseen = 1 << 15

// NewForesight returns one of a space of states. Errors: those of [Space.Validate].
func NewForesight(space Space) (*Foresight, error) {
	if err := space.Validate(); err != nil {
		return nil, err
	}
	f := &Foresight{space: space.clone(), up: space.Up()}
	f.number = numbers(len(space.Names), f.up)
	f.counts, f.rows = make([]stayCounts, len(f.up)), make([][]arc, len(f.up))
	f.x, f.r.rows, f.tails = make([][]float64, len(f.up)), make([][]arc, len(f.up)), make([]float64, len(f.up))
	return f, nil
}

// Learn takes the days of a window of n steps in place of those before. Each window counts as
// begun with a state just entered, see [Ageless].
func (f *Foresight) Learn(days []Day, n int) {
	if f == nil {
		return
	}
	f.days, f.firsts = days, nil
	if f.begin(n); !f.plain {
		return
	}
	f.plain = false
	some := false
	for _, d := range days {
		for _, s := range d.Parts {
			some = true
			if !f.count(s) {
				return
			}
		}
	}
	f.plain = some
}

// begin makes room for the counts of windows of n steps, where those are to be counted.
func (f *Foresight) begin(n int) {
	f.n = n
	if f.plain = n >= 1 && n <= mostForeseen && len(f.up) > 0; !f.plain {
		return
	}
	ages, states := n+3, len(f.space.Names)
	for i := range f.counts {
		c := &f.counts[i]
		c.left, c.known, c.seen = [2]int{}, [2]int{}, 0
		for p := range c.exits {
			c.exits[p], c.cut[p] = zeros(c.exits[p], ages*states), zeros(c.cut[p], ages)
		}
	}
}

// zeros returns a slice of n zeros, in the memory of one before where that is enough.
func zeros(of []int, n int) []int {
	of = slices.Grow(of[:0], n)[:n]
	clear(of)
	return of
}

// count counts the stays of a sequence; false where they are not those of a window.
func (f *Foresight) count(s Sequence) bool {
	states, after := len(f.space.Names), 0
	if s.check("", f.space) != nil {
		return false
	}
	for m, v := range s {
		if v.Steps > f.n+1 || m > 0 && (v.Elapsed != 0 || v.Undated) {
			return false
		}
		i := f.number[v.State]
		if i < 0 {
			after = 1
			continue
		}
		f.counts[i].add(after, v.Steps, v.Next, states)
	}
	return true
}

// Free returns the chance to stay free for n steps, by state, 0 of failure states: by counts, as
// the iShare paper, censored, or, by neither, to the first failure. Errors: those of the estimators
// and of [Kernel.Reliability].
func (f *Foresight) Free(ctx context.Context, counts, censored bool) ([]float64, error) {
	ctx = given.Context(ctx)
	if f == nil || len(f.space.Names) == 0 {
		return nil, &DomainError{"Foresight.Free", "states", 0, "what NewForesight returned"}
	}
	by := chosen(counts, censored)
	plain, err := f.solve(ctx, by)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(f.space.Names))
	if plain {
		for a, i := range f.up {
			out[i] = unround(f.x[a][f.n])
		}
		return out, nil
	}
	_, rel, err := f.general(ctx, by)
	if err != nil {
		return nil, err
	}
	for _, i := range f.up {
		c, err := rel.From(ctx, Start{State: i})
		if err != nil {
			return nil, fmt.Errorf("from %s: %w", f.space.Names[i], err)
		}
		out[i] = c.Reliability[f.n]
	}
	return out, nil
}

// solve finds the chances by counts; false where a kernel has to be made.
func (f *Foresight) solve(ctx context.Context, by estimator) (plain bool, err error) {
	if !f.plain {
		return false, nil
	}
	f.r.n, f.r.size = f.n, 0
	for a := range f.counts {
		f.tails[a] = f.row(a, by)
		f.x[a] = slices.Grow(f.x[a][:0], f.n+1)[:f.n+1]
		survivalsInto(f.x[a], f.rows[a], f.tails[a], 0)
		f.r.rows[a] = f.r.rows[a][:0]
		for _, e := range f.rows[a] {
			if j := f.number[e.to]; j >= 0 && int(e.lag) <= f.n {
				f.r.rows[a] = append(f.r.rows[a], arc{int32(j), e.lag, e.prob})
			}
		}
		f.r.size += len(f.r.rows[a])
	}
	if f.r.method(f.r.pairs()) != Sparse {
		return false, nil
	}
	return true, f.r.direct(ctx, f.x)
}

// row makes the row of an up state, see [EstimateCensored], and returns its tail.
func (f *Foresight) row(a int, by estimator) (tail float64) {
	c, states := &f.counts[a], len(f.space.Names)
	// Stays after a failure weigh together as one before it.
	weight := [2]int{1, 1}
	if m := c.left[1] + c.known[1]; by == toFailure && m > 0 {
		weight[0] = m
	}
	risk := 0
	for p, w := range weight {
		risk += w * c.left[p]
		if by != byCounts {
			risk += w * c.known[p]
		}
	}
	row, alive := f.rows[a][:0], 1.0
	for age := 1; age <= f.n+1 && risk > 0 && alive > 0; age++ {
		if by != byCounts { // a stay cut after so many steps was at risk at lesser ages
			risk -= weight[0]*c.cut[0][age] + weight[1]*c.cut[1][age]
		}
		exits := 0
		for j := range states {
			d := weight[0]*c.exits[0][age*states+j] + weight[1]*c.exits[1][age*states+j]
			if d > 0 {
				row = append(row, arc{int32(j), int32(age), alive * (float64(d) / float64(risk))})
				exits += d
			}
		}
		if exits > 0 {
			alive *= float64(risk-exits) / float64(risk)
			risk -= exits
		}
	}
	f.rows[a] = row
	return alive
}

// general goes the long way, by a kernel.
func (f *Foresight) general(ctx context.Context, by estimator) (*Fit, *Reliability, error) {
	fit, err := estimate("Foresight", f.space, Ageless(f.sequences()), nil, by)
	if err != nil {
		return nil, nil, err
	}
	rel, err := fit.Kernel.Reliability(ctx, f.n, &Options{Workers: 1})
	return fit, rel, err
}
