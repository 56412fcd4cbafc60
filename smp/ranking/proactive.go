package ranking

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/smp"
)

// Proactive takes the host that [RankProactive] places first by what Predict says of each.
type Proactive struct {
	// Predict returns the host as a candidate at a step. It must use nothing
	// that comes after. Where it has nothing to go by its error wraps
	// [smp.ErrNoData]; the host is then taken only if that holds for all, by rate.
	Predict func(ctx context.Context, host int, step int64, length float64) (Candidate, error)
	// Soonest, if set, returns a time that the completion time with failures is not below on the host,
	// whatever its reliability. Hosts that cannot be the best by it are not predicted.
	Soonest func(ctx context.Context, host int, step int64, length float64) (float64, error)
}

func (Proactive) Name() string { return "proactive" }

func (p Proactive) Choose(ctx context.Context, hosts []Host, up []int, step int64, length float64) (int, error) {
	ctx = given.Context(ctx)
	if err := among("Proactive.Choose", hosts, up); err != nil {
		return 0, err
	}
	if p.Predict == nil {
		return 0, &smp.DomainError{Func: "Proactive.Choose", Arg: "Predict", Value: math.NaN(), Want: "a function"}
	}
	soonest, least := make([]float64, len(up)), 0
	for i, h := range up {
		if p.Soonest == nil {
			break
		}
		var err error
		if soonest[i], err = p.Soonest(ctx, h, step, length); err != nil {
			return 0, err
		}
		if soonest[i] < soonest[least] {
			least = i
		}
	}
	var b best
	for n := range up {
		// The one that may be the soonest goes first, so that most of the others are not looked at.
		i := n
		if n == 0 {
			i = least
		} else if n <= least {
			i--
		}
		if b.lasts && soonest[i] > b.byJCTF.JCTF {
			continue
		}
		c, err := p.Predict(ctx, up[i], step, length)
		if errors.Is(err, smp.ErrNoData) {
			continue
		}
		if err == nil {
			err = b.consider(&c, i, length)
		}
		if err != nil {
			return 0, err
		}
	}
	if !b.any {
		return Fastest{}.Choose(ctx, hosts, up, step, length)
	}
	return up[b.index()], nil
}

// A best is which of the candidates considered so far [RankProactive] would place first, in whatever order
// they come.
type best struct {
	any           bool
	lasts         bool // one is expected to last as long as the job takes
	byJCTF, byETL Ranked
}

// consider looks at one more, and at its completion time with failures only as far as that of the best.
func (b *best) consider(c *Candidate, index int, length float64) error {
	r, lasts, err := c.figures(length)
	if err != nil {
		return err
	}
	r.Index, b.lasts = index, b.lasts || lasts
	most := math.Inf(1)
	if b.any {
		most = b.byJCTF.JCTF
	}
	if err := r.withFailures(c, length, most); err != nil {
		return err
	}
	if !b.any || ByJCTF.first(&r, &b.byJCTF) {
		b.byJCTF = r
	}
	if !b.any || ByETL.first(&r, &b.byETL) {
		b.byETL = r
	}
	b.any = true
	return nil
}

// first reports whether the rule has a before c, which it has of equals where a is before c among the candidates.
func (r RankRule) first(a, c *Ranked) bool {
	return r.before(a, c) || a.Index < c.Index && !r.before(c, a)
}

// index is that of the best.
func (b *best) index() int {
	if b.lasts {
		return b.byJCTF.Index
	}
	return b.byETL.Index
}
