package allocation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// A studyKey is what tells the rows of a figure apart.
type studyKey struct {
	method, dependency, class, job, quantity string
	level                                    int // −1: none
	x                                        int // of a point that one batch gives several of; −1: that of the case
}

// measured is one number of one batch.
type measured struct {
	key   studyKey
	value float64
}

// A studyPart is one batch at one point.
type studyPart struct {
	rows   []measured
	placed map[string]float64 // by method without an answer, the share it placed
	filled map[string]bool    // methods that the fallback answered for
	// missing says why no assignment exists or was found; nil: one was.
	missing error
}

// points returns the values that a batch is made for: one where the figure
// varies nothing, or all come out of one batch.
func (q *StudyQuestion) points(f *StudyFigure) []float64 {
	switch f.Over {
	case "primary_factor", "backup_factor", "jobs":
		return q.Over
	}
	return []float64{math.NaN()}
}

// run answers all batches and points of a figure. Of a batch without an assignment the reason is kept
// in place of its rows; only batches that are whole, at every point, are counted.
// The context may end it early: what is finished is an answer.
func (q *StudyQuestion) run(ctx context.Context, f *StudyFigure) (*StudyAnswer, error) {
	points := q.points(f)
	seeds := q.Seeds
	if f.Over == "job" {
		seeds = 1
	}
	n := seeds * len(points)
	parts := make([]studyPart, 0, n)
	// A batch after the other, all points of each: what is finished when the
	// context ends can be compared.
	work := pieces.Work{Name: "batches and points", Count: n, Seed: &q.Seed}
	one := func(ctx context.Context, i int) (studyPart, error) {
		c := &studyCase{ctx: ctx, q: q, f: f, seed: q.Seed + uint64(i/len(points)), x: points[i%len(points)]}
		rows, err := c.answer()
		if ctx.Err() != nil { // the answer may be what there was by then
			return studyPart{}, ctx.Err()
		}
		if err != nil && !errors.Is(err, alloc.ErrInfeasible) && !isNotFound(err) {
			return studyPart{}, err
		}
		return studyPart{rows: rows, placed: c.placed, filled: c.filled, missing: err}, nil
	}
	err := pieces.Fold(ctx, work, studyForm, one, func(_ int, p studyPart) error {
		parts = append(parts, p)
		if q.Done != nil {
			q.Done(len(parts), n)
		}
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	complete := len(parts) / len(points)
	if complete == 0 {
		return nil, ctx.Err()
	}
	// Only whole batches are counted, or points would be means over different
	// batches.
	return q.gather(f, points, parts[:complete*len(points)], complete, complete < seeds)
}

// isNotFound tells that a method found no assignment.
func isNotFound(err error) bool {
	var e *alloc.NotFoundError
	return errors.As(err, &e)
}

// gather makes means of the parts. Means at a point are over the batches that
// have an assignment there; batches without one are warned of, and methods
// without an answer counted.
func (q *StudyQuestion) gather(f *StudyFigure, points []float64, parts []studyPart, seeds int,
	stopped bool) (*StudyAnswer, error) {
	a := &StudyAnswer{
		Figure:   f.Number,
		Name:     f.Name,
		Title:    f.Title,
		Source:   "QoS-GRAF figure " + f.Number,
		Over:     f.Over,
		Quantity: f.Quantity,
		Unit:     f.Unit,
		Methods:  []string{}, Jobs: q.Jobs, Resources: q.Resources, Mix: q.Mix, CapacityLaw: string(q.CapacityLaw),
		PrimaryFactor: q.PrimaryFactor,
		BackupFactor:  q.BackupFactor,
		Seeds:         seeds,
		Seed:          q.Seed,
		Stopped:       stopped,
		Rows:          []StudyRow{},
		Unanswered:    []StudyRow{}, Substituted: []StudyRow{}, points: points, batches: parts,
	}
	if q.Fallback != "" {
		a.Fallback = (*string)(&q.Fallback)
	}
	if f.Over == "failures" {
		a.Source = "QoS-GRAF table 2"
	}
	switch {
	case f.Over == "primary_factor":
		a.PrimaryFactor = nil
	case f.Over == "backup_factor":
		a.BackupFactor = nil
	}
	if f.bf == 0 {
		a.BackupFactor = nil
	}
	named := map[string]bool{}
	for p, x := range points {
		var order []studyKey
		values := map[studyKey][]float64{}
		var missing error
		used := 0
		placed, filled := map[string][]float64{}, map[string][]float64{}
		for s := range seeds {
			part := &parts[s*len(points)+p]
			if part.missing != nil {
				missing = part.missing
				continue
			}
			used++
			for m, share := range part.placed {
				placed[m] = append(placed[m], share)
			}
			for m := range part.filled {
				filled[m] = append(filled[m], 1)
			}
			for _, m := range part.rows {
				if _, ok := values[m.key]; !ok {
					order = append(order, m.key)
				}
				values[m.key] = append(values[m.key], m.value)
			}
		}
		at := ""
		if !math.IsNaN(x) {
			at = fmt.Sprintf(" at %v", x)
		}
		// A figure of one point without a batch has nothing to show; of several
		// the others still do.
		if used == 0 && len(points) == 1 {
			return nil, &ask.InfeasibleError{Constraint: "capacity",
				Reason: fmt.Sprintf("no batch has an assignment by every method%s: %v", at, missing)}
		}
		if missing != nil {
			a.Warnings = append(a.Warnings, fmt.Sprintf(
				"%d of %d batches%s are left out, in which there is no assignment, such as: %s", seeds-used, seeds, at,
				missing,
			))
		}
		for _, k := range order {
			row := k.row(values[k], used-len(placed[k.method]))
			if !math.IsNaN(x) && row.X == nil {
				row.X = ask.Figure(x)
			}
			a.Rows = append(a.Rows, row)
			if !named[k.method] {
				named[k.method] = true
				a.Methods = append(a.Methods, k.method)
			}
		}
		for _, m := range q.Methods {
			name := string(m)
			for _, side := range []struct {
				in       []float64
				quantity string
				out      *[]StudyRow
			}{{placed[name], "placed_share", &a.Unanswered}, {filled[name], "fallback", &a.Substituted}} {
				if len(side.in) == 0 {
					continue
				}
				row := key(name, side.quantity).row(side.in, len(side.in))
				if !math.IsNaN(x) {
					row.X = ask.Figure(x)
				}
				*side.out = append(*side.out, row)
			}
			if n := len(placed[name]); n > 0 {
				rest := fmt.Sprintf("its means are over the other %d", used-n)
				if n == used {
					rest = "it has no row"
				}
				a.Warnings = append(a.Warnings, fmt.Sprintf(
					"%s has no answer in %d of %d batches%s, where it places %s of the jobs: %s", name, n, used, at,
					ask.Percent(mean(placed[name]), 4), rest,
				))
				if !named[name] {
					named[name] = true
					a.Methods = append(a.Methods, name)
				}
			}
			if n := len(filled[name]); n > 0 {
				a.Warnings = append(a.Warnings, fmt.Sprintf(
					"%s places not all jobs in %d of %d batches%s: there its figures are those of %s", name, n, used,
					at, q.Fallback,
				))
			}
		}
	}
	// In the order of the question, whichever answered first; bounds after them.
	place := func(name string) int {
		if i := slices.Index(q.Methods, alloc.Method(name)); i >= 0 {
			return i
		}
		return len(q.Methods)
	}
	slices.SortStableFunc(a.Methods, func(x, y string) int { return cmp.Compare(place(x), place(y)) })
	if len(a.Rows) == 0 {
		return nil, &ask.InfeasibleError{Constraint: "capacity", Reason: "no batch has an assignment by every method"}
	}
	return a, nil
}

// Points returns the values that the figure varies; one that is NaN where it
// varies nothing.
func (a *StudyAnswer) Points() []float64 { return slices.Clone(a.points) }

// Sums returns a quantity at a point, an index of [StudyAnswer.Points], in each
// batch that has an assignment: by method, over all dependencies, summed over
// jobs and classes where it is told apart by these, or of one class where that is
// not empty, and of some levels where there are any: figures by level have one
// dependency only. A method that has no answer in a batch is not among its sums.
func (a *StudyAnswer) Sums(point int, quantity, class string, levels ...int) []map[string]float64 {
	var out []map[string]float64
	for b := range a.Seeds {
		at := b*len(a.points) + point
		if point < 0 || point >= len(a.points) || at >= len(a.batches) {
			break
		}
		part := &a.batches[at]
		if part.missing != nil {
			continue
		}
		sums := map[string]float64{}
		for _, m := range part.rows {
			k := &m.key
			part := k.dependency == "" || k.level >= 0
			if k.quantity == quantity && part && (class == "" || k.class == class) &&
				(levels == nil || slices.Contains(levels, k.level)) {
				sums[m.key.method] += m.value
			}
		}
		out = append(out, sums)
	}
	return out
}

// row returns the mean of the values, which the batches without the key have
// as 0, with its interval by Student's t.
func (k studyKey) row(values []float64, batches int) StudyRow {
	row := StudyRow{Method: k.method, Quantity: k.quantity, Batches: batches}
	word := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	row.Dependency, row.Class, row.Job = word(k.dependency), word(k.class), word(k.job)
	if k.level >= 0 {
		row.Level = &k.level
	}
	if k.x >= 0 {
		row.X = ask.Figure(float64(k.x))
	}
	n := float64(batches)
	for _, v := range values {
		row.Mean += v / n
	}
	if batches < 2 {
		return row
	}
	// Batches without the key count as 0 here too.
	square := (n - float64(len(values))) * row.Mean * row.Mean
	for _, v := range values {
		square += (v - row.Mean) * (v - row.Mean)
	}
	half := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(0.975) * math.Sqrt(square/(n-1)/n)
	row.Low, row.High = ask.Figure(row.Mean-half), ask.Figure(row.Mean+half)
	return row
}
