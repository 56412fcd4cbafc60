package bags

import "iter"

// FigureColumns yields the times by which the bag is done, without help and with that of the
// design, as columns of a sweep, in s. A time that is not known is nil, as are those of a missing
// design.
func (a *FinishAnswer) FigureColumns() iter.Seq2[string, *float64] {
	return func(yield func(string, *float64) bool) {
		helped := Percentiles{}
		if a.Design != nil {
			helped = a.Design.Finish
		}
		for _, c := range []struct {
			name  string
			value *float64
		}{
			{"finish_p5_s", a.Finish.P5}, {"finish_p50_s", a.Finish.P50},
			{"finish_p95_s", a.Finish.P95}, {"finish_p99_s", a.Finish.P99},
			{"helped_p50_s", helped.P50}, {"helped_p95_s", helped.P95},
		} {
			if !yield(c.name, c.value) {
				return
			}
		}
	}
}
