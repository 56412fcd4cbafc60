package allocation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/capplan/capplan/internal/fault"
	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// gather makes means of the parts. Means at a point are over the batches that
// have an assignment there; batches without one are warned of, and methods
// without an answer counted.
func (q *StudyQuestion) gather(f *StudyFigure, points []float64, parts []studyPart, seeds int,
	stopped bool) (*StudyAnswer, error) {
	a := q.emptyAnswer(f)
	a.Seeds, a.Stopped, a.points, a.batches = seeds, stopped, points, parts
	for p, x := range points {
		t := tallyPoint(x, seeds, func(seed int) *studyPart { return &parts[seed*len(points)+p] })
		// A figure of one point without a batch has nothing to show; of several
		// the others still do.
		if t.used == 0 && len(points) == 1 {
			return nil, ask.Infeasiblef("capacity", 0, 0, "no batch has an assignment by every method%s: %v",
				t.place(), t.missing)
		}
		a.add(t)
		for _, m := range q.Methods {
			a.addIncomplete(string(m), q.Fallback, t)
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

// emptyAnswer returns an answer that says what was asked, without a row.
func (q *StudyQuestion) emptyAnswer(f *StudyFigure) *StudyAnswer {
	a := &StudyAnswer{
		Figure:        f.Number,
		Name:          f.Name,
		Title:         f.Title,
		Source:        "QoS-GRAF figure " + f.Number,
		Over:          f.Over,
		Quantity:      f.Quantity,
		Unit:          f.Unit,
		Methods:       []string{},
		Jobs:          q.Jobs,
		Resources:     q.Resources,
		Mix:           q.Mix,
		CapacityLaw:   string(q.CapacityLaw),
		PrimaryFactor: q.PrimaryFactor,
		BackupFactor:  q.BackupFactor,
		Seed:          q.Seed,
		Rows:          []StudyRow{},
		Unanswered:    []StudyRow{},
		Substituted:   []StudyRow{},
	}
	if q.Fallback != "" {
		a.Fallback = (*string)(&q.Fallback)
	}
	if f.Over == "failures" {
		a.Source = "QoS-GRAF table 2"
	}
	if f.Over == "primary_factor" {
		a.PrimaryFactor = nil
	}
	if f.Over == "backup_factor" || f.bf == 0 {
		a.BackupFactor = nil
	}
	return a
}

// A pointTally is what the batches give at one point of a figure.
type pointTally struct {
	x      float64 // NaN where the figure varies nothing
	seeds  int
	used   int                    // batches with an assignment
	order  []studyKey             // as they were first met
	values map[studyKey][]float64 // of the batches that have the key
	// By method, a value a batch: the share placed where it has no answer, and 1
	// where the fallback answered for it.
	placed, filled map[string][]float64
	missing        string // why a batch has no assignment; empty: all have one
}

// tallyPoint collects the parts of a point in the order of their seeds.
func tallyPoint(x float64, seeds int, part func(seed int) *studyPart) *pointTally {
	t := &pointTally{
		x:      x,
		seeds:  seeds,
		values: map[studyKey][]float64{},
		placed: map[string][]float64{},
		filled: map[string][]float64{},
	}
	for s := range seeds {
		p := part(s)
		if p.Missing != "" {
			t.missing = p.Missing
			continue
		}
		t.used++
		for m, share := range p.Placed {
			t.placed[m] = append(t.placed[m], share)
		}
		for m := range p.Filled {
			t.filled[m] = append(t.filled[m], 1)
		}
		for _, m := range p.Rows {
			if _, ok := t.values[m.key]; !ok {
				t.order = append(t.order, m.key)
			}
			t.values[m.key] = append(t.values[m.key], m.value)
		}
	}
	return t
}

// place says where a warning about the point belongs.
func (t *pointTally) place() string {
	if math.IsNaN(t.x) {
		return ""
	}
	return fmt.Sprintf(" at %v", t.x)
}

// row returns the mean of values of a key, at the point unless the key has its own.
func (t *pointTally) row(k studyKey, values []float64, batches int) StudyRow {
	row := k.row(values, batches)
	if !math.IsNaN(t.x) && row.X == nil {
		row.X = ask.Figure(t.x)
	}
	return row
}

// add adds the rows of a point.
func (a *StudyAnswer) add(t *pointTally) {
	if t.missing != "" {
		ask.Warn(&a.Warnings, "%d of %s%s are left out because they have no assignment, such as: %s",
			t.seeds-t.used, fault.Count(t.seeds, "batch", "batches"), t.place(), t.missing)
	}
	for _, k := range t.order {
		a.Rows = append(a.Rows, t.row(k, t.values[k], t.used-len(t.placed[k.Method])))
		a.name(k.Method)
	}
}

// name adds a method to those that are shown.
func (a *StudyAnswer) name(method string) {
	if !slices.Contains(a.Methods, method) {
		a.Methods = append(a.Methods, method)
	}
}

// addIncomplete notes in how many batches of a point a method had no answer, and in how many the
// fallback answered for it.
func (a *StudyAnswer) addIncomplete(method string, fallback alloc.Method, t *pointTally) {
	if placed := t.placed[method]; len(placed) > 0 {
		n := len(placed)
		a.Unanswered = append(a.Unanswered, t.row(key(method, "placed_share"), placed, n))
		rest := fmt.Sprintf("its means cover the other %d", t.used-n)
		if n == t.used {
			rest = "it has no row"
		}
		ask.Warn(&a.Warnings, "%s has no answer in %d of %s%s, where it places %s of the jobs: %s", method, n,
			fault.Count(t.used, "batch", "batches"), t.place(), ask.Percent(stat.Mean(placed, nil), 4), rest)
		a.name(method)
	}
	if filled := t.filled[method]; len(filled) > 0 {
		n := len(filled)
		a.Substituted = append(a.Substituted, t.row(key(method, "fallback"), filled, n))
		ask.Warn(&a.Warnings, "%s does not place all jobs in %d of %s%s: its figures there come from %s",
			method, n, fault.Count(t.used, "batch", "batches"), t.place(), fallback)
	}
}

// row returns the mean of the values, which the batches without the key have
// as 0, with its interval by Student's t.
func (k studyKey) row(values []float64, batches int) StudyRow {
	row := StudyRow{Method: k.Method, Quantity: k.Quantity, Batches: batches}
	word := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	row.Dependency, row.Class, row.Job = word(k.Dependency), word(k.Class), word(k.Job)
	if k.Level >= 0 {
		row.Level = &k.Level
	}
	if k.X >= 0 {
		row.X = ask.Figure(float64(k.X))
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
