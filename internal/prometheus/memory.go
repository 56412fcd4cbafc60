package prometheus

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/common/model"

	"github.com/capplan/capplan/internal/given"
)

// A memory holds what servers answered within one piece of work, such as the rows
// of a sweep: all of them are to be about the same data, and the server is asked
// once.
type memory struct {
	now time.Time

	mu    sync.Mutex
	slots map[remembered]*slot
	room  int64 // bytes of answers that may still be held
}

// remembered is a question to a server.
type remembered struct {
	who               string
	text              string
	first, last, step float64
}

// A slot is held by who asks; the others wait for it. turn has room for one.
type slot struct {
	turn   chan struct{}
	known  bool
	matrix model.Matrix
	notes  []string
}

type memoryKey struct{}

// Remember returns a context in which a question is sent once, as long as all
// answers together are no longer than one may be, and in which [Now] stands still. Longer answers
// are asked for anew each time.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(given.Context(ctx), memoryKey{},
		&memory{now: time.Now(), slots: map[remembered]*slot{}, room: MostBytes})
}

// Now is the time up to which a server is asked where no other is given.
func Now(ctx context.Context) time.Time {
	if m, ok := given.Context(ctx).Value(memoryKey{}).(*memory); ok {
		return m.now
	}
	return time.Now()
}

// identity distinguishes servers, and who asks them, without holding a secret.
func (a *Access) identity() string {
	return fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%q %q", a.URL, a.Credentials)))
}

// ask returns what the context remembers of a question, or asks it. An error is not remembered: the
// next one asks again.
func (c *Client) ask(ctx context.Context, q query, first, last, step float64) (model.Matrix, []string, error) {
	m, ok := ctx.Value(memoryKey{}).(*memory)
	if !ok {
		matrix, notes, _, err := c.request(ctx, q, first, last, step)
		return matrix, notes, err
	}
	key := remembered{c.identity, q.text, first, last, step}
	m.mu.Lock()
	s := m.slots[key]
	if s == nil {
		s = &slot{turn: make(chan struct{}, 1)}
		m.slots[key] = s
	}
	m.mu.Unlock()
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, fmt.Errorf("%s: stopped: %w", c.server, ctx.Err())
	}
	defer func() { <-s.turn }()
	if s.known {
		return s.matrix, s.notes, nil
	}
	matrix, notes, length, err := c.request(ctx, q, first, last, step)
	if err != nil {
		return nil, nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if length <= m.room {
		m.room -= length
		s.known, s.matrix, s.notes = true, matrix, notes
	}
	return matrix, notes, nil
}
