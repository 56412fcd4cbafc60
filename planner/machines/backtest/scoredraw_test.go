package backtest

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
)

// scoreWalkers scores machines in an order, from several goroutines, by a draw of so much work; 0 is all.
// By shards each is written and read back.
func scoreWalkers(t *testing.T, order []int, most float64, shards bool) *ScoreAnswer {
	s, err := NewScoring(&ScoreQuestion{Day: "both", Starts: []float64{0, 12 * 3600}, Windows: []float64{2 * 3600},
		Models: []string{AutoModel, SMPModel, KMModel}, Whole: most == 0})
	if err != nil {
		t.Fatal(err)
	}
	if most > 0 {
		s.draw.most = most
	}
	var all sync.WaitGroup
	for _, i := range order {
		all.Go(func() {
			var text json.RawMessage
			var err error
			if shards {
				if text, err = s.Score(t.Context(), walker(i)); err == nil {
					err = s.AddScored(text)
				}
			} else {
				err = s.Add(t.Context(), walker(i))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	a, err := s.Finish(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// Models are scored on machines of a large fleet that depend neither on the order in which they come nor on
// shards, and as nearly as their standard errors say.
func TestScoresOfADraw(t *testing.T) {
	order := rand.New(rand.NewPCG(1, 1)).Perm(400)
	whole := scoreWalkers(t, order, 0, false)
	if whole.DrawnOf != 0 || whole.Machines < 390 {
		t.Fatalf("the whole: %d of %d machines", whole.Machines, whole.DrawnOf)
	}
	a := scoreWalkers(t, order, 1e7, false)
	if a.DrawnOf != 400 || a.Machines < 40 || a.Machines > 200 || a.Chosen.DrawnOf != 400 {
		t.Fatalf("%d of %d machines, chosen by some of %d", a.Machines, a.DrawnOf, a.Chosen.DrawnOf)
	}
	if again := scoreWalkers(t, rand.Perm(400), 1e7, false); !reflect.DeepEqual(a, again) {
		t.Errorf("in another order: %+v, want %+v", again, a)
	}
	if again := scoreWalkers(t, order, 1e7, true); !reflect.DeepEqual(a, again) {
		t.Errorf("by shards: %+v, want %+v", again, a)
	}
	for m, x := range a.Models {
		y := whole.Models[m]
		if d := math.Abs(x.LogLoss-y.LogLoss) / *x.LogError; !(d < 3) {
			t.Errorf("%s: log loss %v ± %v, of all %v", x.Model, x.LogLoss, *x.LogError, y.LogLoss)
		}
		if d := math.Abs(x.Brier-y.Brier) / *x.BrierError; !(d < 3) {
			t.Errorf("%s: Brier %v ± %v, of all %v", x.Model, x.Brier, *x.BrierError, y.Brier)
		}
	}
}
