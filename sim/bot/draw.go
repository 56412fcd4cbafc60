package bot

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/internal/given"
	"github.com/capplan/capplan/sim"
)

// A Drawing says how many runs of a case are drawn.
type Drawing struct {
	Seed uint64
	// Effort is what they may take in all, counted in events and in what a run begins
	// with, machines and tasks: about a third of a microsecond each.
	Effort float64
	// Least is how many they must be for that, and Most how many are enough.
	Least, Most int
}

// errTooLong stops a run that takes the effort of all.
var errTooLong = errors.New("bot: a run takes too long")

// golden is the golden ratio less one: its multiples lie evenly on a circle, however many
// they are. So do the moments of records at which runs begin.
const golden = 0.6180339887498949

// Draw returns when the tasks of runs of a case were done, each growing, +Inf for those
// that were not by the horizon; as many runs as the effort allows, and ok is false where
// these are too few. How many they are does not hang on the machine that draws them.
// Errors: that of ctx, and of [Simulate].
func Draw(ctx context.Context, c *Case, d Drawing) (runs [][]float64, ok bool, err error) {
	ctx = given.Context(ctx)
	if err := c.Check(); err != nil {
		return nil, false, err
	}
	if d.Least > triedRuns && machineEffort*float64(c.Hosts.Machines())*float64(d.Least) > d.Effort {
		return nil, false, nil // as the first runs would say
	}
	spent := 0.0
	for i := 0; i < d.Most && spent < d.Effort; i++ {
		if i >= triedRuns && spent/float64(i)*float64(d.Least) > d.Effort {
			return nil, false, nil
		}
		begun := -float64(stopEvents) // it is asked at the beginning too
		chance := hosts.Chance(func(e ...uint64) *rand.Rand { return sim.Stream(d.Seed, i, e...) })
		_, start := math.Modf(0.5 + float64(i)*golden)
		o, err := Simulate(c, Chance(chance.From(start)), func() error {
			if begun += stopEvents; spent+begun > d.Effort {
				return errTooLong
			}
			return ctx.Err()
		})
		if errors.Is(err, errTooLong) {
			break
		}
		if err != nil {
			return nil, false, err
		}
		spent += float64(o.Events) + machineEffort*float64(c.Hosts.Machines()) + taskEffort*float64(o.Tasks)
		times := make([]float64, o.Tasks)
		for k := range times {
			t, done := o.Progress.CompletionTime(float64(k+1) / float64(o.Tasks))
			if !done {
				t = math.Inf(1)
			}
			times[k] = t
		}
		runs = append(runs, times)
	}
	return runs, len(runs) >= d.Least, nil
}

// What a machine and a task of a run take at its beginning, in events, and from how many
// runs on it is told what the others take.
const (
	machineEffort = 3
	taskEffort    = 1
	triedRuns     = 3
)
