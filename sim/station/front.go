package station

import "math"

// A width is that of a customer, with a time of his.
type width struct {
	servers int32
	time    float64
}

func (w width) before(o width) bool {
	return w.servers < o.servers || w.servers == o.servers && w.time < o.time
}

// A front is of several widths those than which none has both fewer servers and a lesser time, with
// the servers increasing and the times decreasing.
type front []width

// add adds one; it reports whether the front is another for it.
func (f *front) add(w width) bool {
	if math.IsInf(w.time, 1) {
		return false
	}
	all := *f
	i := len(all) // of those that are wider
	for i > 0 && w.servers < all[i-1].servers {
		i--
	}
	if i > 0 && all[i-1].time <= w.time {
		return false
	}
	if i > 0 && all[i-1].servers == w.servers {
		i--
	}
	to := i // of those that stay
	for to < len(all) && w.time <= all[to].time {
		to++
	}
	if to == i {
		all = append(all, w)
		copy(all[i+1:], all[i:])
	} else {
		all = append(all[:i+1], all[to:]...)
	}
	all[i] = w
	*f = all
	return true
}

func (f front) is(o front) bool {
	for i := range f {
		if i >= len(o) || f[i] != o[i] {
			return false
		}
	}
	return len(f) == len(o)
}

// merge makes it the front of two.
func (f *front) merge(a, b front) {
	all := (*f)[:0]
	least := math.Inf(1)
	for len(a)+len(b) > 0 {
		from := &a
		if len(a) == 0 || len(b) > 0 && b[0].before(a[0]) {
			from = &b
		}
		if w := (*from)[0]; w.time < least {
			all, least = append(all, w), w.time
		}
		*from = (*from)[1:]
	}
	*f = all
}

// within reports whether any has at most so many servers and such a time.
func (f front) within(servers int32, time func(float64) bool) bool {
	i := len(f) // the widest that may, whose time is the least
	for i > 0 && f[i-1].servers > servers {
		i--
	}
	return i > 0 && time(f[i-1].time)
}
