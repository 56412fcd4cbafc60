package numeric

import (
	"math"
	"testing"
)

// The rule gives the mean of powers, by the sum over all numbers, up to the
// degree that it is exact for, and with n + 1 points that of any function.
func TestBinomialRule(t *testing.T) {
	mean := func(n, p float64, f func(u float64) float64) float64 {
		sum := 0.0
		for u := 0.0; u <= n; u++ {
			a, _ := math.Lgamma(n + 1)
			b, _ := math.Lgamma(u + 1)
			c, _ := math.Lgamma(n - u + 1)
			sum += math.Exp(a-b-c+u*math.Log(p)+(n-u)*math.Log1p(-p)) * f(u)
		}
		return sum
	}
	for _, c := range []struct{ n, p float64 }{{1, 0.3}, {7, 0.5}, {60, 0.968}, {400, 0.02}, {900, 0.6}} {
		for _, points := range []int{1, 2, 5, 12} {
			whole := float64(points) > c.n
			points = int(math.Min(float64(points), c.n+1))
			nodes, weights := BinomialRule(c.n, c.p, points)
			rule := func(f func(u float64) float64) float64 {
				sum := 0.0
				for i, u := range nodes {
					sum += weights[i] * f(u)
				}
				return sum
			}
			deviation := math.Sqrt(c.n * c.p * (1 - c.p))
			for degree := range 2 * points {
				f := func(u float64) float64 { return math.Pow((u-c.n*c.p)/deviation, float64(degree)) }
				size := mean(c.n, c.p, func(u float64) float64 { return math.Abs(f(u)) })
				if got, want := rule(f), mean(c.n, c.p, f); math.Abs(got-want) > 1e-10*size {
					t.Errorf("n %v, p %v, %d points: mean of the power %d is %v, want %v", c.n, c.p, points, degree, got, want)
				}
			}
			f := func(u float64) float64 { return 1 / (1 + u*u) }
			if got, want := rule(f), mean(c.n, c.p, f); whole && math.Abs(got-want) > 1e-12*want {
				t.Errorf("n %v, p %v, %d points: mean %v, want %v", c.n, c.p, points, got, want)
			}
		}
	}
}
