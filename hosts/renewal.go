package hosts

import (
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/law"
)

// A renewal is what machines, or groups of them, that come and go by two laws are drawn from.
type renewal struct {
	share    float64 // of the time that one is there
	cycle    float64 // mean of a time there and a time away together, s
	up, down interval
}

// An interval is one of the two laws.
type interval struct {
	whole, covering law.Quantiles // the second of the interval that covers time 0
	most            float64       // s
}

// renewing returns what is drawn of two laws; nil without down, by which nothing ever leaves. Tables stand in for
// laws whose quantiles take long: one of a gamma law takes 3 µs (BenchmarkQuantiles of package law), and all that a
// change of a machine takes is .05 with its table (BenchmarkReturns).
func renewing(up, down law.Law) *renewal {
	if up == nil || down == nil {
		return nil
	}
	of := func(l law.Law) interval {
		return interval{law.QuantilesOf(l).Tabled(), law.LengthBiasedQuantiles(l).Tabled(), longest * l.Mean()}
	}
	return &renewal{share(up, down), up.Mean() + down.Mean(), of(up), of(down)}
}

// renewals are what the runs of a platform are drawn from, of machines and of groups; nil where none leaves by
// laws.
type renewals struct{ own, shared *renewal }

// steady draws the spell that covers time 0.
func (a *renewal) steady(r *rand.Rand) spell {
	s := spell{up: r.Float64() < a.share}
	l := &a.down
	if s.up {
		l = &a.up
	}
	whole, err := l.covering.At(r.Float64())
	if err != nil {
		whole = math.NaN() // Check has tried it
	}
	s.until = r.Float64() * whole
	return s
}

// shortest is the least time, in seconds, that a state lasts: time goes on where a
// law gives none at all.
const shortest = 1e-3

// longest is how many means a state lasts at most, so that those who wait for the
// end of one do so no longer than a law's variance could show.
const longest = 1e6

// draw draws a whole interval.
func (l *interval) draw(r *rand.Rand) float64 {
	t, err := l.whole.At(r.Float64())
	if err != nil {
		return math.NaN() // Check has tried it
	}
	return min(max(shortest, t), l.most)
}
