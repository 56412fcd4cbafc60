package patient

import (
	"bytes"
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

// piece is how much a pipe takes whole or not at all, at least (PIPE_BUF of Linux).
const piece = 4096

// Write writes as the writer beneath does, whole lines at a time as far as they fit a pipe, so that one that is given
// up leaves no half line. Its error and that of all later ones is then that of the context, and p must
// not be changed afterwards.
func (p *Writer) Write(b []byte) (n int, err error) {
	for {
		k := len(b) - n
		if k > piece {
			k = piece
			if end := bytes.LastIndexByte(b[n:n+piece], '\n'); end >= 0 {
				k = end + 1
			}
		}
		wrote, err := p.write(b[n : n+k])
		if n += wrote; err != nil || n == len(b) || wrote < k {
			return n, err
		}
	}
}

func (p *Writer) write(b []byte) (int, error) {
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
