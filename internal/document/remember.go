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

// A memory holds the large document that was read last.
type memory struct {
	mu   sync.Mutex
	sum  [sha256.Size]byte // of its content, which parsing changes
	last *Document
}

// Remember returns a context in which a large document that is read again, as by each
// point of a sweep, is parsed once and its values are held once, not once a core; nor
// are two large documents parsed at the same time, when most memory is taken. What is
// read does not change by it: the content is looked at each time.
func Remember(ctx context.Context) context.Context {
	return context.WithValue(given.Context(ctx), memoryKey{}, &memory{})
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
