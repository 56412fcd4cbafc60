package unlike

import (
	"math"
	"slices"
	"testing"

	"github.com/capplan/capplan/internal/longtest"
	"github.com/capplan/capplan/queueing"
)

// What the states of a whole mix say of a mix after a loss is what the states of that mix say: no
// slack is further off than the bound, so that whether an objective is met is said rightly.
func TestSlackAfterLosses(t *testing.T) {
	metrics := []queueing.Metric{queueing.Blocking, queueing.MeanWait, queueing.MeanResponse, queueing.WaitTail,
		queueing.Utilization, queueing.Abandonment}
	for _, machines := range []float64{3, 40, 300}[:longtest.Of(2, 3)] {
		kinds := append(manyKinds(12, machines), Coming{Up: 1, Speed: 1.3, PerJob: 1})
		kinds[2].Outages, kinds[3].Outages = Outages{3, 0.995}, Outages{4, 0.99}
		had, rate := make([]float64, len(kinds)), 0.0
		for j, k := range kinds {
			had[j] = machines + float64(j)
			rate += had[j] * k.Up * k.Speed / k.PerJob
		}
		less := func(lost ...int) []float64 {
			left := slices.Clone(had)
			for _, j := range lost {
				left[j]--
			}
			return left
		}
		for _, when := range []WhenFull{Lossy, Queued, Impatient} {
			queue := Queue{ArrivalRate: 0.85 * rate, ServiceTime: 1, WhenFull: when, Patience: 0.6}
			table, err := NewMixTable(queue, kinds, 1e-12)
			if err != nil {
				t.Fatal(err)
			}
			for _, lost := range [][]int{{0}, {5}, {11}, {12}, {3, 8}, {4, 4}, {2}, {2, 3}} {
				if lost[0] == 4 && machines < 120 {
					if _, _, _, ok := table.SlackAfter(had, less(lost...), nil); ok {
						t.Errorf("%v: an answer for %v of %v machines", when, lost, machines)
					}
					continue
				}
				f, err := table.At(less(lost...))
				if err != nil {
					t.Fatal(err)
				}
				for _, metric := range metrics {
					o := queueing.Objective{Metric: metric, Wait: 0.1, Limit: 1}
					if o.Limit = o.Value(f); !(o.Limit > 0) || math.IsInf(o.Limit, 0) {
						continue
					}
					got, _, _, ok := table.SlackAfter(had, less(lost...), []queueing.Objective{o})
					if !ok || !(math.Abs(got) < mergedError) {
						t.Errorf("%v %v machines, %v lost: metric %v: slack %.3g where there is none, %v",
							when, machines, lost, metric, got, ok)
					}
					for _, by := range []float64{1.005, 0.995} {
						at := o
						at.Limit *= by
						_, met, missed, _ := table.SlackAfter(had, less(lost...), []queueing.Objective{at})
						if met != (by > 1) || missed == met {
							t.Errorf("%v %v machines, %v lost: metric %v at %v of its limit: met %v",
								when, machines, lost, metric, by, met)
						}
					}
				}
			}
			if _, _, _, ok := table.SlackAfter(had, less(2, 2), nil); ok {
				t.Errorf("%v: an answer for two machines that fail in groups", when)
			}
		}
	}
}

// Far below its rate a fleet is held to the rare states that decide, which merging keeps less well: the
// bound on the error grows with the distance. Machines that fail in unequal groups, and types of
// one machine, which leave none, are told as the others.
func TestSlackAfterFarLosses(t *testing.T) {
	for _, kinds := range []int{12, 60}[:longtest.Of(1, 2)] {
		for _, machines := range []float64{1, 3} {
			for _, share := range []float64{0.05, 0.3, 0.5, 0.7}[:longtest.Of(2, 4)] {
				all, had, rate := manyKinds(12, 1), make([]float64, kinds), 0.0
				for len(all) < kinds {
					all = append(all, all[:min(12, kinds-len(all))]...)
				}
				for j := range all {
					all[j].Speed *= 1 + float64(j)/100
					all[j].Outages = Outages{3, 0.99}
					all[j].Up = min(all[j].Up, 0.98)
					had[j] = machines + float64(j%3)
					rate += had[j] * all[j].Up * all[j].Speed / all[j].PerJob
				}
				table, err := NewMixTable(Queue{ArrivalRate: share * rate, ServiceTime: 1, WhenFull: Queued}, all, 1e-6)
				if err != nil {
					t.Fatal(err)
				}
				loose := []queueing.Objective{{Metric: queueing.WaitProbability, Limit: 0.999}}
				if !table.MeetsAfterAny(had, 1, loose) || table.MeetsAfterAny(had, 1e6, loose) {
					t.Errorf("%d kinds of %v machines at %v: whether a loose objective is met", kinds, machines, share)
				}
				for j := 0; j < kinds; j += kinds / 3 {
					left := slices.Clone(had)
					left[j]--
					f, err := table.At(left)
					if err != nil {
						t.Fatal(err)
					}
					o := queueing.Objective{Metric: queueing.WaitProbability, Limit: f.WaitProbability}
					slack, met, missed, ok := table.SlackAfter(had, left, []queueing.Objective{o})
					if !ok || met || missed {
						t.Errorf("%d kinds of %v machines at %v: slack %.3g where there is none (P = %.2g), met %v missed %v %v",
							kinds, machines, share, slack, o.Limit, met, missed, ok)
					}
					if table.MeetsAfterAny(had, 1, []queueing.Objective{o}) {
						t.Errorf("%d kinds of %v machines at %v: an objective that a loss just meets is met by far",
							kinds, machines, share)
					}
				}
			}
		}
	}
}
