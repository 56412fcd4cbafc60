package bot

import "math"

// asking is the process by which idle workers ask. Each asks again and again with gaps of its own.
// When work appears, what is left of the gaps of the K idle workers is independent, with survival
// function S(t) in the steady state. The times at which they ask are the order statistics of K such
// draws, which are drawn one at a time:
//
//	S(t₁) = U^(1/K),  S(t₂) = S(t₁) U^(1/(K−1)),  ...
//
// The worker that asks is then drawn, each with the same probability. One that has left in the
// meantime does not ask.
type asking struct {
	stamp uint32
	since float64 // when work appeared
	left  int     // those of the K that have not asked
	s     float64 // S at the last ask
	first bool    // work appeared at the submission
}

// beginAsking is called when work appears after there was none.
func (r *run) beginAsking() {
	r.ask.stamp++
	r.ask.since, r.ask.left, r.ask.s, r.ask.first = r.now, len(r.idle), 1, r.now == 0
	r.nextAsk()
}

func (r *run) nextAsk() {
	if r.ask.left == 0 {
		return
	}
	r.ask.s *= math.Exp(math.Log(1-r.rand.Float64()) / float64(r.ask.left))
	r.ask.left--
	r.agenda.Schedule(r.ask.since+r.gapLeft(r.ask.s), event{kind: asks, stamp: r.ask.stamp})
}

// gapLeft inverts S. The gap of a minute times 0.5 + U has, in units of its mean,
//
//	S(t) = 1 − t, t <= ½;  (3/2 − t)²/2 beyond
//
// and that of BOINC's idle workers is even.
func (r *run) gapLeft(s float64) float64 {
	if r.c.Server == BOINC && !r.ask.first {
		return r.rules.Backoff * (1 - s)
	}
	if s >= 0.5 {
		return r.rules.Ask * (1 - s)
	}
	return r.rules.Ask * (1.5 - math.Sqrt(2*s))
}

// asked lets one of the idle workers ask.
func (r *run) asked() error {
	if r.queue.waiting == 0 {
		return nil
	}
	if i := r.rand.IntN(r.ask.left + 1); i < len(r.idle) {
		w := r.idle[i]
		if u, ok := r.take(w); ok {
			r.wake(w)
			if err := r.assign(w, u, false); err != nil {
				return err
			}
		}
	}
	if r.queue.waiting == 0 {
		return nil
	}
	if r.ask.left == 0 && len(r.idle) > 0 { // all have asked, but may not have taken what waits
		r.beginAsking()
		return nil
	}
	r.nextAsk()
	return nil
}

// rest puts a worker among the idle.
func (r *run) rest(w int32) {
	r.workers[w].idle = int32(len(r.idle))
	r.idle = append(r.idle, w)
}

// wake removes a worker from the idle.
func (r *run) wake(w int32) {
	i := r.workers[w].idle
	if i == none {
		return
	}
	last := int32(len(r.idle) - 1)
	moved := r.idle[last]
	r.idle[i] = moved
	r.workers[moved].idle = i
	r.idle = r.idle[:last]
	r.workers[w].idle = none
}
