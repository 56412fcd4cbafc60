package routing

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/internal/numeric"
	"github.com/capplan/capplan/internal/numtest"
)

// The best of 400 starts of an independent program, on up to five clusters and
// four types; the first is two equal clusters where the same mix everywhere,
// which is a saddle point, has 5.464 s.
func TestSplitByTypeReference(t *testing.T) {
	for _, r := range numtest.Table(t, "testdata/bytype.csv") {
		var cs []Cluster
		for _, text := range strings.Split(r.Text("clusters(lambda tau mu theta omega)"), ";") {
			v := numbers(t, text)
			cs = append(cs, Cluster{LocalRate: v[0], LocalServiceTime: v[1], LocalSecondMoment: v[2], ServiceTime: v[3], SecondMoment: v[4]})
		}
		var types []Type
		for _, text := range strings.Split(r.Text("types(share weight ratio)"), ";") {
			v := numbers(t, text)
			types = append(types, Type{Share: v[0], Weight: v[1], ServiceRatio: v[2], SecondMomentRatio: v[2] * v[2]})
		}
		s, err := SplitByType(context.Background(), cs, r.Float("rate"), types)
		if err != nil {
			t.Fatal(err)
		}
		want := r.Float("value")
		if !s.Proven() || s.Value > want*(1+1e-7) || s.LowerBound > want*(1+1e-9) || s.Value < want*(1-ProofGap) {
			t.Errorf("line %d: %.10g with bound %.10g (gap %.2g), want %.10g", r.Line, s.Value, s.LowerBound, s.Gap(), want)
		}
	}
}

func numbers(t *testing.T, text string) []float64 {
	t.Helper()
	var v []float64
	for _, f := range strings.Fields(text) {
		x, err := strconv.ParseFloat(f, 64)
		if err != nil {
			t.Fatal(err)
		}
		v = append(v, x)
	}
	return v
}

func TestSplitByType(t *testing.T) {
	ctx := context.Background()
	cs := threeClusters()
	types := []Type{{Share: 0.4, Weight: 10}, {Share: 0.6, Weight: 1}}
	s, err := SplitByType(ctx, cs, 3.5, types)
	if err != nil {
		t.Fatal(err)
	}
	if !s.Proven() || !(s.Stationarity < 1e-5) || !(s.Value < s.Common) {
		t.Errorf("proven %v, stationarity %g, value %g, common %g", s.Proven(), s.Stationarity, s.Value, s.Common)
	}
	value := 0.0
	for i := range types {
		total := 0.0
		for j, x := range s.Rates[i] {
			total += x
			value += types[i].Weight * x * s.Responses[i][j] / 3.5
		}
		numtest.Close(t, "rate of a type", total, types[i].Share*3.5, 1e-13)
	}
	numtest.Close(t, "value", s.Value, value, 1e-12)

	// Equal types: the common mix is the optimum, and it stays there.
	same, err := SplitByType(ctx, cs, 3.5, []Type{{Share: 0.5, Weight: 1}, {Share: 0.5, Weight: 1}})
	if err != nil {
		t.Fatal(err)
	}
	p, _ := PAP(cs, 3.5)
	numtest.Close(t, "equal types: value", same.Value, p.MeanResponse, 1e-11)

	stop, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := SplitByType(stop, cs, 3.5, types); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	cs[0].Servers = 2
	var d *DomainError
	if _, err := SplitByType(ctx, cs, 3.5, types); !errors.As(err, &d) || d.Arg != "servers" {
		t.Errorf("several servers: %v", err)
	}
}

// byTypeCost is the objective written out from InterGrid eq. 4, +Inf where a
// cluster is saturated.
func byTypeCost(cs []Cluster, types []Type, rate float64, x [][]float64) float64 {
	total := 0.0
	for j, c := range cs {
		rho := c.LocalRate * c.LocalServiceTime
		free, work := 1-rho, c.LocalRate*c.LocalSecondMoment/2
		for i := range types {
			free -= x[i][j] * types[i].ServiceRatio * c.ServiceTime
			work += x[i][j] * types[i].SecondMomentRatio * c.SecondMoment / 2
		}
		if free <= 0 {
			return math.Inf(1)
		}
		for i := range types {
			total += types[i].Weight * x[i][j] * (types[i].ServiceRatio*c.ServiceTime + work/free) / (1 - rho)
		}
	}
	return total / rate
}

// parts calls use with every way to part steps over n clusters.
func parts(steps, n int, use func([]int)) {
	v := make([]int, n)
	var fill func(j, left int)
	fill = func(j, left int) {
		if j == n-1 {
			v[j] = left
			use(v)
			return
		}
		for k := range left + 1 {
			v[j] = k
			fill(j+1, left-k)
		}
	}
	fill(0, steps)
}

// randomTypes are n types with a service of 0.1 to 10 and as much variability.
func randomTypes(rng *rand.Rand, n int) (types []Type, mean float64) {
	left := 1.0
	for i := range n {
		share := left
		if i < n-1 {
			share *= 0.2 + 0.6*rng.Float64()
		}
		left -= share
		ratio := math.Pow(10, 2*rng.Float64()-1)
		types = append(types, Type{Share: share, Weight: 1 + 4*rng.Float64(), ServiceRatio: ratio, SecondMomentRatio: ratio * ratio * (1 + rng.Float64())})
		mean += share * ratio
	}
	return types, mean
}

// By brute force on small random instances: nothing on a grid over all shares
// is below the split or its bound, the split is proven, and its cost is that of
// the formula.
func TestSplitByTypeGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 26))
	for k, size := range []struct{ types, clusters, steps, instances int }{{2, 2, 300, 30}, {2, 3, 30, 15}, {3, 2, 60, 15}, {3, 3, 7, 10}} {
		for range size.instances {
			cs := randomClusters(rng, size.clusters)
			if rng.IntN(3) == 0 {
				cs[1] = cs[0]
			}
			types, mean := randomTypes(rng, size.types)
			rate := capacity(t, cs) / mean * (0.1 + 0.85*rng.Float64())
			s, err := SplitByType(context.Background(), cs, rate, types)
			if err != nil {
				t.Fatal(err)
			}
			if !s.Proven() || s.Value > s.Common*(1+1e-12) {
				t.Errorf("size %d: %g of the same mix's %g, gap %g", k, s.Value, s.Common, s.Gap())
			}
			numtest.Close(t, "value", s.Value, byTypeCost(cs, types, rate, s.Rates), 1e-9)
			checkShares(t, s)
			x := newRates(size.types, size.clusters)
			best := math.Inf(1)
			var at func(i int)
			at = func(i int) {
				if i == size.types {
					best = min(best, byTypeCost(cs, types, rate, x))
					return
				}
				parts(size.steps, size.clusters, func(v []int) {
					for j := range v {
						x[i][j] = types[i].Share * rate * float64(v[j]) / float64(size.steps)
					}
					at(i + 1)
				})
			}
			at(0)
			if s.Value > best*(1+1e-9) || s.LowerBound > best*(1+1e-9) {
				t.Errorf("size %d: %.9g, bound %.9g, grid %.9g", k, s.Value, s.LowerBound, best)
			}
		}
	}
}

func checkShares(t *testing.T, s TypeSplit) {
	t.Helper()
	for i, p := range s.Probabilities {
		var all numeric.Sum
		for _, v := range p {
			if !(v >= 0 && v <= 1) {
				t.Errorf("type %d: probability %.17g", i, v)
			}
			all.Add(v)
		}
		numtest.Close(t, "sum of probabilities", all.Value(), 1, 1e-15)
	}
}

// How much is left open: nothing for few types, below 1 % for up to 16 types on
// 8 clusters, some percent beyond.
func TestSplitByTypeGap(t *testing.T) {
	for _, size := range []struct {
		types, clusters int
		most            float64
	}{{4, 8, ProofGap}, {4, 16, ProofGap}, {16, 4, 0.01}, {8, 8, 0.01}, {16, 8, 0.01}, {30, 60, 0.05}, {5, 500, 0.01}} {
		if size.clusters > longtest.Of(8, 500) {
			continue
		}
		rng := rand.New(rand.NewPCG(11, uint64(100*size.types+size.clusters)))
		cs := randomClusters(rng, size.clusters)
		types, mean := randomTypes(rng, size.types)
		s, err := SplitByType(context.Background(), cs, capacity(t, cs)/mean*0.6, types)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d types, %d clusters: gap %.2g", size.types, size.clusters, s.Gap())
		if s.Gap() > size.most {
			t.Errorf("%d types, %d clusters: gap %g, want at most %g", size.types, size.clusters, s.Gap(), size.most)
		}
	}
}

// No split at random is below the bound, which stays above 0, and no better
// value is claimed than the rates have.
func TestSplitByTypeBound(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, size := range []struct{ types, clusters int }{{4, 16}, {60, 30}} {
		cs := randomClusters(rng, size.clusters)
		types, mean := randomTypes(rng, size.types)
		rate := capacity(t, cs) / mean * 0.6
		s, err := SplitByType(context.Background(), cs, rate, types)
		if err != nil {
			t.Fatal(err)
		}
		if !(s.LowerBound > 0 && s.LowerBound <= s.Value && s.Value <= s.Common) {
			t.Errorf("bound %g, value %g, same mix %g", s.LowerBound, s.Value, s.Common)
		}
		numtest.Close(t, "value", s.Value, byTypeCost(cs, types, rate, s.Rates), 1e-9)
		checkShares(t, s)
		x := newRates(size.types, size.clusters)
		for range longtest.Of(200, 2000) {
			part := rng.Float64() // of the split found, the rest at random
			for i := range x {
				total := 0.0
				for j := range x[i] {
					x[i][j] = math.Pow(rng.Float64(), 8)
					total += x[i][j]
				}
				for j := range x[i] {
					x[i][j] = part*s.Rates[i][j] + (1-part)*x[i][j]/total*types[i].Share*rate
				}
			}
			if v := byTypeCost(cs, types, rate, x); v < s.LowerBound*(1-1e-12) {
				t.Fatalf("%d types, %d clusters: a split of %g, bound %g", size.types, size.clusters, v, s.LowerBound)
			}
		}
	}
}

// Types that are alike share one split; a type of share 0 has none; one cluster
// and one type leave no choice.
func TestSplitByTypeEdges(t *testing.T) {
	ctx := context.Background()
	two := []Type{{Share: 0.5, Weight: 2}, {Share: 0.25, Weight: 1}, {Share: 0, Weight: 3}, {Share: 0.25, Weight: 1}}
	s, err := SplitByType(ctx, threeClusters(), 3.5, two)
	if err != nil {
		t.Fatal(err)
	}
	for j := range s.Rates[1] {
		numtest.Close(t, "alike", s.Rates[3][j], s.Rates[1][j], 1e-15)
		if s.Rates[2][j] != 0 || s.Probabilities[2][j] != 0 {
			t.Errorf("type of share 0: %v", s.Rates[2])
		}
	}
	one, err := SplitByType(ctx, threeClusters()[:1], 0.5, two)
	if err != nil {
		t.Fatal(err)
	}
	if !one.Proven() || one.Probabilities[0][0] != 1 || one.Value != one.Common {
		t.Errorf("one cluster: %+v", one)
	}
}

// A search stops wherever its context ends.
func TestSplitByTypeCancel(t *testing.T) {
	cs := manyClusters(12)
	types := []Type{{Share: 0.4, Weight: 10, ServiceRatio: 2, SecondMomentRatio: 4}, {Share: 0.6, Weight: 1}}
	rate := capacity(t, cs) / 2
	for _, after := range []int{0, 10, 300, 700} {
		ctx := &ending{Context: context.Background(), after: after}
		if _, err := SplitByType(ctx, cs, rate, types); !errors.Is(err, context.Canceled) {
			t.Errorf("ended after %d questions: error %v", after, err)
		}
		if ctx.asked > after+5 {
			t.Errorf("ended after %d questions, asked %d", after, ctx.asked)
		}
	}
}

// ending is a context that ends after a number of questions.
type ending struct {
	context.Context
	after, asked int
}

func (e *ending) Err() error {
	if e.asked++; e.asked > e.after {
		return context.Canceled
	}
	return nil
}
