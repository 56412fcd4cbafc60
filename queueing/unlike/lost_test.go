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
		kinds[2].Outages = Outages{3, 0.995}
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
				if lost[0] == 4 && machines < 120 || lost[0] == 2 && machines < 30 {
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
					for _, by := range []float64{1.003, 0.997} {
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
