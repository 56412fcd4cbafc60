package station

// A place is a customer in a heap, in the order of priority, key and arrival. It
// is stale once the customer's stamp is another.
type place struct {
	key      float64
	seq      uint64
	id       int32
	stamp    uint32
	priority int32
}

func (a *place) before(b *place) bool {
	if a.priority != b.priority {
		return a.priority < b.priority
	}
	return a.key < b.key || a.key == b.key && a.seq < b.seq
}

// A heap has the first of its places at the top, or the last.
type heap struct {
	places []place
	last   bool
}

func (h *heap) up(a, b *place) bool {
	if h.last {
		return b.before(a)
	}
	return a.before(b)
}

func (h *heap) push(x place) {
	h.places = append(h.places, x)
	p := h.places
	i := len(p) - 1
	for i > 0 {
		above := (i - 1) / 2
		if !h.up(&x, &p[above]) {
			break
		}
		p[i] = p[above]
		i = above
	}
	p[i] = x
}

func (h *heap) pop() {
	n := len(h.places) - 1
	x := h.places[n]
	h.places = h.places[:n]
	if n > 0 {
		h.sink(0, x)
	}
}

func (h *heap) sink(i int, x place) {
	p := h.places
	for {
		c := 2*i + 1
		if c >= len(p) {
			break
		}
		if c+1 < len(p) && h.up(&p[c+1], &p[c]) {
			c++
		}
		if !h.up(&p[c], &x) {
			break
		}
		p[i] = p[c]
		i = c
	}
	p[i] = x
}

// keep drops the places that are stale and restores the order.
func (h *heap) keep(fresh func(*place) bool) {
	kept := h.places[:0]
	for i := range h.places {
		if fresh(&h.places[i]) {
			kept = append(kept, h.places[i])
		}
	}
	h.places = kept
	for i := len(kept)/2 - 1; i >= 0; i-- {
		h.sink(i, kept[i])
	}
}
