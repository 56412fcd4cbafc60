package smp

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// sparse draws a kernel of few arcs, in which states may be left for good, closed or of no return.
func sparse(rng *rand.Rand) *Kernel {
	n := 1 + rng.IntN(9)
	space := Space{Failure: make([]bool, n)}
	var atoms []Atom
	for i := range n {
		space.Names = append(space.Names, strconv.Itoa(i))
		space.Failure[i] = rng.IntN(2) == 0
		left := 1.0
		for range 1 + rng.IntN(2) {
			p := left
			if rng.IntN(3) == 0 {
				p = left / 2
			}
			if j := rng.IntN(n); j != i {
				atoms = append(atoms, Atom{i, j, 1 + rng.IntN(4), p})
				left -= p
			}
			if left == 0 {
				break
			}
		}
	}
	k, err := NewKernel(space, atoms)
	if err != nil {
		panic(err)
	}
	return k
}

// Mean times to repair of all states are those of each, and there is a law of the long run where
// the states that may be seen again and again, by the closure of the arcs, are one class.
func TestSparseKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	laws := 0
	for range 5000 {
		k := sparse(rng)
		n := len(k.rows)
		all, err := k.MTTRs()
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, err := k.MTTR(Start{State: i})
			switch {
			case err != nil && (!errors.Is(err, ErrInfinite) || !math.IsInf(all[i], 1)),
				err == nil && !(math.Abs(all[i]-want) <= 1e-12*want):
				t.Fatalf("MTTR of %d: %v, alone %v, %v in %+v", i, all[i], want, err, k.Atoms())
			}
		}
		meets := k.Exit()
		for range n { // each pass joins two ways
			for i := range n {
				meets[i][i] = 1
				for j := range n {
					for m := range n {
						meets[i][j] = math.Max(meets[i][j], math.Min(meets[i][m], meets[m][j]))
					}
				}
			}
		}
		classes := map[int]bool{} // by their first state
		for i := range n {
			closed, first := true, i
			for j := range n {
				closed = closed && (meets[i][j] == 0 || meets[j][i] > 0)
				if meets[i][j] > 0 {
					first = min(first, j)
				}
			}
			if closed {
				classes[first] = true
			}
		}
		settles := len(classes) == 1
		for i := range n {
			settles = settles && k.tail[i] == 0
		}
		limit, err := k.Limit()
		if settles != (err == nil) {
			t.Fatalf("%d closed classes, and %v in %+v", len(classes), err, k.Atoms())
		}
		if err != nil {
			continue
		}
		laws++
		for j := range n {
			share := 0.0
			for i, row := range k.Exit() {
				share += limit.Embedded[i] * row[j]
			}
			if math.Abs(share-limit.Embedded[j]) > 1e-12 {
				t.Fatalf("%v is not stationary in %+v", limit.Embedded, k.Atoms())
			}
		}
	}
	if laws < 500 {
		t.Errorf("only %d of 5,000 kernels settle", laws)
	}
}
