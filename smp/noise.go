package smp

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/capplan/capplan/internal/fault"
)

// Noise describes irregular failures put into a record to see how much a
// prediction minds them (iShare 8.3). Zero fields mean the value in brackets,
// where there is one.
type Noise struct {
	Instances int           // how many
	State     int           // of the failure [S3]
	Clock     time.Duration // time of day around which they begin; 8 h in the paper
	Spread    time.Duration // they begin within ± Spread of it [0.5 h]
	Shortest  float64       // s, holding time uniform from here … [60]
	Longest   float64       // … to here [1800]
}

// maxOverwritten bounds instances times runs, for each instance writes them anew.
const maxOverwritten = 30_000_000

// InjectNoise returns a copy of the history in which each instance overwrites
// the record on one of the days, drawn with replacement. Instances that fall
// outside the record are not placed; placed counts those that are.
func InjectNoise(rng *rand.Rand, h *History, c Calendar, days []Day, n Noise) (noisy *History, placed int, err error) {
	const fn = "InjectNoise"
	n.State = cmp.Or(n.State, S3)
	n.Spread = cmp.Or(n.Spread, 30*time.Minute)
	n.Shortest = cmp.Or(n.Shortest, 60)
	n.Longest = cmp.Or(n.Longest, 1800)
	switch {
	case n.Instances < 0:
		return nil, 0, &DomainError{fn, "Instances", float64(n.Instances), "Instances >= 0"}
	case !(n.Shortest > 0 && n.Longest >= n.Shortest) || !finite(n.Longest):
		return nil, 0, &DomainError{fn, "Longest", n.Longest, "Longest >= Shortest > 0 seconds"}
	case n.Spread < 0:
		return nil, 0, &DomainError{fn, "Spread", n.Spread.Seconds(), "Spread >= 0"}
	case len(days) == 0 && n.Instances > 0:
		return nil, 0, fault.New("smp", fn, "no days", ErrNoData)
	}
	if h == nil {
		return nil, 0, &DomainError{fn, "History", math.NaN(), "a history"}
	}
	if rng == nil && n.Instances > 0 {
		return nil, 0, &DomainError{fn, "rng", math.NaN(), "a source of random numbers"}
	}
	if err := positive(fn, "Period", h.Period); err != nil {
		return nil, 0, err
	}
	if float64(n.Instances)*float64(len(h.Runs)+1) > maxOverwritten {
		return nil, 0, &DomainError{fn, "Instances", float64(n.Instances),
			fmt.Sprintf("at most %.0e of instances times runs of the history", float64(maxOverwritten))}
	}
	noisy = &History{Period: h.Period, Runs: slices.Clone(h.Runs)}
	for range n.Instances {
		d := days[rng.IntN(len(days))]
		shift := time.Duration((2*rng.Float64() - 1) * float64(n.Spread))
		first := h.StepAt(c.At(d.Date, n.Clock).Add(shift))
		hold := n.Shortest + rng.Float64()*(n.Longest-n.Shortest)
		steps := max(1, int64(hold/h.Period+0.5))
		if noisy.overwrite(Run{n.State, first, steps}) {
			placed++
		}
	}
	return noisy, placed, nil
}

// overwrite replaces the known steps of the run's span by its state.
func (h *History) overwrite(r Run) bool {
	var out []Run
	put := func(x Run) {
		if x.Steps <= 0 {
			return
		}
		if m := len(out); m > 0 && out[m-1].End() == x.First && out[m-1].State == x.State {
			out[m-1].Steps += x.Steps
			return
		}
		out = append(out, x)
	}
	hit := false
	for _, x := range h.Runs {
		from, to := max(x.First, r.First), min(x.End(), r.End())
		if from >= to {
			put(x)
			continue
		}
		hit = true
		put(Run{x.State, x.First, from - x.First})
		put(Run{r.State, from, to - from})
		put(Run{x.State, to, x.End() - to})
	}
	h.Runs = out
	return hit
}
