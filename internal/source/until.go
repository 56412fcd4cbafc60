package source

import (
	"context"
	"io"

	"github.com/capplan/capplan/internal/given"
)

// Until returns r as long as the context is not done, and the context's error
// after. A read that waits is not ended by it: see package patient.
func Until(ctx context.Context, r io.Reader) io.Reader {
	return &contextReader{given.Context(ctx), given.Reader(r)}
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (c *contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
