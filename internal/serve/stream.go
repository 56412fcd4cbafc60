package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/capplan/capplan/internal/parallel"
)

// often is how often a stream reports its progress. Twice a second moves a bar smoothly enough.
const often = 500 * time.Millisecond

// progress is how far a question is. What is not known is left out.
type progress struct {
	Done    int     `json:"done,omitempty"`
	Of      int     `json:"of,omitempty"`
	Elapsed float64 `json:"elapsed_s"`
}

// stream answers as server-sent events: progress again and again, then answer or
// error. The status is 200 before the answer is known, so that an error is an event too. computed is
// called once it is, before a slow client has read it.
func (s *Server) stream(ctx context.Context, w http.ResponseWriter, a *asking, computed func()) {
	// Proxies keep what they pass on until there is enough of it; the header asks them not to.
	w.Header().Set("Content-Type", asEvents)
	w.Header().Set("X-Accel-Buffering", "no") // of a proxy between
	control := http.NewResponseController(w)
	send := func(event string, data []byte) bool {
		_, err := fmt.Fprintf(w, "event: %s\ndata: %s\n\n", event, bytes.TrimSpace(data))
		return err == nil && control.Flush() == nil
	}
	type outcome struct {
		text []byte
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var far atomic.Pointer[progress]
	start := time.Now()
	// The question runs beside the loop, and is waited for even where nobody listens any more.
	task := parallel.Start(func() outcome {
		defer computed()
		text, err := a.written(ctx, asJSON, func(done, of int) { far.Store(&progress{Done: done, Of: of}) })
		return outcome{text, err}
	})
	tick := time.NewTicker(often)
	defer tick.Stop()
	for {
		select {
		// The answer comes as soon as it is there, whenever the next tick would be.
		case <-task.Done():
			o := task.Value()
			if o.err != nil {
				p := problemOf(o.err, a.asked)
				p.name()
				data, _ := json.Marshal(p)
				send("error", data)
				return
			}
			send("answer", o.text)
			return
		case <-tick.C:
			now := progress{}
			if p := far.Load(); p != nil {
				now = *p
			}
			now.Elapsed = time.Since(start).Seconds()
			data, _ := json.Marshal(now)
			// The loop goes on until the question has noticed.
			if !send("progress", data) {
				cancel() // nobody listens
			}
		}
	}
}
