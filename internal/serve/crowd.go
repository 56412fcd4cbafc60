package serve

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"
)

// A crowd keeps one place free of those that a server has for connections. Where the last is taken,
// that client gives way who has had the word for longest: clients that hold connections and say
// nothing, or say it slowly, then keep no other waiting for as long as their own time lasts. A
// connection whose question is computed never gives way.
type crowd struct {
	most int
	// grace is for how long a client has the word before it gives way, so that honest ones who
	// come all at once are not thrown out; those for whom there is no place wait with the system.
	grace time.Duration

	mu    sync.Mutex
	since map[net.Conn]time.Time // a client has the word; zero: its question is computed
	reads map[net.Conn]bool      // it has the word to read an answer
	later *time.Timer            // until somebody gives way; nil where nobody has to
}

// newCrowd makes a crowd of nobody.
func newCrowd(most int, grace time.Duration) *crowd {
	return &crowd{most: most, grace: grace, since: map[net.Conn]time.Time{}, reads: map[net.Conn]bool{}}
}

// conn hears of each connection what becomes of it. It is an [http.Server.ConnState].
func (c *crowd) conn(n net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.reads, n) // the next request begins, or none does
	if state == http.StateClosed || state == http.StateHijacked {
		delete(c.since, n)
		return
	}
	if _, known := c.since[n]; known || state == http.StateNew {
		c.since[n] = time.Now()
	}
	c.makeRoom()
}

// makeRoom closes the connection of who gives way, now or once its grace is over. The lock is held.
func (c *crowd) makeRoom() {
	if len(c.since) < c.most || c.later != nil {
		return
	}
	var silent net.Conn
	for n, since := range c.since {
		if !since.IsZero() && (silent == nil || since.Before(c.since[silent])) {
			silent = n
		}
	}
	if silent == nil {
		return
	}
	if left := c.grace - time.Since(c.since[silent]); left > 0 {
		c.later = time.AfterFunc(left, func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.later = nil
			c.makeRoom()
		})
		return
	}
	delete(c.since, silent)
	_ = silent.Close() // whoever reads or writes there hears of it
}

// dismiss closes the connections of who has the word and reads no answer: half a question is none
// that a server which is to stop could wait for.
func (c *crowd) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n, since := range c.since {
		if !since.IsZero() && !c.reads[n] {
			delete(c.since, n)
			_ = n.Close()
		}
	}
}

// A visit is a connection in the context of its requests.
type visit struct {
	crowd *crowd
	conn  net.Conn
}

type visitKey struct{}

// computes says that the question of a request has come whole and is computed, until done is called
// and its client has the word again. A request of no crowd is passed over.
func computes(ctx context.Context) (done func()) {
	v, ok := ctx.Value(visitKey{}).(visit)
	if !ok {
		return func() {}
	}
	v.crowd.says(v.conn, time.Time{})
	return func() { v.crowd.says(v.conn, time.Now()) }
}

// says notes since when a client has the word, unless its connection is closed.
func (c *crowd) says(n net.Conn, since time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.since[n]; known {
		c.since[n], c.reads[n] = since, !since.IsZero()
		c.makeRoom()
	}
}
