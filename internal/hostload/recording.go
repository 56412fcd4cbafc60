package hostload

import (
	"context"
	"fmt"
	"time"

	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/trace"
	"github.com/capplan/capplan/units"
)

// A Recording samples this machine into a host trace, which grows by whole rows
// so that a kill or a crash leaves a trace.
type Recording struct {
	Every    time.Duration
	For      time.Duration // 0: until it is stopped
	Told     func(string)  // hears at once what nobody would see before the end; nil: nobody does
	Warnings []string      // of the run

	clock  clock
	behind bool // the clock of the day was set back, and has not caught up
	left   int  // samples left out for it
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
// error. How long it runs and how late a sample is goes by what has gone by, and only the times of
// rows by the clock of the day: it may be set while the recording runs. Errors: those of the file
// and of the system's counters.
func (r *Recording) Run(ctx context.Context, path string) (*Recorded, error) {
	if r.clock.day == nil {
		r.clock = system()
	}
	f, err := trace.OpenHostTrace(ctx, path, r.Every.Seconds(), unix(r.clock.day()))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if f.Dropped != "" {
		r.Warnings = append(r.Warnings, path+": the last line was cut short and is dropped: "+spell.Quote(f.Dropped))
	}
	a := &Recorded{File: path, Every: r.Every.Seconds(), Rows: f.Rows}
	if err := r.sample(ctx, f, a); err != nil {
		return nil, err
	}
	a.Rows += a.Samples
	if a.Samples > 0 {
		*a.MeanLoad /= float64(a.Samples)
	} else {
		r.Warnings = append(r.Warnings, "no sample: it ended before the first interval was over")
	}
	if r.left > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf(
			"the clock of this machine was set back: %d samples are left out until it caught up", r.left))
	}
	// A disk that was full may say so only at the end.
	return a, f.Close()
}

// sample adds samples to a file until it is over. The mean is left as a sum.
func (r *Recording) sample(ctx context.Context, f *trace.HostTraceFile, a *Recorded) error {
	var meter Meter
	// The first reading is where the first interval begins.
	if _, _, _, err := meter.Read(ctx); err != nil {
		return stopped(ctx, err)
	}
	begun := r.clock.gone()
	before := begun
	for {
		day, gone := r.clock.day(), r.clock.gone()
		next := r.due(day, gone-before)
		left := next.Sub(day)
		if r.For > 0 && gone-begun+left > r.For {
			// A whole interval does not fit any more.
			r.clock.wait(ctx, r.For-(gone-begun))
			return nil
		}
		if !r.clock.wait(ctx, left) {
			return nil
		}
		day, gone = r.clock.day(), r.clock.gone()
		load, free, ok, err := meter.Read(ctx)
		if err != nil {
			return stopped(ctx, err)
		}
		// After a sleep of the machine, so late, or where the clock was set meanwhile, the load is
		// that of no single interval: the gap stays a gap. Rows have the time at which they
		// are due, so that all lie on one grid.
		off := gone-before > 2*r.Every || day.Sub(next).Abs() > r.Every/2
		before = gone
		if !ok || off || !r.inOrder(unix(next), f.Last) {
			continue
		}
		if err := f.Add(unix(next), load, free); err != nil {
			return err
		}
		a.add(load, free)
	}
}

// due is when the next sample is: on the grid of unix time, and not too soon after the one before
// to measure a load.
func (r *Recording) due(day time.Time, since time.Duration) time.Time {
	step := r.Every.Milliseconds()
	next := time.UnixMilli((day.UnixMilli()/step + 1) * step)
	if since+next.Sub(day) < r.Every/2 {
		next = next.Add(r.Every)
	}
	return next
}

// inOrder reports whether a row comes after the last one. If the clock of the day was set back,
// none does until it has caught up, which may take years: that is reported at once.
func (r *Recording) inOrder(next, last float64) bool {
	if next > last {
		r.behind = false
		return true
	}
	if r.left++; !r.behind && r.Told != nil {
		r.Told(fmt.Sprintf("the clock of this machine was set back: no samples for %s, until it has caught up",
			units.FormatDuration(last-next+r.Every.Seconds(), 3)))
	}
	r.behind = true
	return false
}

func (a *Recorded) add(load, free float64) {
	if a.Samples++; a.Samples == 1 {
		a.MeanLoad, a.LeastFree = new(float64), &free
	}
	*a.MeanLoad += load
	*a.LeastFree = min(*a.LeastFree, free)
}

// stopped is no error where ctx has ended: that is how a recording ends.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// unix is a time in seconds, to the millisecond.
func unix(t time.Time) float64 { return float64(t.UnixMilli()) / 1e3 }
