package baseline

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomSearch(n, p, q int, seed uint64) (*armaFit, []float64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	a := newARMAFit(make([]float64, n), p, q)
	for t := range a.z {
		a.z[t] = rng.NormFloat64()
		if t > 0 {
			a.z[t] += 0.7 * a.z[t-1]
		}
	}
	u := make([]float64, p+q)
	for j := range u {
		u[j] = rng.Float64() - 0.5
	}
	return a, u
}

// The normal equations against differences of the residuals.
func TestARMADerivatives(t *testing.T) {
	for _, o := range [][2]int{{0, 1}, {0, 3}, {1, 0}, {3, 0}, {2, 3}, {3, 2}, {3, 3}, {0, 4}, {4, 0}, {4, 4}} {
		a, u := randomSearch(40, o[0], o[1], 3)
		k := len(u)
		residualsAt := func(u []float64) []float64 {
			phi, theta, _ := a.coefficients(u)
			a.residuals(phi, theta)
			return append([]float64(nil), a.e...)
		}
		jac := make([][]float64, k)
		for j := range u {
			const h = 1e-5
			v := append([]float64(nil), u...)
			v[j] += h
			jac[j] = residualsAt(v)
			v[j] -= 2 * h
			for i, e := range residualsAt(v) {
				jac[j][i] = (jac[j][i] - e) / (2 * h)
			}
		}
		e := residualsAt(u)
		jj, je := make([]float64, k*k), make([]float64, k)
		a.sweep(a.plain(u))
		a.normal(u, jj, je)
		for i := range k {
			want := lagged(jac[i], e, 0, 0)
			if math.Abs(je[i]-want) > 1e-6*(1+math.Abs(want)) {
				t.Errorf("ARMA(%d,%d): Jᵀe[%d] = %v, by differences %v", o[0], o[1], i, je[i], want)
			}
			for j := range k {
				want := lagged(jac[i], jac[j], 0, 0)
				if math.Abs(jj[i*k+j]-want) > 1e-6*(1+math.Abs(want)) {
					t.Errorf("ARMA(%d,%d): JᵀJ[%d][%d] = %v, by differences %v", o[0], o[1], i, j, jj[i*k+j], want)
				}
			}
		}
	}
}

func TestPartialRoundTrip(t *testing.T) {
	for _, u := range [][]float64{{}, {0.3}, {-1.2, 0.4, 0.9, -0.1}} {
		phi := make([]float64, len(u))
		fromPartial(phi, u)
		for j, v := range toPartial(phi) {
			if math.Abs(v-u[j]) > 1e-12 {
				t.Errorf("%v came back as %v", u, v)
			}
		}
	}
	// Outside the stationary models: drawn back.
	for _, v := range toPartial([]float64{2.5, -4}) {
		if math.IsNaN(v) || math.Abs(math.Tanh(v)) > 0.95+1e-12 {
			t.Errorf("partial %v", math.Tanh(v))
		}
	}
}

// The search never ends above where it began, whatever the series.
func TestARMASearchDescends(t *testing.T) {
	for seed := range uint64(40) {
		a, u := randomSearch(20+int(seed), 2, 2, seed)
		if seed%4 == 0 { // an impulse
			clear(a.z)
			a.z[7] = 1
		}
		phi, theta, _ := a.coefficients(u)
		before := a.residuals(phi, theta)
		if after := a.search(u, longSearch, accurate); !(after <= before) || math.IsNaN(after) {
			t.Errorf("series %d: %v after %v", seed, after, before)
		}
	}
}

func BenchmarkARMAFit(b *testing.B) {
	x := referenceSeries(b)[:120]
	for range b.N {
		if _, _, _, err := (ARMA{AR: 3, MA: 3}).Fit(x); err != nil {
			b.Fatal(err)
		}
	}
}
