package erlang

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// idleByRecursion is n − a(1 − B(n, a)) of whole n by Erlang's recursion in 400
// bits.
func idleByRecursion(n int, a float64) float64 {
	f := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	op := func() *big.Float { return new(big.Float).SetPrec(400) }
	b := f(1)
	for k := 1; k <= n; k++ {
		ab := op().Mul(f(a), b)
		b = op().Quo(ab, op().Add(f(float64(k)), ab))
	}
	carried := op().Mul(f(a), op().Sub(f(1), b))
	idle, _ := op().Sub(f(float64(n)), carried).Float64()
	return idle
}

// The idle servers keep their digits where nearly all are busy.
func TestLossUtilization(t *testing.T) {
	for _, c := range []struct {
		n   int
		a   float64
		rel float64
	}{
		{1, 1e12, 1e-13}, {1, 0.3, 1e-13}, {2, 1.6, 1e-13}, {3, 9, 1e-13}, {30, 1e12, 1e-13}, {30, 46.5, 1e-13}, {30, 46.4, 1e-13},
		{1000, 1095, 1e-12}, {1000, 1e4, 1e-13}, {1000, 900, 1e-12}, {5000, 5300, 1e-12}, {5000, 1e9, 1e-13},
	} {
		want := idleByRecursion(c.n, c.a)
		numtest.Close(t, fmt.Sprintf("%d servers, %v erl: idle", c.n, c.a), Idle(float64(c.n), c.a), want, c.rel)
		numtest.Close(t, fmt.Sprintf("%d servers, %v erl: busy", c.n, c.a), Utilization(float64(c.n), c.a), 1-want/float64(c.n), 1e-13)
	}
}
