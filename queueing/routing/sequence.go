package routing

import "math"

// A sequence is the state of one type of request: its counts, and the clusters
// with P > 0 in heaps.
type sequence struct {
	tally   tally
	due     queue // those that may be chosen, by when they are due
	waiting queue // Balanced: those that would come 1 ahead, by when they no longer do
}

func newSequence(d *Dispatcher) sequence {
	s := sequence{tally: newTally(len(d.p))}
	for j, p := range d.p {
		if p > 0 {
			s.due = append(s.due, entry{s.key(d, j), j})
		}
	}
	s.due.build()
	return s
}

// key is (X + Y)/P, or the due time (Y + 1)/P.
func (s *sequence) key(d *Dispatcher, j int) float64 {
	if d.rule == Balanced {
		return (float64(s.tally.y[j]) + 1) / d.p[j]
	}
	return (d.offset[j] + float64(s.tally.y[j])) / d.p[j]
}

func (s *sequence) next(d *Dispatcher) int {
	if d.rule == Balanced {
		// After n dispatches, Y + 1 − (n+1)P < 1 is Y < (n+1)P.
		n1 := float64(s.tally.n + 1)
		for len(s.waiting) > 0 && (s.eligible(d, s.waiting[0].j, n1) || len(s.due) == 0) {
			j := s.waiting.pop()
			s.due.push(entry{s.key(d, j), j})
		}
	}
	j := s.due[0].j
	s.tally.count(j, d.p[j])
	if d.rule == Billiard {
		s.due[0].key = s.key(d, j)
		s.due.down(0)
		return j
	}
	s.due.pop()
	s.waiting.push(entry{float64(s.tally.y[j]) / d.p[j], j})
	return j
}

func (s *sequence) eligible(d *Dispatcher, j int, n1 float64) bool {
	return math.FMA(n1, d.p[j], -float64(s.tally.y[j])) > 0
}

// A queue is a binary heap by key, then by index.
type queue []entry

type entry struct {
	key float64
	j   int
}

func (q queue) less(a, b int) bool {
	return q[a].key < q[b].key || q[a].key == q[b].key && q[a].j < q[b].j
}

func (q queue) build() {
	for i := len(q)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q queue) down(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(q); c++ {
			if q.less(c, least) {
				least = c
			}
		}
		if least == i {
			return
		}
		q[i], q[least] = q[least], q[i]
		i = least
	}
}

func (q *queue) push(e entry) {
	*q = append(*q, e)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if !h.less(i, up) {
			return
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
}

func (q *queue) pop() int {
	h := *q
	j := h[0].j
	last := len(h) - 1
	h[0] = h[last]
	*q = h[:last]
	q.down(0)
	return j
}
