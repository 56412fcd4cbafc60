package patient

import (
	"context"
	"io"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// grace is how long a write may take once the context is done: what is finished is
// still said to whoever reads it. An answer and a message have it in turn.
const grace = 400 * time.Millisecond

// A Writer gives up a write to what nobody reads, such as a full pipe, a while
// after its context is done.
type Writer struct {
	ctx  context.Context
	w    io.Writer
	over atomic.Bool // messages of timers come beside others
}

// NewWriter returns a Writer to w.
func NewWriter(ctx context.Context, w io.Writer) *Writer { return &Writer{ctx: ctx, w: w} }

// Beneath is what it writes to, such as a terminal.
func (p *Writer) Beneath() io.Writer { return p.w }

// Write writes as the writer beneath does. Where it is given up, its error and that of
// all later ones is that of the context, and p must not be changed afterwards.
func (p *Writer) Write(b []byte) (int, error) {
	if p.over.Load() {
		return 0, p.ctx.Err()
	}
	type written struct {
		n   int
		err error
	}
	writing := parallel.Start(func() written {
		n, err := p.w.Write(b)
		return written{n, err}
	})
	select {
	case <-writing.Done():
	case <-p.ctx.Done():
		select {
		case <-writing.Done():
		case <-time.After(grace):
			p.over.Store(true)
			return 0, p.ctx.Err()
		}
	}
	w := writing.Value()
	return w.n, w.err
}
