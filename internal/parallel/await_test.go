package parallel

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAwait(t *testing.T) {
	v, err := Await(context.Background(), func() (int, error) { return 3, nil })
	if v != 3 || err != nil {
		t.Errorf("%v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	never := make(chan struct{})
	defer close(never)
	_, err = Await(ctx, func() (int, error) { cancel(); <-never; return 1, nil })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("work that never ends: %v, want context.Canceled", err)
	}
	begun := make(chan bool, 1)
	_, err = Await(ctx, func() (int, error) { begun <- true; return 1, nil })
	time.Sleep(time.Millisecond)
	if !errors.Is(err, context.Canceled) || len(begun) > 0 {
		t.Errorf("after the end: %v, begun %d times, want context.Canceled and none", err, len(begun))
	}
	caught := Catch(func() { _, _ = Await(context.Background(), func() (int, error) { panic("lost") }) })
	if caught == nil || caught.Value != "lost" {
		t.Errorf("a panic of the work came back as %v", caught)
	}
}

// Work that looks at its context is waited for, work that does not is left.
func TestAwaitLast(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	v, err := AwaitLast(ctx, time.Hour, func() (int, error) { cancel(); <-ctx.Done(); return 3, nil })
	if v != 3 || err != nil {
		t.Errorf("the best so far: %v, %v", v, err)
	}
	never := make(chan struct{})
	defer close(never)
	if _, err = AwaitLast(ctx, time.Millisecond, func() (int, error) { <-never; return 1, nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("work that never ends: %v, want context.Canceled", err)
	}
}

func TestAll(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if err := All(ctx, 3, func(int) error { return nil }); err != nil {
		t.Error(err)
	}
	// The last piece of work sees the context end and returns no error of it.
	if err := All(ctx, 1, func(int) error { cancel(); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v, want context.Canceled", err)
	}
}
