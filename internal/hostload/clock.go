package hostload

import (
	"context"
	"time"
)

// A clock has two times: that of the day, which may be set forward and back while a recording runs,
// and the time gone by, which nobody can set.
type clock struct {
	day  func() time.Time
	gone func() time.Duration
	// wait sleeps, and reports whether ctx lasted.
	wait func(ctx context.Context, d time.Duration) bool
}

// system is the clock of this machine.
func system() clock {
	begun := time.Now()
	return clock{
		// Without the reading of what has gone by, which would go before the time of the day.
		day:  func() time.Time { return time.Now().Round(0) },
		gone: func() time.Duration { return time.Since(begun) },
		wait: wait,
	}
}

// wait sleeps, and reports whether ctx lasted.
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
