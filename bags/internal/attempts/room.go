package attempts

import "sync"

// A Room hands out slices of floats from chunks and takes all back at once. The courses of one
// start, or the results of a bag, are not needed any more when the next are followed, and
// allocating memory each time was a sixth of the work.
type Room struct {
	chunks   [][]float64
	at, used int // the chunk that is used, and how much of it
}

// roomChunk is how many numbers are allocated at a time.
const roomChunk = 1 << 16

// Rooms holds those that are not in use.
var Rooms = sync.Pool{New: func() any { return new(Room) }}

// Cut returns a slice with capacity for n numbers, whose values are arbitrary. It is aligned to 16
// bytes: gonum's sums depend on the alignment in the last digit, and which chunks a Room has
// depends on who used it before.
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

// Fresh returns n numbers, all 0, that were written. What is new from the system and is read first, as by adding to it,
// is mapped to a page of zeros until it is written, when all processors stop for a moment.
func Fresh(n int) []float64 {
	out := make([]float64, n)
	clear(out)
	return out
}

// Zeros returns n numbers, all 0.
func (r *Room) Zeros(n int) []float64 {
	out := r.Cut(n)[:n]
	clear(out)
	return out
}

// Clear takes all slices back.
func (r *Room) Clear() { r.at, r.used = 0, 0 }

// Leave takes all slices back and lets others use the Room.
func (r *Room) Leave() {
	r.Clear()
	Rooms.Put(r)
}
