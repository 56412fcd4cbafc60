package numeric

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The sum is that of rational numbers, and the same in any order and parting.
func TestExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x := []float64{0, 1, 0.1, 1 - 0x1p-53, 0x1p-75, 3e15, math.SmallestNonzeroFloat64}
	for range 2000 {
		x = append(x, math.Ldexp(rng.Float64(), rng.IntN(60)-40))
	}
	exact := new(big.Rat)
	var all Exact
	for _, v := range x {
		exact.Add(exact, new(big.Rat).SetFloat64(v))
		all.Add(v)
	}
	want, _ := exact.Float64()
	if got := all.Value(); math.Abs(got-want) > 2e-16*want {
		t.Errorf("sum %v, want %v", got, want)
	}
	for range 5 {
		rng.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		var parts [3]Exact
		for _, v := range x {
			parts[rng.IntN(3)].Add(v)
		}
		parts[2].Merge(&parts[0])
		parts[2].Merge(&parts[1])
		if parts[2] != all {
			t.Fatalf("in another order %+v, want %+v", parts[2], all)
		}
	}
	for _, v := range []float64{-1, math.NaN(), math.Inf(1), 0x1p63} {
		var e Exact
		e.Add(v)
		if !math.IsNaN(e.Value()) {
			t.Errorf("%v gives %v, want NaN", v, e.Value())
		}
	}
	var over Exact
	for range 4 {
		over.Add(0x1p62)
		over.Add(0x1p62)
	}
	if !math.IsNaN(over.Value()) {
		t.Errorf("beyond 2⁶⁴: %v, want NaN", over.Value())
	}
}
