package transport

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func drawn(r *rand.Rand, jobs, bins int) *Network {
	n := &Network{}
	for range bins {
		n.Room = append(n.Room, r.Int64N(12))
	}
	for range jobs {
		n.Demand = append(n.Demand, r.Int64N(6))
		var list []int32
		for _, j := range r.Perm(bins)[:r.IntN(bins+1)] {
			list = append(list, int32(j))
		}
		n.Bins = append(n.Bins, list)
	}
	return n
}

// most is what can be sent at most: the least cut, over all sets of jobs.
func most(n *Network) int64 {
	best := int64(1 << 60)
	for set := range 1 << len(n.Demand) {
		cut, reached := int64(0), make([]bool, len(n.Room))
		for k, d := range n.Demand {
			if set>>k&1 == 0 {
				cut += d
				continue
			}
			for _, j := range n.Bins[k] {
				reached[j] = true
			}
		}
		for j, room := range n.Room {
			if reached[j] {
				cut += room
			}
		}
		best = min(best, cut)
	}
	return best
}

// What is sent is the least cut of all, keeps to demands and rooms, and what is left is proven by the jobs and bins.
func TestSendsTheLeastCut(t *testing.T) {
	r := rand.New(rand.NewPCG(28, 1))
	left := 0
	for range 3000 {
		n := drawn(r, 1+r.IntN(9), 1+r.IntN(6))
		sent, err := n.Send(context.Background(), math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		room, all, wanted := append([]int64(nil), n.Room...), int64(0), int64(0)
		for k := range n.Demand {
			got := int64(0)
			for i, a := range sent.Amounts(k) {
				if a < 0 {
					t.Fatalf("%+v: sends %d", n, a)
				}
				got += a
				room[n.Bins[k][i]] -= a
			}
			if got > n.Demand[k] {
				t.Fatalf("%+v: sends %d of job %d", n, got, k)
			}
			all += got
			wanted += n.Demand[k]
		}
		for j, left := range room {
			if left < 0 {
				t.Fatalf("%+v: bin %d holds %d too much", n, j, -left)
			}
		}
		if want := most(n); all != want || sent.Left != wanted-want {
			t.Fatalf("%+v: sends %d, leaves %d, want %d of %d", n, all, sent.Left, want, wanted)
		}
		if sent.Left == 0 {
			continue
		}
		left++
		need, have, may := int64(0), int64(0), map[int32]bool{}
		for _, j := range sent.Bins {
			have += n.Room[j]
			may[j] = true
		}
		for _, k := range sent.Jobs {
			need += n.Demand[k]
			for _, j := range n.Bins[k] {
				if !may[j] {
					t.Fatalf("%+v: job %d may use bin %d", n, k, j)
				}
			}
		}
		if need <= have || need-have > sent.Left {
			t.Fatalf("%+v: %v need %d, %v have %d, left %d", n, sent.Jobs, need, sent.Bins, have, sent.Left)
		}
	}
	if left < 1000 {
		t.Errorf("only %d leave something", left)
	}
}

func BenchmarkSend(b *testing.B) {
	for _, jobs := range []int{10_000, 100_000} {
		r := rand.New(rand.NewPCG(2, 3))
		n := &Network{Room: make([]int64, jobs)}
		for _, home := range r.Perm(jobs) {
			n.Demand = append(n.Demand, 1)
			n.Room[home]++
			n.Bins = append(n.Bins, []int32{int32(home), r.Int32N(int32(jobs)), r.Int32N(int32(jobs))})
		}
		for _, bins := range n.Bins {
			r.Shuffle(3, func(i, k int) { bins[i], bins[k] = bins[k], bins[i] })
		}
		b.Run(fmt.Sprintf("jobs=%d", jobs), func(b *testing.B) {
			for b.Loop() {
				if sent, err := n.Send(context.Background(), math.MaxInt); err != nil || sent.Left > 0 {
					b.Fatal(sent.Left, err)
				}
			}
		})
	}
}

// Demands that are sent whole at the beginning, those without a choice first, leave hardly any of a perfect matching.
func TestBeginningLeavesFew(t *testing.T) {
	const jobs = 20_000
	r := rand.New(rand.NewPCG(2, 3))
	n := &Network{Room: make([]int64, jobs)}
	for _, home := range r.Perm(jobs) {
		n.Demand = append(n.Demand, 1)
		n.Room[home]++
		n.Bins = append(n.Bins, []int32{int32(home), r.Int32N(jobs), r.Int32N(jobs)})
	}
	left := int64(0)
	for _, l := range n.start().left {
		left += l
	}
	if left > 20 {
		t.Errorf("%d of %d are not sent at the beginning, want at most 20", left, jobs)
	}
}
