package backtest

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"sync"
	"testing"

	"github.com/capplan/capplan/planner/machines"
	"github.com/capplan/capplan/smp"
)

// walker is a machine whose load walks at random, an hour a step.
func walker(i int) *machines.Recorder {
	rng := rand.New(rand.NewPCG(uint64(i), 7))
	l := machines.Labelling{KeepLoads: true}
	r := l.NewRecorder("m" + strconv.Itoa(i))
	x := rng.Float64()
	for t := range 24 * 21 {
		x = math.Min(1, math.Abs(x+0.05*rng.NormFloat64()))
		_ = r.Add(smp.Sample{Time: 1.7e9 + 3600*float64(t), Load: x, FreeMemory: math.NaN()})
	}
	return r
}

// evaluate judges machines in an order, from several goroutines, by a draw of so much work; 0 is all.
func evaluateWalkers(t *testing.T, order []int, most float64) *EvaluateAnswer {
	v, err := NewEvaluation(&EvaluateQuestion{Day: "weekday", Starts: []float64{0, 12 * 3600},
		Windows: []float64{2 * 3600, 5 * 3600}, Models: []string{"last", "share"}, Ratios: []float64{0.3},
		Noise: &NoiseQuestion{Instances: []int{2}, Repetitions: 2}, Whole: most == 0})
	if err != nil {
		t.Fatal(err)
	}
	if most > 0 {
		v.draw.most = most
	}
	var all sync.WaitGroup
	for _, i := range order {
		all.Go(func() {
			if err := v.Add(t.Context(), 0, i, walker(i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	a, err := v.Finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// A large fleet is judged by machines that do not depend on the order in which they come, and whose means
// are as near to those of all as their standard errors say.
func TestEvaluationOfADraw(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(400)
	whole := evaluateWalkers(t, order, 0)
	if whole.DrawnOf != 0 || whole.Hosts != 400 || whole.Models[0].MeanSE != nil {
		t.Fatalf("the whole: %d of %d machines", whole.Hosts, whole.DrawnOf)
	}
	a := evaluateWalkers(t, order, 3e7)
	if a.DrawnOf != 400 || a.Hosts < 40 || a.Hosts > 200 {
		t.Fatalf("%d of %d machines", a.Hosts, a.DrawnOf)
	}
	if again := evaluateWalkers(t, rand.Perm(400), 3e7); !reflect.DeepEqual(a, again) {
		t.Errorf("in another order: %+v, want %+v", again, a)
	}
	far := 0
	for m, x := range a.Models {
		y := whole.Models[m]
		for w := range x.Windows {
			x, y := x.Windows[w].ErrorSummary, y.Windows[w].ErrorSummary
			if d := math.Abs(*x.Mean-*y.Mean) / *x.MeanSE; !(d < 4) {
				t.Errorf("%s: mean %v ± %v, of all %v", a.Models[m].Model, *x.Mean, *x.MeanSE, *y.Mean)
			} else if d > 2 {
				far++
			}
			if d := math.Abs(*x.PoolMean-*y.PoolMean) / *x.PoolSE; !(d < 4) {
				t.Errorf("%s: pooled %v ± %v, of all %v", a.Models[m].Model, *x.PoolMean, *x.PoolSE, *y.PoolMean)
			} else if d > 2 {
				far++
			}
		}
	}
	if far > 3 {
		t.Errorf("%d of 12 means are more than two standard errors off", far)
	}
	if n := a.Noise.Scores[0].Hosts; n > a.Hosts {
		t.Errorf("noise in %d machines of %d", n, a.Hosts)
	}
}

// A few machines are judged whatever they take, unless one alone takes far too long.
func TestFewestAreDrawn(t *testing.T) {
	if a := evaluateWalkers(t, []int{0, 1, 2, 3, 4}, 1); a.Hosts != fewestDrawn || a.DrawnOf != 5 {
		t.Errorf("%d of %d machines, want %d of 5", a.Hosts, a.DrawnOf, fewestDrawn)
	}
	var starts, windows []float64
	for i := range 1440 {
		starts, windows = append(starts, 60*float64(i)), append(windows, 3600*float64(1+i%600))
	}
	q := &EvaluateQuestion{Day: "both", Starts: starts[:200], Windows: windows[:100], Order: 64, AIC: true}
	v, err := NewEvaluation(q)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.Add(t.Context(), 0, 0, walker(0)); err == nil {
		t.Error("hours of computing are begun")
	}
}
