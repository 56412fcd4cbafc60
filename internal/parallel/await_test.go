package parallel

import (
	"context"
	"errors"
	"testing"
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
	caught := Catch(func() { _, _ = Await(context.Background(), func() (int, error) { panic("lost") }) })
	if caught == nil || caught.Value != "lost" {
		t.Errorf("a panic of the work came back as %v", caught)
	}
}
