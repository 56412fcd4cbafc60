package parallel

import (
	"context"
	"sync"
)

// A room is what work that is done side by side shares, such as memory.
type room struct {
	mu        sync.Mutex
	all, left int64
	freed     chan struct{} // closed when some is given back
}

// roomKey is that of the [room] in a context.
type roomKey struct{}

// WithRoom returns a context in which all that [Take] has taken at one time is within a size.
func WithRoom(ctx context.Context, size int64) context.Context {
	return context.WithValue(ctx, roomKey{}, &room{all: size, left: size, freed: make(chan struct{})})
}

// Take takes some of the room in a context, waits until it is there, and returns what gives it back. More than
// the whole room is the whole; without a room nothing is waited for. The error is that of a context that ends
// before. Who has taken some must not take more before it is given back: two such might wait for each other.
func Take(ctx context.Context, size float64) (give func(), err error) {
	r, ok := ctx.Value(roomKey{}).(*room)
	if !ok {
		return func() {}, nil
	}
	some := int64(max(0, min(size, float64(r.all))))
	for {
		r.mu.Lock()
		if some <= r.left {
			r.left -= some
			r.mu.Unlock()
			return func() { r.give(some) }, nil
		}
		freed := r.freed
		r.mu.Unlock()
		select {
		case <-freed:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (r *room) give(some int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left += some
	close(r.freed)
	r.freed = make(chan struct{})
}
