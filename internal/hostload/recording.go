package hostload

import (
	"context"
	"time"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/trace"
)

// A Recording samples this machine into a host trace, which grows by whole rows
// so that a kill or a crash leaves a trace.
type Recording struct {
	Every    time.Duration
	Until    time.Time // zero: until it is stopped
	Warnings []string  // of the run
}

// Recorded says what was recorded.
type Recorded struct {
	File      string   `json:"file"`
	Every     float64  `json:"every_s"`
	Samples   int      `json:"samples"` // of this run
	Rows      int      `json:"rows"`    // of the file
	MeanLoad  *float64 `json:"mean_load"`
	LeastFree *float64 `json:"least_free_bytes"`
}

// Run samples at the multiples of the interval until ctx is done, which is no
// error. Errors: those of the file and of the system's counters.
func (r *Recording) Run(ctx context.Context, path string) (*Recorded, error) {
	unix := func(t time.Time) float64 { return float64(t.UnixMilli()) / 1e3 }
	f, err := trace.OpenHostTrace(ctx, path, r.Every.Seconds(), unix(time.Now()))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Dropped != "" {
		r.Warnings = append(r.Warnings, path+": the last line was cut short and is dropped: "+spell.Quote(f.Dropped))
	}
	a := &Recorded{File: path, Every: r.Every.Seconds(), Rows: f.Rows}
	var meter Meter
	// The first reading is where the first interval begins.
	if _, _, _, err := meter.Read(ctx); err != nil {
		return nil, err
	}
	total := 0.0
	before := time.Now()
	for {
		step := r.Every.Milliseconds()
		next := time.UnixMilli((time.Now().UnixMilli()/step + 1) * step) // on the grid of unix time
		if next.Sub(before) < r.Every/2 {
			next = next.Add(r.Every) // too short to measure
		}
		if !r.Until.IsZero() && next.After(r.Until) {
			// A whole interval does not fit any more.
			wait(ctx, time.Until(r.Until))
			break
		}
		if !wait(ctx, time.Until(next)) {
			break
		}
		now := time.Now()
		// A sample that is due is still taken.
		load, free, ok, err := meter.Read(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		// After a sleep of the machine, or so late, the load is that of no
		// single interval: the gap stays a gap. Rows have the time at which they
		// are due, so that all lie on one grid.
		late := now.Sub(before) > 2*r.Every || now.Sub(next) > r.Every/2
		before = now
		if !ok || late || unix(next) <= f.Last {
			continue
		}
		if err := f.Add(unix(next), load, free); err != nil {
			return nil, err
		}
		a.Samples++
		total += load
		if a.LeastFree == nil || free < *a.LeastFree {
			a.LeastFree = &free
		}
	}
	a.Rows += a.Samples
	if a.Samples > 0 {
		mean := total / float64(a.Samples)
		a.MeanLoad = &mean
	}
	if a.Samples == 0 {
		r.Warnings = append(r.Warnings, "no sample: it ended before the first interval was over")
	}
	// A disk that was full may say so only at the end.
	return a, f.Close()
}

// wait sleeps, and says whether ctx lasted.
func wait(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
