package parallel

import (
	"context"
	"errors"
	"testing"
)

// Work that is left alone is known until it ends: who waits for it is called then, and not before.
func TestLeft(t *testing.T) {
	ctx, left := WithLeft(t.Context())
	ctx, cancel := context.WithCancel(ctx)
	called := make(chan string, 2)
	left.Then(func() { called <- "at once" })
	if len(called) != 1 {
		t.Error("nothing is left, and what follows was not called")
	}
	<-called
	end := make(chan struct{})
	if _, err := Await(ctx, func() (int, error) { cancel(); <-end; return 1, nil }); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	left.Then(func() { called <- "later" })
	if len(called) != 0 {
		t.Error("called while the work went on")
	}
	close(end)
	if said := <-called; said != "later" {
		t.Error(said)
	}
}
