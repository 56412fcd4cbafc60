package bags

import (
	"iter"
	"strings"

	"github.com/capplan/capplan/planner/simulate"
)

// FigureColumns yields the figures of the runs and the ends of their intervals: the median time is
// finish_p50_s, and its interval begins at finish_p50_s_low.
func (f *BagFigures) FigureColumns() iter.Seq2[string, *float64] {
	return func(yield func(string, *float64) bool) {
		for name, value := range simulate.Columns(&f.Finish) {
			figure, end, ok := strings.Cut(name, "_")
			if ok {
				end = "_" + end
			}
			if !yield("finish_"+figure+"_s"+end, value) {
				return
			}
		}
		simulate.Columns(f)(yield)
	}
}

// FigureColumns yields what help did, and the ends of the intervals.
func (h *HelpFigures) FigureColumns() iter.Seq2[string, *float64] { return simulate.Columns(h) }

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
