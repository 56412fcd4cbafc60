package ranking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/smp"
)

// A Candidate is a host that is available now, as a scheduler sees it.
type Candidate struct {
	Name        string
	Rate        float64   // CR, speed relative to the host that measures task lengths
	Load        MeanLoad  // expected load of its own processes from now on
	Reliability []float64 // R(k), k = 0..N, from its present state; see [smp.Reliability.From]
	Step        float64   // s per step
	MTTF        float64   // s; +Inf where failure is not certain
}

// A Ranked is a candidate with the figures by which it was placed, in
// seconds.
type Ranked struct {
	Index int     // in the slice of candidates
	JCT   float64 // without failures
	JCTF  float64 // with failures; +Inf where the curve ends before it
	ETL   float64 // work expected before a failure; +Inf where MTTF is
}

// A RankRule is the rule that decided a ranking.
type RankRule int

const (
	ByJCTF RankRule = iota // least completion time with failures
	ByETL                  // most work before a failure: no host is expected to last
)

func (r RankRule) String() string {
	if r == ByETL {
		return "effective task length"
	}
	return "completion time with failures"
}

// RankProactive orders candidates for a task of the given length (s on a
// host of rate 1), best first: if on every one the job is expected to take
// longer than the host lasts (JCT > MTTF), by the greatest ETL; otherwise by
// the least JCTF, hosts whose JCTF lies beyond their curve last, by ETL.
// Source: iShare 8.4.
func RankProactive(candidates []Candidate, length float64) ([]Ranked, RankRule, error) {
	out, rule, err := place(candidates, length)
	if err != nil {
		return nil, rule, err
	}
	for i := range out {
		if err := out[i].withFailures(&candidates[i], length, math.Inf(1)); err != nil {
			return nil, rule, err
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return rule.before(&out[i], &out[j]) })
	return out, rule, nil
}

// before reports whether the rule has a before b; of equals neither is.
func (r RankRule) before(a, b *Ranked) bool {
	if c := cmp.Compare(a.JCTF, b.JCTF); r == ByJCTF && c != 0 {
		return c < 0
	}
	return cmp.Less(b.ETL, a.ETL)
}

// place finds the rule, and all figures but those with failures.
func place(candidates []Candidate, length float64) ([]Ranked, RankRule, error) {
	rule := ByETL
	out := make([]Ranked, len(candidates))
	for i := range candidates {
		r, lasts, err := candidates[i].figures(length)
		if err != nil {
			return nil, rule, err
		}
		if lasts {
			rule = ByJCTF
		}
		r.Index = i
		out[i] = r
	}
	return out, rule, nil
}

// figures are all but those with failures; lasts says that the host is expected to last as long as the job takes.
func (c *Candidate) figures(length float64) (r Ranked, lasts bool, err error) {
	j := Job{Length: length, Rate: c.Rate, Load: c.Load}
	if r.JCT, err = j.JCT(); errors.Is(err, smp.ErrInfinite) {
		r.JCT, err = math.Inf(1), nil
	}
	if err != nil {
		return r, false, err
	}
	if math.IsInf(c.MTTF, 1) {
		r.ETL = math.Inf(1)
	} else if r.ETL, err = j.ETL(c.MTTF); err != nil {
		return r, false, err
	}
	return r, r.JCT <= c.MTTF, nil
}

// withFailures finds the completion time with failures, or +Inf for one above most.
func (r *Ranked) withFailures(c *Candidate, length, most float64) (err error) {
	j := Job{Length: length, Rate: c.Rate, Load: c.Load}
	if r.JCTF, err = j.jctf(c.Reliability, c.Step, most); errors.Is(err, smp.ErrHorizon) {
		r.JCTF, err = math.Inf(1), nil
	}
	return err
}

// A Scheduler picks one of the hosts that are up at a step.
type Scheduler interface {
	Name() string
	// Choose returns one of up, which is not empty, for a task of the given
	// length in seconds submitted at the step.
	Choose(ctx context.Context, hosts []Host, up []int, step int64, length float64) (int, error)
}

// among refuses a choice of nothing, and of what is no host.
func among(fn string, hosts []Host, up []int) error {
	if len(up) == 0 {
		return fault.New("smp", fn, "no host is up", smp.ErrNoData)
	}
	for _, h := range up {
		if h < 0 || h >= len(hosts) {
			return &smp.DomainError{Func: fn, Arg: "up", Value: float64(h), Want: fmt.Sprintf("the index of one of %d hosts", len(hosts))}
		}
		if hosts[h].History == nil {
			return &smp.DomainError{Func: fn, Arg: "Host.History", Value: math.NaN(), Want: "a history of each host"}
		}
	}
	return nil
}

// Fastest picks the host of the highest rate, what Condor's matchmaking does
// with the clock rate as its rank; of equals one at random, by the seed and the
// step, whatever their order and number of jobs.
type Fastest struct{ Seed uint64 }

func (Fastest) Name() string { return "condor-like" }

func (f Fastest) Choose(_ context.Context, hosts []Host, up []int, step int64, _ float64) (int, error) {
	if err := among("Fastest.Choose", hosts, up); err != nil {
		return 0, err
	}
	equals := up[:1:1]
	for _, h := range up[1:] {
		switch {
		case hosts[h].Rate > hosts[equals[0]].Rate:
			equals = []int{h}
		case hosts[h].Rate == hosts[equals[0]].Rate:
			equals = append(equals, h)
		}
	}
	if len(equals) == 1 {
		return equals[0], nil
	}
	return equals[rand.New(rand.NewPCG(f.Seed, uint64(step))).IntN(len(equals))], nil
}

// Omniscient runs the job on every host in advance and picks the one on which
// it finishes first, restarts included.
type Omniscient struct{}

func (Omniscient) Name() string { return "omniscient" }

func (Omniscient) Choose(ctx context.Context, hosts []Host, up []int, step int64, length float64) (int, error) {
	if err := among("Omniscient.Choose", hosts, up); err != nil {
		return 0, err
	}
	best, end := up[0], int64(math.MaxInt64)
	for _, h := range up {
		// One that is too slow, even without any load, need not be run.
		steps := float64(end - 1 - step)
		if steps*hosts[h].Rate*hosts[h].History.Period*(1+1e-9) < length*(1-1e-12) {
			continue
		}
		r, err := hosts[h].run(ctx, step, length, end)
		if err != nil {
			return 0, err
		}
		if r.finished && r.end < end {
			best, end = h, r.end
		}
	}
	return best, nil
}
