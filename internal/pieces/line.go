package pieces

import "sync"

// A Line brings what comes in any order into that of its numbers 0, 1, 2, ...
type Line[P any] struct {
	// Take is given one after the other, never two at once.
	Take func(i int, p P) error

	mu      sync.Mutex
	next    int
	waiting map[int]P
	failed  error
}

// Put hands over number i, each once. Whatever can be taken now is; the error is
// the first of Take, after which nothing more is taken.
func (l *Line[P]) Put(i int, p P) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failed != nil {
		return l.failed
	}
	if i != l.next {
		if l.waiting == nil {
			l.waiting = map[int]P{}
		}
		l.waiting[i] = p
		return nil
	}
	for ok := true; ok; p, ok = l.waiting[l.next] {
		delete(l.waiting, l.next)
		if l.failed = l.Take(l.next, p); l.failed != nil {
			return l.failed
		}
		l.next++
	}
	return nil
}
