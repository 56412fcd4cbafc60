package smp

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/capplan/capplan/internal/numtest"
)

var bothMethods = []Method{Sparse, Dense}

func threeStates() Space {
	return Space{Names: []string{"a", "b", "x"}, Failure: []bool{false, false, true}}
}

// A ratAtom is an atom with an exact probability num/den.
type ratAtom struct {
	i, j, l  int
	num, den int64
}

func ratKernel(t testing.TB, space Space, atoms []ratAtom) *Kernel {
	t.Helper()
	var out []Atom
	for _, a := range atoms {
		p, _ := big.NewRat(a.num, a.den).Float64()
		out = append(out, Atom{a.i, a.j, a.l, p})
	}
	k, err := NewKernel(space, out)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func solveFrom(t testing.TB, k *Kernel, n int, m Method, start Start) *Curve {
	t.Helper()
	r, err := k.Reliability(context.Background(), n, &Options{Method: m})
	if err != nil {
		t.Fatal(err)
	}
	if r.Repeated {
		t.Logf("horizon %d: the transforms were not believed", n)
	}
	c, err := r.From(context.Background(), start)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var rationalKernels = map[string][]ratAtom{
	"fast": {{0, 1, 1, 3, 10}, {0, 1, 2, 1, 5}, {0, 1, 5, 2, 5}, {0, 2, 3, 1, 10},
		{1, 0, 2, 1, 2}, {1, 0, 4, 1, 4}, {1, 0, 7, 1, 8}, {1, 2, 1, 1, 16}, {1, 2, 9, 1, 16}},
	"slow": {{0, 1, 10, 1, 2}, {0, 1, 20, 49, 100}, {0, 2, 15, 1, 100}, {1, 0, 1, 99, 100}, {1, 2, 2, 1, 100}},
	"tail": {{0, 1, 1, 1, 3}, {0, 1, 3, 1, 3}, {0, 2, 4, 1, 12}, {1, 0, 2, 2, 3}, {1, 2, 2, 1, 12}, {1, 2, 8, 1, 4}},
}

func TestReliabilityAgainstExactTable(t *testing.T) {
	for _, m := range bothMethods {
		curves := map[string][2]*Curve{}
		for name, atoms := range rationalKernels {
			k := ratKernel(t, threeStates(), atoms)
			curves[name] = [2]*Curve{solveFrom(t, k, 400, m, Start{State: 0}), solveFrom(t, k, 400, m, Start{State: 1})}
		}
		for _, row := range numtest.Table(t, "testdata/rational.csv") {
			c := curves[row.Text("kernel")][int(row.Float("state"))]
			k := int(row.Float("steps"))
			name := m.String() + " " + row.Text("kernel")
			numtest.Close(t, name+" R", c.Reliability[k], row.Float("reliability"), 1e-13)
			if want := row.Float("failure"); want > 0 {
				numtest.Close(t, name+" F", c.Failure[k], want, 1e-13)
			} else if c.Failure[k] > 1e-16 {
				t.Errorf("%s: F(%d) = %v, want 0", name, k, c.Failure[k])
			}
		}
	}
}

// TestTinyReliability is a host that fails often: R(1000) is near 1e-27 and
// still has to be good to 1e-13 of itself, at every horizon.
func TestTinyReliability(t *testing.T) {
	// Every lag of every row has a weight, over the common denominator.
	const lags, den, n = 12, 4200, 1000
	var atoms []ratAtom
	for l := 1; l <= lags; l++ {
		a, b := int64((l*5)%13), int64((l*11)%13) // each 1..12 once, sum 78
		atoms = append(atoms, ratAtom{0, 1, l, 35 * a, den}, ratAtom{0, 2, l, 18 * a, den},
			ratAtom{1, 0, l, 37 * b, den}, ratAtom{1, 2, l, 16 * b, den})
	}
	// What 78·53 leaves of 4200 goes to the failure state.
	atoms = append(atoms, ratAtom{0, 2, lags, den - 78*53, den}, ratAtom{1, 2, lags, den - 78*53, den})
	want := exactReliability(atoms, den, n)
	if last := want[0][n]; last > 1e-26 || last < 1e-28 {
		t.Fatalf("R(%d) = %g, this test is about 1e-27", n, last)
	}
	k := ratKernel(t, threeStates(), atoms)
	for _, m := range bothMethods {
		r, err := k.Reliability(context.Background(), n, &Options{Method: m})
		if err != nil {
			t.Fatal(err)
		}
		if r.Method != m || r.Residual > 1e-13 || r.Repeated {
			t.Errorf("method %v, want %v; residual %g, repeated %v", r.Method, m, r.Residual, r.Repeated)
		}
		worst := 0.0
		for i := range 2 {
			for h := 0; h <= n; h++ {
				worst = math.Max(worst, numtest.RelErr(r.survive[i][h], want[i][h]))
			}
		}
		if worst > 1e-13 {
			t.Errorf("%v: greatest relative error %.2g, want 1e-13", m, worst)
		}
		t.Logf("%v: R(%d) = %.3g, greatest relative error %.2g", m, n, r.survive[0][n], worst)
	}
}

// exactReliability is the recursion for states 0 and 1 in whole numbers,
// N_i(k) = R_i(k)·denᵏ, where every entry is num/den.
func exactReliability(atoms []ratAtom, den int64, n int) [2][]float64 {
	d := make([]*big.Int, n+1)
	d[0] = big.NewInt(1)
	for k := 1; k <= n; k++ {
		d[k] = new(big.Int).Mul(d[k-1], big.NewInt(den))
	}
	var r [2][]*big.Int
	var out [2][]float64
	var term big.Int
	for k := 0; k <= n; k++ {
		for i := range r {
			left := int64(0)
			s := new(big.Int)
			for _, a := range atoms {
				switch {
				case a.i != i:
				case a.l > k:
					left += a.num
				case a.j < 2:
					// num/den·N(k−l)/den^(k−l), over denᵏ.
					term.Mul(r[a.j][k-a.l], d[a.l-1])
					s.Add(s, term.Mul(&term, big.NewInt(a.num)))
				}
			}
			if k == 0 {
				s.SetInt64(1)
			} else {
				s.Add(s, term.Mul(d[k-1], big.NewInt(left)))
			}
			r[i] = append(r[i], s)
			v, _ := new(big.Rat).SetFrac(s, d[k]).Float64()
			out[i] = append(out[i], v)
		}
	}
	return out
}

// quadratic is the O(n²) recursion over dense arrays.
func quadratic(k *Kernel, n int) (r [][]float64) {
	s := len(k.rows)
	q := make([][]float64, s*s)
	for i, row := range k.rows {
		for _, a := range row {
			c := i*s + int(a.to)
			if q[c] == nil {
				q[c] = make([]float64, k.last+1)
			}
			q[c][a.lag] += a.prob
		}
	}
	r = make([][]float64, s)
	for i := range r {
		r[i] = make([]float64, n+1)
	}
	for h := 0; h <= n; h++ {
		for i := range s {
			if k.space.Failure[i] {
				continue
			}
			v := k.tail[i]
			for j := range s {
				for l := 1; l < len(q[i*s+j]); l++ {
					switch {
					case l > h:
						v += q[i*s+j][l]
					case !k.space.Failure[j]:
						v += q[i*s+j][l] * r[j][h-l]
					}
				}
			}
			r[i][h] = v
		}
	}
	return r
}

// randomDense is a kernel with every lag 1..lags in every row, up states with
// the given chance to fail.
func randomDense(rng *rand.Rand, up, down, lags int, fail float64, tail float64) *Kernel {
	n := up + down
	space := Space{Names: make([]string, n), Failure: make([]bool, n)}
	for i := range n {
		space.Names[i] = string(rune('a' + i))
		space.Failure[i] = i >= up
	}
	f := make([][][]float64, n)
	for i := range up {
		f[i] = make([][]float64, n)
		for j := range n {
			share := (1 - fail) / float64(max(1, up-1))
			if j >= up {
				share = fail / float64(down)
			}
			if i == j {
				continue
			}
			f[i][j] = make([]float64, lags)
			s := 0.0
			for l := range lags {
				f[i][j][l] = rng.ExpFloat64() * math.Exp(-4*float64(l)/float64(lags))
				s += f[i][j][l]
			}
			for l := range lags {
				f[i][j][l] *= share * (1 - tail) / s
			}
		}
	}
	k, err := NewDenseKernel(space, f)
	if err != nil {
		panic(err)
	}
	return k
}

func TestMethodsAgreeWithQuadratic(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		up, down, lags, n int
		fail, tail        float64
	}{
		{2, 1, 300, 700, 0.1, 0}, {2, 3, 900, 500, 1e-9, 0}, {3, 2, 50, 2500, 0.4, 0},
		{2, 1, 40, 1500, 0.5, 0.01}, {4, 1, 200, 300, 0.9, 0}, {1, 1, 100, 400, 0.3, 0.2},
		{2, 1, 100, 128, 0.1, 0}, {2, 1, 100, 127, 0.1, 0}, {2, 1, 3, 1, 0.1, 0}, {2, 1, 3, 0, 0.1, 0},
	} {
		k := randomDense(rng, c.up, c.down, c.lags, c.fail, c.tail)
		want := quadratic(k, c.n)
		for _, m := range bothMethods {
			r, err := k.Reliability(context.Background(), c.n, &Options{Method: m})
			if err != nil {
				t.Fatal(err)
			}
			if r.Repeated {
				t.Errorf("%v %+v: the transforms were not believed", m, c)
			}
			for i := range c.up {
				for h := 0; h <= c.n; h++ {
					if e := numtest.RelErr(r.survive[i][h], want[i][h]); e > 1e-12 {
						t.Fatalf("%v %+v: R_%d(%d) = %v, want %v (%.2g)", m, c, i, h, r.survive[i][h], want[i][h], e)
					}
				}
				cv, err := r.From(context.Background(), Start{State: i})
				if err != nil {
					t.Fatal(err)
				}
				for h := range cv.Failure {
					if s := cv.Failure[h] + cv.Reliability[h]; math.Abs(s-1) > 2e-13 {
						t.Fatalf("%v %+v: R + F = %v at %d", m, c, s, h)
					}
				}
			}
		}
	}
}

func TestSmallFailureKeepsDigits(t *testing.T) {
	// One up state that fails with chance 1e-12 after every visit.
	space := threeStates()
	k, err := NewKernelTails(space, []Atom{{0, 1, 2, 1 - 1e-12}, {0, 2, 2, 1e-12}, {1, 0, 3, 1}}, []float64{0, 0, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range bothMethods {
		c := solveFrom(t, k, 400, m, Start{})
		// Failures at steps 2, 7, …, 397: F(400) = 1 − (1 − 1e-12)^80.
		numtest.Close(t, m.String()+" F", c.Failure[400], -math.Expm1(80*math.Log1p(-1e-12)), 1e-13)
	}
}

func TestElapsed(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	k := randomDense(rng, 2, 2, 600, 0.2, 0.05)
	const n, u = 900, 37
	want := quadratic(k, n)
	for _, m := range bothMethods {
		c := solveFrom(t, k, n, m, Start{State: 1, Elapsed: u})
		alive, _ := k.Survival(1, u)
		for _, h := range []int{0, 1, 5, 130, 700, n} {
			s, _ := k.Survival(1, u+h)
			for _, a := range k.rows[1] {
				if l := int(a.lag) - u; l >= 1 && l <= h && int(a.to) < 2 {
					s += a.prob * want[a.to][h-l]
				}
			}
			numtest.Close(t, m.String()+" aged R", c.Reliability[h], s/alive, 1e-12)
			if e := math.Abs(c.Reliability[h] + c.Failure[h] - 1); e > 1e-12 {
				t.Errorf("%v: R + F − 1 = %g at %d", m, e, h)
			}
		}
	}
	c := solveFrom(t, k, 10, Auto, Start{State: 1, Elapsed: 5000})
	if c.Reliability[10] != 1 || c.Failure[10] != 0 {
		t.Errorf("only the tail is left: R = %v, F = %v, want 1, 0", c.Reliability[10], c.Failure[10])
	}
	closed := ratKernel(t, threeStates(), rationalKernels["fast"])
	r, err := closed.Reliability(context.Background(), 5, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.From(context.Background(), Start{State: 0, Elapsed: 5}); !errors.Is(err, ErrImpossible) {
		t.Errorf("elapsed beyond the longest sojourn: %v, want ErrImpossible", err)
	}
	if _, err := r.From(context.Background(), Start{State: 0, Elapsed: 4}); err != nil {
		t.Errorf("elapsed 4 of at most 5: %v", err)
	}
}

func TestMixAndFailedStart(t *testing.T) {
	k := ratKernel(t, threeStates(), rationalKernels["slow"])
	r, err := k.Reliability(context.Background(), 60, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	c, err := r.Mix(ctx, []Start{{State: 0}, {State: 2}, {State: 0}}, []float64{0.25, 0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := r.From(ctx, Start{})
	for h := range c.Reliability {
		numtest.Close(t, "R", c.Reliability[h], 0.5*a.Reliability[h], 1e-15)
		numtest.Close(t, "F", c.Failure[h], 0.5+0.5*a.Failure[h], 1e-15)
	}
	if _, err := r.Mix(ctx, []Start{{}}, []float64{0.5}); err == nil {
		t.Error("weights that sum to 0.5 were taken")
	}
}

func TestEngineRefuses(t *testing.T) {
	k := ratKernel(t, threeStates(), rationalKernels["fast"])
	ctx := context.Background()
	var de *DomainError
	if _, err := k.Reliability(ctx, -1, nil); !errors.As(err, &de) {
		t.Errorf("n = -1: %v", err)
	}
	if _, err := k.Reliability(ctx, 1<<20, &Options{MaxMemory: 1e6}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("1e6 bytes for 1e6 steps: %v", err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	for _, m := range bothMethods {
		if _, err := k.Reliability(ended, 100000, &Options{Method: m}); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: ended context: %v", m, err)
		}
	}
}
