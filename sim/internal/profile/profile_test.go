package profile

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A plain profile has one entry for each whole time.
type plain []int32

func (p plain) change(from, to int, nodes int32) {
	for t := from; t < to; t++ {
		p[t] += nodes
	}
}

func (p plain) fits(nodes int32, long, from int) int {
	for start := from; ; start++ {
		ok := true
		for t := start; ok && t < start+long && t < len(p); t++ {
			ok = p[t] >= nodes
		}
		if ok {
			return start
		}
	}
}

// The profile in blocks says what one with an entry for each second says.
func TestProfileAgainstPlain(t *testing.T) {
	const nodes, span, longest = 40, 6000, 200
	blocks := 0
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 1))
		p, want := New(nodes), make(plain, span)
		for i := range want {
			want[i] = nodes
		}
		type held struct {
			from, to int
			nodes    int32
		}
		var all []held
		now := 0
		for step := range 3000 {
			switch {
			case len(all) > 0 && rng.IntN(5) < 1:
				i := rng.IntN(len(all))
				h := all[i]
				all = append(all[:i], all[i+1:]...)
				p.Change(float64(h.from), float64(h.to), h.nodes)
				want.change(h.from, h.to, h.nodes)
			default:
				w, long := 1+rng.Int32N(nodes), 1+rng.IntN(longest)
				if rng.IntN(9) > 0 {
					w, long = 1+rng.Int32N(4), 1+rng.IntN(30)
				}
				start := want.fits(w, long, now)
				if got := p.Fits(w, float64(long), float64(now)); got != float64(start) {
					t.Fatalf("seed %d step %d: %d nodes for %d fit from %v, want %d", seed, step, w, long, got, start)
				}
				if start+long >= span {
					continue
				}
				p.Change(float64(start), float64(start+long), -w)
				want.change(start, start+long, -w)
				all = append(all, held{start, start + long, w})
			}
			if step%10 == 0 {
				now = min(now+rng.IntN(3), span-1)
				p.Forget(float64(now))
				for i := 0; i < len(all); {
					if all[i].from < now { // past the begin: left as it is
						all = append(all[:i], all[i+1:]...)
						continue
					}
					i++
				}
			}
			if blocks = max(blocks, len(p.blocks)); step%7 == 0 {
				compareProfile(t, p, want, now)
			}
			at, w := now+rng.IntN(span-now), rng.Int32N(nodes+1)
			until := at + 1 + rng.IntN(span-at)
			short := -1
			for i := at; i < until && short < 0; i++ {
				if want[i] < w {
					short = i
				}
			}
			s, ok := p.Below(p.Locate(float64(at)), w, float64(until))
			if ok != (short >= 0) || ok && max(float64(at), p.At(s)) != float64(short) {
				t.Fatalf("seed %d step %d: below %d from %d until %d is %v %v, want %d", seed, step, w, at, until, s, ok, short)
			}
		}
	}
	if blocks < 5 {
		t.Errorf("%d blocks: nothing was searched across", blocks)
	}
}

func compareProfile(t *testing.T, p *Profile, want plain, now int) {
	t.Helper()
	for i := now; i < len(want); i++ {
		if got := p.FreeAt(float64(i)); got != want[i] {
			t.Fatalf("%d nodes are free at %d, want %d", got, i, want[i])
		}
	}
	last := math.Inf(-1)
	for b, k := range p.blocks {
		least, most := int32(math.MaxInt32), int32(math.MinInt32)
		for i, f := range k.free {
			least, most = min(least, f+k.add), max(most, f+k.add)
			if (b > 0 || i > 0) && !(k.at[i] > last) {
				t.Fatalf("segments out of order at %v", k.at[i])
			}
			last = k.at[i]
		}
		if k.least != least || k.most != most || p.first[b] != k.at[0] || len(k.at) > blockSize {
			t.Fatalf("block %d does not know what it holds", b)
		}
	}
}

// FuzzProfile takes a list of reservations, and compares.
func FuzzProfile(f *testing.F) {
	f.Add([]byte{1, 5, 9, 2, 2, 200, 8, 1, 1})
	f.Add([]byte{8, 255, 0, 8, 255, 255, 3, 3, 3, 4, 4, 4})
	f.Fuzz(func(t *testing.T, data []byte) {
		const nodes, span = 8, 1 << 12
		p, want := New(nodes), make(plain, span)
		for i := range want {
			want[i] = nodes
		}
		for ; len(data) >= 3; data = data[3:] {
			w, long, from := 1+int32(data[0])%nodes, 1+int(data[1]), int(data[2])
			start := want.fits(w, long, from)
			if got := p.Fits(w, float64(long), float64(from)); got != float64(start) {
				t.Fatalf("%d nodes for %d from %d fit from %v, want %d", w, long, from, got, start)
			}
			if start+long >= span {
				return
			}
			p.Change(float64(start), float64(start+long), -w)
			want.change(start, start+long, -w)
		}
		compareProfile(t, p, want, 0)
	})
}
