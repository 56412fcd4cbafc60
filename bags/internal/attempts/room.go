package attempts

import "sync"

// A Room has numbers by the chunk, all given back at once: the courses of one start, or the
// results of a bag, have no more need of them when the next are followed, and to take memory
// anew each time was a sixth of the work.
type Room struct {
	chunks   [][]float64
	at, used int // the chunk that is used, and how much of it
}

// roomChunk is how many numbers are taken at a time.
const roomChunk = 1 << 16

// Rooms are those that nobody uses.
var Rooms = sync.Pool{New: func() any { return new(Room) }}

// Cut returns room for n numbers, which are any. It begins at 16 bytes, as gonum's sums are to another
// last digit of what does not: which chunks a room has hangs on who had it before.
func (r *Room) Cut(n int) []float64 {
	for ; r.at < len(r.chunks); r.at, r.used = r.at+1, 0 {
		if from, to := r.used, r.used+n; to <= len(r.chunks[r.at]) {
			r.used = to + to%2
			return r.chunks[r.at][from:from:to]
		}
	}
	r.chunks = append(r.chunks, make([]float64, max(roomChunk, n)))
	r.used = n + n%2
	return r.chunks[r.at][:0:n]
}

// Zeros returns room for n numbers, all 0.
func (r *Room) Zeros(n int) []float64 {
	out := r.Cut(n)[:n]
	clear(out)
	return out
}

// Clear gives all back.
func (r *Room) Clear() { r.at, r.used = 0, 0 }

// Leave gives all back, to whoever wants it.
func (r *Room) Leave() {
	r.Clear()
	Rooms.Put(r)
}
