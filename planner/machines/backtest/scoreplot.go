package backtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// Plots returns the reliability diagram of each model: what became of windows
// against the chance that they were given, above how many there were.
func (a *ScoreAnswer) Plots(context.Context) ([]ask.Plot, error) {
	zero, one := 0.0, 1.0
	chance := ask.Axis{Name: "predicted chance to stay free", Unit: "fraction", Min: &zero, Max: &one}
	p := ask.Plot{
		Title: "Predicted and observed",
		Subtitle: fmt.Sprintf("%s machines, %s windows", units.FormatNumber(float64(a.Machines), 6),
			units.FormatNumber(float64(a.Scored), 6)),
		X: chance,
		Y: ask.Axis{Name: "observed share free", Unit: "fraction", Min: &zero, Max: &one},
	}
	n := ask.Plot{X: chance, Y: ask.Axis{Name: "windows", Scale: ask.Log}}
	for _, m := range a.Models {
		if m.Model == AutoModel && slices.ContainsFunc(a.Models, func(f ForecastScore) bool {
			return a.Chosen != nil && f.Model == a.Chosen.Model
		}) {
			continue // it would hide the model that it stands for
		}
		c, w := ask.Curve{Name: m.Model}, ask.Curve{Name: m.Model}
		for _, b := range m.Diagram {
			if b.Windows == 0 || b.Predicted == nil || b.Observed == nil {
				continue
			}
			half := 0.0
			if b.Error != nil {
				half = 2 * *b.Error
			}
			c.Add(*b.Predicted, *b.Observed)
			c.Low, c.High = append(c.Low, max(0, *b.Observed-half)), append(c.High, min(1, *b.Observed+half))
			w.Add(*b.Predicted, float64(b.Windows))
		}
		p.Curves, n.Curves = append(p.Curves, c), append(n.Curves, w)
	}
	// The diagonal is added last, so that a model has one colour in both plots.
	p.Curves = append(p.Curves, ask.Curve{Name: "right", X: []float64{0, 1}, Y: []float64{0, 1}})
	return []ask.Plot{p, n}, nil
}
