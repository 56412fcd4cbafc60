package cmdline

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/capplan/capplan/report/page"
)

// A drawing that takes long ends with the context, and leaves no file; one of what
// was finished before is drawn all the same.
func TestDrawingStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plot.svg")
	ctx, cancel := context.WithCancel(t.Context())
	never := make(chan struct{})
	t.Cleanup(func() { close(never) })
	drawn := false
	long := &Result{Section: &page.Section{Draws: func(context.Context) ([]page.Figure, error) {
		cancel()
		<-never
		return nil, nil
	}}}
	o := &Output{plot: path}
	if err := o.drawTo(ctx, &Streams{}, long); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want that it was stopped", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file is left: %v", err)
	}
	finished := &Result{Stoppable: true, Section: &page.Section{
		Draws: func(ctx context.Context) ([]page.Figure, error) {
			drawn = ctx.Err() == nil
			return nil, nil
		},
	}}
	_ = o.drawTo(ctx, &Streams{}, finished)
	if !drawn {
		t.Error("what was finished is not drawn")
	}
}
