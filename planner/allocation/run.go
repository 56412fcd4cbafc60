package allocation

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/partials"
	"github.com/capplan/capplan/internal/pieces"
	"github.com/capplan/capplan/lp/alloc"
)

// A studyKey distinguishes the rows of a figure.
type studyKey struct {
	Method     string `json:"m"`
	Dependency string `json:"d"`
	Class      string `json:"c"`
	Job        string `json:"j"`
	Quantity   string `json:"q"`
	Level      int    `json:"l"` // −1: none
	X          int    `json:"x"` // of a point that one batch gives several of; −1: that of the case
}

// A studyPart is one batch at one point, as a shard keeps it too.
type studyPart struct {
	Rows   []measured         `json:"rows"`
	Placed map[string]float64 `json:"placed"` // by method without an answer, the share it placed
	Filled map[string]bool    `json:"filled"` // methods that the fallback answered for
	// Missing says why no assignment exists or was found; empty: one was.
	Missing string `json:"missing,omitempty"`
}

// measured is one number of one batch.
type measured struct {
	key   studyKey
	value float64 // NaN is none, as the share of no revenue
}

// A keptRow is a measured as JSON.
type keptRow struct {
	studyKey
	Value partials.Number `json:"v"`
}

// MarshalJSON writes the number to the bit, whatever it is.
func (m measured) MarshalJSON() ([]byte, error) {
	return json.Marshal(keptRow{m.key, partials.Number(m.value)})
}

// UnmarshalJSON reads what MarshalJSON wrote. Errors: those of another text.
func (m *measured) UnmarshalJSON(text []byte) error {
	var k keptRow
	err := json.Unmarshal(text, &k)
	*m = measured{k.studyKey, float64(k.Value)}
	return err
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
		if err != nil && !errors.Is(err, alloc.ErrInfeasible) && !errors.As(err, new(*alloc.NotFoundError)) {
			return studyPart{}, err
		}
		p := studyPart{Rows: rows, Placed: c.placed, Filled: c.filled}
		if err != nil {
			p.Missing = err.Error()
		}
		return p, nil
	}
	err := pieces.Fold(ctx, work, partials.JSON[studyPart](), one, func(_ int, p studyPart) error {
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
	a, err := q.gather(f, points, parts[:complete*len(points)], complete, complete < seeds)
	if err != nil && complete < seeds { // a batch that was not asked may have an assignment
		return nil, ctx.Err()
	}
	return a, err
}

// Points returns the values that the figure varies; one that is NaN where it
// varies nothing.
func (a *StudyAnswer) Points() []float64 { return slices.Clone(a.points) }

// Sums returns a quantity at a point, an index of [StudyAnswer.Points], in each batch that has an
// assignment, by method and over all dependencies. It is summed over jobs and classes if it differs
// by these, or taken for one class if that is not empty, and for some levels if any are given:
// figures by level have one dependency only. A method that has no answer in a batch is not among
// its sums.
func (a *StudyAnswer) Sums(point int, quantity, class string, levels ...int) []map[string]float64 {
	var out []map[string]float64
	for b := range a.Seeds {
		at := b*len(a.points) + point
		if point < 0 || point >= len(a.points) || at >= len(a.batches) {
			break
		}
		part := &a.batches[at]
		if part.Missing != "" {
			continue
		}
		sums := map[string]float64{}
		for _, m := range part.Rows {
			k := &m.key
			part := k.Dependency == "" || k.Level >= 0
			if k.Quantity == quantity && part && (class == "" || k.Class == class) &&
				(levels == nil || slices.Contains(levels, k.Level)) {
				sums[m.key.Method] += m.value
			}
		}
		out = append(out, sums)
	}
	return out
}
