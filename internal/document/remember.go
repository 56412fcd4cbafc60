package document

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"github.com/capplan/capplan/internal/given"
)

// rememberedFrom is the size in bytes from which a document is remembered: a smaller
// one is read again in no time.
const rememberedFrom = 1 << 20

type memoryKey struct{}

// mostAtOnce is how many values the documents may have together of which points are
// answered at the same time: as many as one may have. Two may be at once in any case, for
// which the limits of one are made.
const (
	mostAtOnce  = 1_500_000
	leastAtOnce = 2
)

// A memory holds the large document that was read last, and knows of how many points
// the answers are under way that read one.
type memory struct {
	mu   sync.Mutex
	sum  [sha256.Size]byte // of its content, which parsing changes
	last *Document

	gate    sync.Mutex
	points  int           // with a large document
	values  int           // in these
	changed chan struct{} // closed when one ends
}

type pointKey struct{}

// A point is one answer under way.
type point struct{ holds int }

// Remember returns a context in which a large document that is read again, as by each
// point of a sweep, is parsed once and its values are held once, not once a core; nor
// are two large documents parsed at the same time, when most memory is taken. What is
// read does not change by it: the content is looked at each time.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(given.Context(ctx), memoryKey{}, &memory{changed: make(chan struct{})})
}

// Point returns the context of one of the answers for which documents are remembered. Of those with
// large documents only as many are under way at once as fit into memory, whatever the number of
// cores. end says that it is done.
func Point(ctx context.Context) (of context.Context, end func()) {
	ctx = given.Context(ctx)
	m, ok := ctx.Value(memoryKey{}).(*memory)
	if !ok {
		return ctx, func() {}
	}
	p := &point{}
	return context.WithValue(ctx, pointKey{}, p), func() { m.leave(p) }
}

// enter waits until there is room for the values of a point, or its context ends. One
// that is in has room for all that it reads.
func (m *memory) enter(ctx context.Context, values int) {
	p, ok := ctx.Value(pointKey{}).(*point)
	if !ok {
		return
	}
	for {
		m.gate.Lock()
		if p.holds > 0 || m.points < leastAtOnce || m.values+values <= mostAtOnce {
			if p.holds == 0 {
				m.points++
			}
			p.holds += values
			m.values += values
			m.gate.Unlock()
			return
		}
		changed := m.changed
		m.gate.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// leave makes room for others.
func (m *memory) leave(p *point) {
	m.gate.Lock()
	defer m.gate.Unlock()
	if p.holds == 0 {
		return
	}
	m.points--
	m.values -= p.holds
	p.holds = 0
	close(m.changed)
	m.changed = make(chan struct{})
}

// parse fills d from its content, or from what the context remembers of the same.
func (d *Document) parse(ctx context.Context) (*Document, error) {
	read := d.parseYAML
	if LooksJSON(d.Content) {
		read = d.parseJSON
	}
	m, ok := ctx.Value(memoryKey{}).(*memory)
	if !ok || len(d.Content) < rememberedFrom {
		return d, read(ctx)
	}
	m.enter(ctx, max(1, values(d.Content)))
	sum := sha256.Sum256(d.Content)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil { // while others parsed
		return nil, fmt.Errorf("%s: stopped: %w", d.Name, err)
	}
	if l := m.last; l != nil && m.sum == sum && l.Name == d.Name && l.Want == d.Want && l.limits == d.limits {
		same := *l
		return &same, nil
	}
	m.last = nil // may be collected while the next is parsed
	if err := read(ctx); err != nil {
		return nil, err
	}
	kept := *d
	m.sum, m.last = sum, &kept
	return d, nil
}
