package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"
)

// What is taken at one time is within the room, all of it is there again at the end, and who waits for it ends
// with the context.
func TestRoom(t *testing.T) {
	ctx := WithRoom(t.Context(), 10)
	var taken, most atomic.Int64
	err := Each(ctx, 8, 100, func(i int) error {
		some := int64(1 + i%7)
		give, err := Take(ctx, float64(some))
		if err != nil {
			return err
		}
		defer give()
		now := taken.Add(some)
		defer taken.Add(-some)
		for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
		}
		time.Sleep(100 * time.Microsecond)
		return nil
	})
	if err != nil || most.Load() > 10 {
		t.Errorf("%d of 10 were taken at once, %v", most.Load(), err)
	}
	give, err := Take(ctx, 1e300) // the whole
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithTimeout(ctx, time.Millisecond)
	defer end()
	if _, err := Take(ended, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("of none left: %v", err)
	}
	give()
	if _, err := Take(ended, 10); err != nil {
		t.Errorf("of all given back: %v", err)
	}
	if _, err := Take(t.Context(), 1e300); err != nil {
		t.Errorf("without a room: %v", err)
	}
}
