package packed

import (
	"context"
	"io"
	"io/fs"

	"github.com/capplan/capplan/internal/parallel"
)

const (
	aheadBlock  = 128 << 10
	aheadBlocks = 4
)

// An aheadReader reads r in a goroutine of its own, a few blocks ahead, so that
// slow decompression and parsing run side by side. The goroutine ends with r or
// after Close. A read ends with the context too, since xz data of nearly empty
// blocks take seconds to give a byte.
type aheadReader struct {
	ctx     context.Context
	full    chan aheadData
	free    chan []byte
	done    chan struct{}
	current aheadData
	rest    []byte
}

type aheadData struct {
	block    []byte
	n        int
	err      error
	panicked *parallel.Panic
}

func newAheadReader(ctx context.Context, r io.Reader) *aheadReader {
	a := &aheadReader{
		ctx:  ctx,
		full: make(chan aheadData, aheadBlocks),
		free: make(chan []byte, aheadBlocks),
		done: make(chan struct{}),
	}
	for range aheadBlocks {
		a.free <- make([]byte, aheadBlock)
	}
	parallel.Start(func() (none struct{}) {
		a.fill(r)
		return none
	})
	return a
}

func (a *aheadReader) fill(r io.Reader) {
	for {
		var d aheadData
		select {
		case d.block = <-a.free:
		case <-a.done:
			return
		}
		d.panicked = parallel.Catch(func() {
			for d.n < len(d.block) && d.err == nil {
				var k int
				k, d.err = r.Read(d.block[d.n:])
				d.n += k
			}
		})
		a.full <- d // has room for all blocks
		if d.err != nil || d.panicked != nil {
			return
		}
	}
}

func (a *aheadReader) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.current.err != nil {
			return 0, a.current.err
		}
		if a.current.block != nil {
			a.free <- a.current.block
		}
		select {
		case a.current = <-a.full:
			a.current.panicked.Again()
		case <-a.done:
			a.current = aheadData{err: fs.ErrClosed}
		case <-a.ctx.Done():
			a.current = aheadData{err: a.ctx.Err()}
		}
		a.rest = a.current.block[:a.current.n]
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends the goroutine at its next block; reading on gives fs.ErrClosed.
func (a *aheadReader) Close() error {
	close(a.done)
	return nil
}
