package priority

import (
	"context"
	"errors"
	"math"

	"github.com/capplan/capplan/queueing"
)

// present returns the queue of the classes that somebody comes of, and the place of
// each in q; ok is false where that is q itself, or nobody.
func (q Queue) present() (there Queue, at []int, ok bool) {
	there = q
	there.Classes = nil
	for k, class := range q.Classes {
		if class.ArrivalRate > 0 {
			there.Classes, at = append(there.Classes, class), append(at, k)
		}
	}
	return there, at, len(at) > 0 && len(at) < len(q.Classes)
}

// withAbsent answers for q by the classes that are there: one of which nobody comes
// changes nothing for the others, and must not cost them the exact form. Who would
// come of it on its own waits by the form of q, and NaN where the others' is exact
// and that form is not.
func (q Queue) withAbsent(ctx context.Context, there Queue, at []int, p prioritySums, chained bool) (
	PriorityFigures, error) {
	out, err := there.figures(ctx, chained)
	var saturated *queueing.SaturatedError
	if err != nil && !errors.As(err, &saturated) {
		return PriorityFigures{}, err
	}
	if saturated != nil {
		saturated.Index = at[saturated.Index]
	}
	classes := make([]ClassFigures, len(q.Classes))
	for i, f := range out.Classes {
		classes[at[i]] = f
	}
	exactly := there.oneRate() && !q.Preemptive
	for k, class := range q.Classes {
		if class.ArrivalRate > 0 {
			continue
		}
		f := ClassFigures{Name: class.Name, Saturated: p.gap[k+1] <= 0}
		if !f.Saturated {
			f.MeanWait = math.NaN()
			if out.Approximation != nil || exactly {
				f.MeanWait = p.wait(k, class, q.Preemptive)
			}
			f.MeanResponse = f.MeanWait + class.ServiceTime
		}
		classes[k] = f
	}
	out.Classes = classes
	return out, err
}
