package reliability_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/capplan/capplan/internal/numtest"
	"github.com/capplan/capplan/reliability"
)

// bruteGroups lists the states of all groups and replicas.
func bruteGroups(s []float64, u float64, perGroup []int, m int) (fewer float64) {
	var walk func(g int, p float64, up int)
	walk = func(g int, p float64, up int) {
		if g == len(s) {
			if up < m {
				fewer += p
			}
			return
		}
		walk(g+1, p*s[g], up)
		for state := range 1 << perGroup[g] {
			q, n := p*(1-s[g]), up
			for i := range perGroup[g] {
				if state>>i&1 == 1 {
					q *= 1 - u
					n++
				} else {
					q *= u
				}
			}
			walk(g+1, q, n)
		}
	}
	walk(0, 1, 0)
	return fewer
}

// allPlacements calls f with every placement of k replicas.
func allPlacements(groups []reliability.RiskGroup, k int, f func([]int)) {
	at := make([]int, len(groups))
	var walk func(g, left int)
	walk = func(g, left int) {
		if g == len(groups) {
			if left == 0 {
				f(at)
			}
			return
		}
		for n := 0; n <= min(left, groups[g].Capacity); n++ {
			at[g] = n
			walk(g+1, left-n)
		}
	}
	walk(0, k)
}

func TestPlacement(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := math.Exp(rapid.Float64Range(-2, 5).Draw(t, "f"))
		u := 1 / (1 + f)
		p := reliability.Placement{Component: reliability.Component{f, 1}}
		var s []float64
		total := 0
		for range rapid.IntRange(1, 3).Draw(t, "groups") {
			g := reliability.RiskGroup{rapid.Float64Range(0, 1).Draw(t, "s"), rapid.IntRange(0, 3).Draw(t, "capacity")}
			if rapid.Bool().Draw(t, "rare") {
				g.Unavailability /= 100
			}
			p.Groups = append(p.Groups, g)
			s = append(s, g.Unavailability)
			total += g.Capacity
		}
		target := 1 - math.Exp(rapid.Float64Range(-8, -0.1).Draw(t, "log q"))
		// Brute force: the least unavailability of each count.
		least := make([]float64, total+1)
		least[0] = 1
		for k := 1; k <= total; k++ {
			least[k] = math.Inf(1)
			allPlacements(p.Groups, k, func(at []int) {
				least[k] = math.Min(least[k], bruteGroups(s, u, at, 1))
				for m := 1; m <= k; m++ {
					up, fewer, err := p.AtLeast(m, at)
					if err != nil {
						t.Fatal(err)
					}
					if want := bruteGroups(s, u, at, m); numtest.RelErr(fewer, want) > 1e-11 || math.Abs(up+fewer-1) > 1e-12 {
						t.Fatalf("%v, m = %d: fewer = %v, want %v", at, m, fewer, want)
					}
				}
			})
		}
		r, err := p.Replicas(target)
		if err != nil {
			if !errors.Is(err, reliability.ErrInfeasible) || least[total] < (1-target)*(1-1e-9) {
				t.Fatalf("%v, but %v is reached", err, 1-least[total])
			}
			return
		}
		if r.Unavailability > (1-target)*(1+1e-9) || numtest.RelErr(r.Unavailability, least[r.Replicas]) > 1e-11 {
			t.Fatalf("%+v: best of %d is %v", r, r.Replicas, least[r.Replicas])
		}
		if r.Replicas > 0 && least[r.Replicas-1] < (1-target)*(1-1e-9) {
			t.Fatalf("%+v: one fewer reaches %v of %v", r, 1-least[r.Replicas-1], target)
		}
	})
}

func TestPlacementDomain(t *testing.T) {
	c := reliability.Component{9, 1}
	_, err := reliability.Placement{c, nil}.Replicas(0.9)
	wantDomain(t, err, "Groups")
	_, err = reliability.Placement{c, []reliability.RiskGroup{{0.1, 2}, {2, 1}}}.Replicas(0.9)
	wantDomain(t, err, "Groups[1].Unavailability")
	_, err = reliability.Placement{c, []reliability.RiskGroup{{0.1, -1}}}.Replicas(0.9)
	wantDomain(t, err, "Groups[0].Capacity")
	p := reliability.Placement{c, []reliability.RiskGroup{{0.1, 2}}}
	_, _, err = p.AtLeast(1, []int{3})
	wantDomain(t, err, "perGroup[0]")
	_, _, err = p.AtLeast(1, []int{1, 1})
	wantDomain(t, err, "perGroup")
	_, _, err = p.AtLeast(3, []int{2})
	wantDomain(t, err, "m")
	if _, err := (reliability.Placement{reliability.Component{1e-9, 1}, []reliability.RiskGroup{{0, min(1<<40, math.MaxInt)}}}).Replicas(0.9); !errors.Is(err, reliability.ErrCountTooLarge) {
		t.Errorf("hopeless machine: %v", err)
	}
}
