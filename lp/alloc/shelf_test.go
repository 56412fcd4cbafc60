package alloc

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A shelf of blocks has the order of one list in which a bin is moved past its neighbours.
func TestShelfIsInOrder(t *testing.T) {
	for _, bins := range []int{1, 2, 20, 3000} {
		r := rand.New(rand.NewPCG(1, uint64(bins)))
		room := make([]int64, bins)
		for j := range room {
			room[j] = r.Int64N(50)
		}
		s := newShelf(room, (&problem{cap: room}).byRoom())
		list := slices.Collect(s.from(0))
		for change := range 20_000 {
			j, amount := int32(r.IntN(bins)), r.Int64N(9)-4
			if amount > room[j] {
				continue
			}
			s.take(j, amount)
			room[j] -= amount
			i := slices.Index(list, j)
			for ; i > 0 && room[list[i-1]] > room[j]; i-- {
				list[i] = list[i-1]
			}
			for ; i+1 < bins && room[list[i+1]] < room[j]; i++ {
				list[i] = list[i+1]
			}
			list[i] = j
			if change%500 > 0 {
				continue
			}
			d := r.Int64N(60)
			want := list[slices.IndexFunc(append(list, -1), func(j int32) bool { return j < 0 || room[j] >= d }):]
			down := slices.Collect(s.down())
			slices.Reverse(down)
			if got := slices.Collect(s.from(d)); !slices.Equal(got, want) || !slices.Equal(down, list) {
				t.Fatalf("%d bins, change %d: from %d %v, want %v", bins, change, d, got, want)
			}
			if got := s.largest(); got != room[list[bins-1]] {
				t.Fatalf("largest %d, want %d", got, room[list[bins-1]])
			}
		}
	}
}
