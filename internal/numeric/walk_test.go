package numeric

import (
	"math"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

// The law of M against the chain itself, iterated from empty.
func TestWalkMaxChain(t *testing.T) {
	for _, v := range []struct {
		c, nu float64
		batch []float64
	}{
		{1, .5, []float64{0, 1}}, {1, .7, []float64{0, 1}}, {3, 2.2, []float64{0, 1}}, {1, .2, []float64{0, .5, 0, .3, 0, 0, .2}}, {2, 1e-3, []float64{0, 1}},
	} {
		const size = 400
		mean := 0.
		for i, p := range v.batch {
			mean += p * float64(i)
		}
		// Panjer's recursion for the compound Poisson law.
		a := make([]float64, size)
		a[0] = math.Exp(-v.nu)
		for j := 1; j < size; j++ {
			for i := 1; i < len(v.batch) && i <= j; i++ {
				a[j] += v.nu / float64(j) * float64(i) * v.batch[i] * a[j-i]
			}
		}
		m := make([]float64, size)
		m[0] = 1
		for range 1500 {
			next := make([]float64, size)
			for i, x := range m {
				if x < 1e-18 {
					continue
				}
				for j, y := range a[:size-i] {
					next[max(0, i+j-int(v.c))] += x * y
				}
			}
			m = next
		}
		w, ok := NewWalkMax(v.c, v.nu, v.batch, v.c-v.nu*mean)
		if !ok {
			t.Fatalf("%+v: not solved", v)
		}
		tail := 0.
		for j := size - 1; j >= 0; j-- {
			if tail > 1e-10*(1-m[0]) { // below, what the chain dropped shows
				if e := math.Abs(w.Tail(float64(j)) - tail); !(e <= 1e-9*tail+1e-14*(1-m[0])+1e-20) {
					t.Errorf("%+v: P(M > %d) = %v, want %v", v, j, w.Tail(float64(j)), tail)
				}
			}
			tail += m[j]
		}
	}
}

// Both ways of solving agree where both apply.
func TestWalkMaxTwoWays(t *testing.T) {
	const c, nu = 4., 3.6
	batch := []float64{0, 1}
	pole, saddle := walkExponents(c, nu, batch, c-nu)
	direct := walkDirect(c, nu, c-nu, batch, pole, saddle, 4096)
	heavy, ok := walkHeavy(c, nu, c-nu, batch, pole, saddle, 4096)
	if !ok {
		t.Fatal("not solved")
	}
	for j := 0.; j < 200; j++ {
		if e := math.Abs(direct.Tail(j) - heavy.Tail(j)); e > 1e-13 {
			t.Errorf("P(M > %v): %v and %v", j, direct.Tail(j), heavy.Tail(j))
		}
	}
}

func TestGapSum(t *testing.T) {
	g := NewGapSum(1)
	for range 10 {
		g = g.Minus(.1, .99999999)
	}
	// The float64 arguments in exact rationals (python's fractions).
	numtest.Close(t, "1 − 10·0.1·0.99999999", g.Value(), 9.999999994736442e-09, 1e-8)
	numtest.Close(t, "1 − 1e8·1e-8", NewGapSum(1).Minus(1e8, 1e-8).Value(), -2.0922560830128473e-17, 1e-14)
}

func TestLogBinomialRatio(t *testing.T) {
	for _, v := range [][3]float64{{10, 5, .3}, {10, 5, 3}, {10, 10, 2}, {1000, 300, .5}, {1000, 360, .5}, {100, 1, .001}, {5000, 4999, .7}} {
		n, c, alpha := v[0], v[1], v[2]
		sum, term := 1., 1.
		for j := c; j >= 1; j-- {
			term *= j / ((n - j + 1) * alpha)
			sum += term
		}
		log, excess := LogBinomialRatio(n, c, alpha)
		if math.IsInf(excess, 1) {
			continue
		}
		numtest.Close(t, "ln V", log, math.Log(sum), 1e-13)
		numtest.Close(t, "V", excess+1, sum, 1e-12)
	}
	// Real c continues between whole numbers: V(c) = 1 + c/((n−c+1)α)·V(c−1).
	for _, c := range []float64{3.5, 12.25, 40.75} {
		_, a := LogBinomialRatio(60, c, .4)
		_, b := LogBinomialRatio(60, c-1, .4)
		numtest.Close(t, "recursion", a, c/((60-c+1)*.4)*(b+1), 1e-12)
	}
}

func TestComplex(t *testing.T) {
	for _, z := range []complex128{1e-12 + 1e-13i, .3 - .4i, 2 + 1i, 1e-5i} {
		e := CExpm1(z)
		back := CLog1p(e)
		if d := (back - z) / z; math.Hypot(real(d), imag(d)) > 1e-14 {
			t.Errorf("log1p(expm1(%v)) = %v", z, back)
		}
		r := CResidualUnit(z)
		// z·r = z − 1 + e^(−z).
		if d := z*r - (z + CExpm1(-z)); math.Hypot(real(d), imag(d)) > 1e-16*(1+math.Hypot(real(z), imag(z))) {
			t.Errorf("residual at %v: %v", z, r)
		}
	}
	numtest.Close(t, "residual near 0", real(CResidualUnit(1e-10)), .5e-10, 1e-9)
}

func TestRoot(t *testing.T) {
	// A line that hits 0 on a float64.
	if x := Root(func(x float64) float64 { return 1 - x }, 0, 1, 4, -3); x != 1 {
		t.Errorf("root %v, want 1", x)
	}
	// A jump: the first point past it.
	f := func(x float64) float64 {
		if x < 2 {
			return 1
		}
		return -1
	}
	if x := Root(f, 0, 1, 5, -1); x != 2 {
		t.Errorf("jump at %v, want 2", x)
	}
}

// A batch may be empty: P(batch = 0) = p is the same chain as batches that
// come 1 − p as often.
func TestWalkMaxEmptyBatch(t *testing.T) {
	const p = .75
	thin := []float64{0, .5, 0, .5}
	thick := []float64{p, (1 - p) * .5, 0, (1 - p) * .5}
	want, ok := NewWalkMax(1, .3, thin, .4)
	if !ok {
		t.Fatal("not solved")
	}
	got, ok := NewWalkMax(1, .3/(1-p), thick, .4)
	if !ok {
		t.Fatal("not solved with empty batches")
	}
	for j := 0.; j < 60; j++ {
		numtest.Close(t, "tail", got.Tail(j), want.Tail(j), 1e-9)
	}
}

// Loads at the ends of the range of float64 are solved, or said not to be.
func TestWalkMaxExtremes(t *testing.T) {
	for _, nu := range []float64{5e-324, 1e-300, 1e-100, 1e-9, 1 - 1e-15} {
		for _, batch := range [][]float64{{0, 1}, {.5, .5}, {.999, 0, 0, .001}} {
			mean := 0.
			for i, p := range batch {
				mean += p * float64(i)
			}
			w, ok := NewWalkMax(1, nu, batch, 1-nu*mean)
			if !ok {
				continue
			}
			last := 1.
			for j := 0.; j < 50; j++ {
				if v := w.Tail(j); !(v >= -1e-14 && v <= last+1e-14) {
					t.Fatalf("ν = %v, batch %v: P(M > %v) = %v after %v", nu, batch, j, v, last)
				} else {
					last = v
				}
			}
		}
	}
}
