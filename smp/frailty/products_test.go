package frailty

import (
	"math"
	"math/rand/v2"
	"testing"
)

// lawOf is the law of a group of some machines.
func lawOf(machines []Machine, members []int, k, kg float64) Group {
	g := groupOf{members: members, counts: make([]counted, len(members))}
	return g.count(machines, 1).law(k, kg)
}

// plainDensity is the logarithm of the density of a group's ln φ, machine by machine.
func plainDensity(machines []Machine, members []int, k, kg, x float64) float64 {
	s := kg * (x - math.Expm1(x))
	for _, i := range members {
		s += machines[i].Failures*x - (machines[i].Failures+k)*math.Log1p(math.Exp(x)*machines[i].Expected/k)
	}
	return s
}

// plainMarginal is the logarithm of the chance of a group's failures by sums of many points.
func plainMarginal(machines []Machine, members []int, k, kg float64) float64 {
	g := groupOf{members: members, counts: make([]counted, len(members))}
	xs, _, _ := g.count(machines, 1).grid(k, kg)
	from, to, top, total := xs[0]-1, xs[len(xs)-1]+1, plainDensity(machines, members, k, kg, xs[len(xs)/2]), 0.0
	points := 2000 + int(20*(to-from))
	step := (to - from) / float64(points)
	for i := range points + 1 {
		total += math.Exp(plainDensity(machines, members, k, kg, from+step*float64(i)) - top)
	}
	lg, _ := math.Lgamma(kg)
	s := top + math.Log(total*step) + kg*math.Log(kg) - kg - lg
	for _, i := range members {
		s += rising(machines[i].Failures, k)
	}
	return s
}

// The density of a group by products has the digits of that machine by machine, and the chance of its failures those
// of sums over many more points, wide and narrow laws alike.
func TestGroupByProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	wide, thin := 0, 0
	for range 12 {
		machines, groups := drawnGroups(rng)
		for _, shapes := range [][3]float64{ // of machines, of groups, tolerance
			{0.01, 3, 1e-9}, {0.01, 0.01, 1e-5}, {0.1, 0.05, 1e-9}, {1, 0.1, 1e-9}, {1, 0.3, 1e-9}, {2, 1, 1e-9}, {100, 3, 1e-9},
			{1e6, 1, 1e-9}, {1, 100, 1e-9}, {1e6, 1e6, 5e-9},
		} {
			k, kg := shapes[0], shapes[1]
			for i := range groups {
				g := groups[i].count(machines, 1)
				xs, logs, _ := g.grid(k, kg)
				if len(xs) == widePoints {
					wide++
				} else {
					thin++
					for j, x := range xs {
						want := plainDensity(machines, g.members, k, kg, x)
						if !(math.Abs(logs[j]-want) <= 1e-13*math.Max(1e3, math.Abs(want))) {
							t.Errorf("shapes %v: %v in products, %v one by one", shapes, logs[j], want)
						}
					}
				}
				got, want := g.logMarginal(k, kg), plainMarginal(machines, g.members, k, kg)
				if !(math.Abs(got-want) <= shapes[2]*math.Max(1, math.Abs(want))) {
					t.Errorf("shapes %v, %d points: %v, %v by many", shapes, len(xs), got, want)
				}
			}
		}
	}
	if wide < 100 || thin < 100 {
		t.Errorf("%d wide and %d narrow laws: the cases are too few", wide, thin)
	}
}

// drawnGroups are machines in groups that are alike and unlike.
func drawnGroups(rng *rand.Rand) ([]Machine, []groupOf) {
	machines := make([]Machine, 40+rng.IntN(60))
	groups := 2 + rng.IntN(6)
	factor := math.Exp(3 * rng.NormFloat64())
	for i := range machines {
		machines[i].Group = string(rune('a' + i%groups))
		machines[i].Expected = factor * rng.ExpFloat64()
		machines[i].Failures = math.Floor(machines[i].Expected * rng.ExpFloat64() * float64(1+i%groups))
	}
	return machines, grouped(machines)
}

// The shapes of machines and groups that are found on polynomials are those of golden sections on the likelihood
// itself, mostly to the bit, at under three fifths of its looks (half, but for the first, on a grid).
func TestShapesOnPolynomials(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	asked, plain, same := 0, 0, 0
	check := func(of string, start, other, got, want float64) {
		if got == want {
			same++
		} else if !(math.Abs(math.Log(got/want)) <= shapeTolerance) {
			t.Errorf("from %v by %v: shape of %s %v, want %v", start, other, of, got, want)
		}
	}
	for range 10 {
		machines, groups := drawnGroups(rng)
		for _, start := range []float64{0, 1, 50} {
			both := func(looks *int, k, kg float64) float64 {
				*looks++
				s := 0.0
				for i := range groups {
					s += groups[i].count(machines, 1).logMarginal(k, kg)
				}
				return s
			}
			for _, other := range []float64{0.1, 1, 10, greatestShape} {
				got := bestSmooth(start, func(k float64) float64 { return both(&asked, k, other) })
				want := bestShape(start, func(k float64) float64 { return both(&plain, k, other) })
				check("machines", start, other, got, want)
				got = bestSmooth(start, func(k float64) float64 { return both(&asked, other, k) })
				want = bestShape(start, func(k float64) float64 { return both(&plain, other, k) })
				check("groups", start, other, got, want)
			}
		}
	}
	if same < 225 || 5*asked > 3*plain {
		t.Errorf("%d of 240 to the bit, by %d looks, by golden section %d", same, asked, plain)
	}
}
