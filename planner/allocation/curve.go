package allocation

import (
	"context"

	"github.com/capplan/capplan/lp/alloc"
	"github.com/capplan/capplan/planner/ask"
)

// A RevenueCurve is the greatest relaxed revenue of a dependency against the
// capacity of its resources together: concave.
type RevenueCurve struct {
	Dependency string    `json:"dependency"`
	Capacity   []float64 `json:"capacity"` // corners, in the unit of the dependency
	Revenue    []float64 `json:"revenue"`  // there
	At         float64   `json:"at_capacity"`
	// the curve at the capacity that there is: lp_bound, of which prices and budget have taken
	// nothing
	Bound  float64 `json:"at_bound"`
	Answer *int64  `json:"at_revenue"` // of the assignment, nil for bounds only
}

// boundCurvePoints is how many corners an answer of bounds alone keeps of each
// curve.
const boundCurvePoints = 200

// plottedPoints is how many corners of each curve a plot has.
const plottedPoints = 400

// Plots returns the greatest revenue against capacity, a curve for each
// dependency, with the answer at the capacity that there is. The batch is asked
// again, since an answer does not keep corners that only a picture needs.
func (a *Answer) Plots(context.Context) ([]ask.Plot, error) {
	if a.system == nil {
		return nil, ask.NotDrawn("the answer was read from a file and does not hold its batch")
	}
	curves, err := revenueCurves(a.system, a, plottedPoints)
	if err != nil {
		return nil, err
	}
	p := ask.Plot{
		Title:    "Revenue against capacity",
		Subtitle: "line: no assignment earns more at that capacity (LP bound); dot: this answer at the given capacity",
		X:        ask.Axis{Name: "capacity of all resources of the dependency (its unit)"},
		Y:        ask.Axis{Name: "revenue"},
	}
	switch {
	case a.Revenue == nil:
		p.Subtitle = "line: no assignment earns more at that capacity (LP bound); dot: the given capacity"
	case a.Costs():
		p.Subtitle = "before prices; line: no assignment earns more at that capacity; dot: this answer at the " +
			"given capacity"
	}
	proven := ask.Curve{Name: "proven bound", Style: ask.Apart}
	// Prices and budgets bound the net revenue of all dependencies together, and
	// no point of one curve is that.
	for i, c := range curves {
		if !a.Costs() { // after prices there is another
			proven.Add(c.At, a.Dependencies[i].Best())
		}
		at := ask.Or(c.Answer, c.Bound)
		p.Curves = append(p.Curves, ask.Curve{Name: c.Dependency, X: c.Capacity, Y: c.Revenue})
		p.Marks = append(p.Marks, ask.Mark{X: c.At, Y: at, Name: c.Dependency})
	}
	if len(proven.X) > 0 {
		p.Curves = append(p.Curves, proven)
	}
	return []ask.Plot{p}, nil
}

// revenueCurves thins the corners of the curves. Beyond the last corner more
// capacity earns nothing more.
func revenueCurves(s *alloc.System, a *Answer, points int) ([]RevenueCurve, error) {
	curves := make([]RevenueCurve, len(a.Dependencies))
	for i := range a.Dependencies {
		d := &a.Dependencies[i]
		c, err := s.Curve(d.Dependency)
		if err != nil {
			return nil, err
		}
		c = c.Thin(points)
		bound, _, _ := c.At(float64(d.Capacity))
		curves[i] = RevenueCurve{d.Dependency, c.Capacity, c.Revenue, float64(d.Capacity), bound, d.Revenue}
		if last := len(c.Capacity) - 1; curves[i].At > c.Capacity[last] {
			curves[i].Capacity, curves[i].Revenue = append(c.Capacity, curves[i].At), append(c.Revenue, c.Revenue[last])
		}
	}
	return curves, nil
}
