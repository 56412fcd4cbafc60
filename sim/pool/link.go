package pool

// A link carries transfers, each at the rate that is max-min fair: all of them
// have a machine's line at their other end, so that each of n gets
//
//	min(line, capacity/n)
//
// It is kept in virtual time v, the bits that a transfer of all along would have
// moved: one that comes at v is done at v plus its bits.
type link struct {
	capacity, line float64 // bits per s
	n              int
	v, now         float64
	moved          float64 // bits in all, sent in vain included
	heap           []flow
	stamp          uint32 // of the event that is to come
	changed        bool
}

type flow struct {
	at      float64 // v at its end
	replica int32
	stamp   uint32
}

func (l *link) rate() float64 {
	if l.n == 0 {
		return 0
	}
	return min(l.line, l.capacity/float64(l.n))
}

// advance brings the link up to the time t.
func (l *link) advance(t float64) {
	if t > l.now {
		d := l.rate() * (t - l.now)
		l.v += d
		l.moved += d * float64(l.n)
	}
	l.now = t
}

func (l *link) add(t, bits float64, replica int32, stamp uint32) {
	l.advance(t)
	if l.n == 0 { // nothing to compare with: keep v small
		l.v, l.heap = 0, l.heap[:0]
	}
	l.n++
	l.changed = true
	h := append(l.heap, flow{l.v + bits, replica, stamp})
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !(h[i].at < h[up].at) {
			break
		}
		h[i], h[up] = h[up], h[i]
		i = up
	}
	l.heap = h
}

// drop gives up a transfer; its entry is passed over when it comes up.
func (l *link) drop(t float64) {
	l.advance(t)
	l.n--
	l.changed = true
}

func (l *link) pop() flow {
	h := l.heap
	top := h[0]
	n := len(h) - 1
	h[0] = h[n]
	h = h[:n]
	for i := 0; ; {
		least := 2*i + 1
		if least >= n {
			break
		}
		if least+1 < n && h[least+1].at < h[least].at {
			least++
		}
		if !(h[least].at < h[i].at) {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	l.heap = h
	return top
}
