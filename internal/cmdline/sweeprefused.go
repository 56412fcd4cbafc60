package cmdline

import (
	"context"
	"fmt"
	"time"

	"github.com/capplan/capplan/internal/parallel"
	"github.com/capplan/capplan/internal/sweeps"
	"github.com/capplan/capplan/sim"
)

// refusing is for how long a sweep looks for points that are refused. Where its closed forms take
// longer, the rest of the points is refused as it comes.
const refusing = 3 * time.Second

// simulates reports whether each point is simulated: by a flag, or because the command does nothing
// else.
func (r *sweep) simulates() bool {
	return r.given["simulate"] || r.flags.Has("replications") && !r.flags.Has("simulate")
}

// refused returns the error of the first point that is refused. Each is asked as far as its
// simulation, so that a point that cannot be simulated is reported before others have run for
// hours, and before there is a file of them.
func (r *sweep) refused(ctx context.Context, rows []sweeps.Row) error {
	begun := time.Now()
	return parallel.All(ctx, len(rows), func(i int) error {
		if time.Since(begun) > refusing {
			return nil
		}
		point, stop := context.WithCancel(ctx)
		defer stop()
		row := rows[i] // what it is given goes with it
		_, err := r.one(sim.WithEstimate(point, func(float64) { stop() }), i, &row)
		if err == nil || point.Err() != nil { // its simulation would begin
			return nil
		}
		return fmt.Errorf("at %s: %w", row.Describe(), err)
	})
}
