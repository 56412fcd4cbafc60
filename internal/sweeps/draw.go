package sweeps

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/report"
)

// draw draws one field against the swept flags.
func (v *View) draw(names []string, rows []Row) ([]report.Figure, error) {
	field := v.Field
	if field == "" {
		field = firstVarying(names, rows)
	}
	at := slices.Index(names, field)
	if at < 0 {
		return nil, &OptionError{"y", "the answer has no field " + spell.Quote(field) + spell.Suggest(field, names)}
	}
	values := make([]float64, len(rows))
	some := false
	var cells []string
	for i := range rows {
		cells = rows[i].Cells(cells[:0])
		v, ok := cellNumber(cells[at])
		if !ok && cells[at] != "" {
			return nil, &OptionError{"y", field + " is " + spell.Quote(cells[at]) + " at " + rows[i].Describe() + ", no number to draw"}
		}
		values[i] = math.NaN()
		if ok {
			values[i], some = v, true
		}
	}
	if !some {
		return nil, &OptionError{"plot", "no point has a value of " + field + " to draw"}
	}
	heat := v.Kind == "heat"
	if len(v.Axes) == 2 && v.Kind == "" {
		heat = len(v.Axes[0].Values) >= 3 && len(v.Axes[1].Values) >= 3
	}
	if heat && len(v.Axes) != 2 {
		return nil, &OptionError{"as", "a heat map is over two flags, want two --over"}
	}
	if heat {
		return v.drawHeat(field, rows, values)
	}
	return v.drawLines(field, rows, values)
}

// cellNumber returns the number of a cell, of true 1 and of false 0.
func cellNumber(cell string) (float64, bool) {
	switch cell {
	case "true":
		return 1, true
	case "false":
		return 0, true
	}
	v, err := strconv.ParseFloat(cell, 64)
	return v, err == nil
}

// drawLines draws a line, or one for each value of the second flag.
func (v *View) drawLines(field string, rows []Row, values []float64) ([]report.Figure, error) {
	x := v.axis(0)
	if x.names != nil {
		return nil, &OptionError{"plot", v.Axes[0].Flag + " is no number to draw a line over"}
	}
	c := chart.Chart{Title: fieldLabel(field) + " by " + v.Axes[0].Flag, XLabel: x.label, YLabel: fieldAxis(field), XLog: x.log, YLog: report.Decades(values)}
	series := map[string]int{}
	for i, row := range rows {
		if math.IsNaN(values[i]) {
			continue
		}
		name := v.Command
		if len(v.Axes) == 2 {
			name = v.Axes[1].Flag + " " + row.Values[1]
		}
		k, ok := series[name]
		if !ok {
			k = len(c.Series)
			series[name] = k
			c.Series = append(c.Series, chart.Series{Name: name, Style: chart.Line})
		}
		c.Series[k].X, c.Series[k].Y = append(c.Series[k].X, x.at[row.Values[0]]), append(c.Series[k].Y, values[i])
	}
	if len(c.Series) > 8 {
		return nil, &OptionError{"plot", fmt.Sprintf("%d lines, want 1 to 8: sweep the flag with fewer values second, or --as heat", len(c.Series))}
	}
	for k := range c.Series {
		c.Series[k].X, c.Series[k].Y = ThinLine(c.Series[k].X, c.Series[k].Y)
	}
	return []report.Figure{{ID: "sweep", Chart: c}}, nil
}

// drawHeat draws a cell for each point, the first flag along x.
func (v *View) drawHeat(field string, rows []Row, values []float64) ([]report.Figure, error) {
	x, y := v.axis(0), v.axis(1)
	x.places, y.places = ThinPlaces(x.places), ThinPlaces(y.places)
	h := &chart.Heat{X: x.places, Y: y.places, Label: fieldAxis(field), Log: report.Decades(values), Value: make([][]float64, len(y.places))}
	for i := range h.Value {
		h.Value[i] = make([]float64, len(x.places))
		for j := range h.Value[i] {
			h.Value[i][j] = math.NaN()
		}
	}
	for i := range rows {
		k, shownY := slices.BinarySearch(y.places, y.at[rows[i].Values[1]])
		l, shownX := slices.BinarySearch(x.places, x.at[rows[i].Values[0]])
		if !shownX || !shownY {
			continue
		}
		h.Value[k][l] = values[i]
		if rows[i].Infeasible != "" {
			h.Empty = "infeasible"
		}
	}
	return []report.Figure{{ID: "sweep", Chart: chart.Chart{
		Title:  fieldLabel(field) + " by " + v.Axes[0].Flag + " and " + v.Axes[1].Flag,
		XLabel: x.label, YLabel: y.label, XLog: x.log, YLog: y.log, XNames: x.names, YNames: y.names, Heat: h,
	}}}, nil
}

// A sweepAxis is a swept flag on an axis of a drawing.
type sweepAxis struct {
	label  string
	at     map[string]float64 // by the value as it was typed
	places []float64          // increasing, each once
	names  []string           // of values that are no numbers
	log    bool
}

// axis returns the axis of a swept flag.
func (v *View) axis(i int) *sweepAxis {
	a := &v.Axes[i]
	numbers, unit := a.Numbers()
	if unit == "" {
		unit = v.Unit(a.Flag)
	}
	x := &sweepAxis{label: a.Flag, at: numbers}
	if numbers == nil {
		x.at = map[string]float64{}
		for _, v := range a.Values {
			if _, ok := x.at[v]; !ok {
				x.at[v] = float64(len(x.names))
				x.names = append(x.names, v)
			}
		}
	} else if unit != "" {
		x.label += " (" + unit + ")"
	}
	for _, v := range x.at {
		x.places = append(x.places, v)
	}
	sort.Float64s(x.places)
	x.places = slices.Compact(x.places)
	x.log = x.names == nil && report.ByRatio(x.places)
	return x
}

// firstVarying returns the first field with numbers that are not the same in
// all rows, and not those of a swept flag either.
func firstVarying(names []string, rows []Row) string {
	first := make([]string, len(names))
	varies, words := make([]bool, len(names)), make([]bool, len(names))
	differs := make([][]bool, len(names)) // from each swept flag, in some row
	for i := range differs {
		if len(rows) > 0 {
			differs[i] = make([]bool, len(rows[0].Values))
		}
	}
	chosen := func(i int) bool { return varies[i] && !words[i] && !slices.Contains(differs[i], false) }
	var cells []string
	for k := range rows {
		cells = rows[k].Cells(cells[:0])
		for i, cell := range cells {
			if cell == "" || words[i] || chosen(i) {
				continue
			}
			v, ok := cellNumber(cell)
			if !ok {
				words[i] = true
				continue
			}
			for j, swept := range rows[k].Values {
				if x, ok := cellNumber(swept); !ok || x != v {
					differs[i][j] = true
				}
			}
			if first[i] == "" {
				first[i] = cell
			}
			varies[i] = varies[i] || cell != first[i]
		}
		if len(names) > 0 && chosen(0) {
			break
		}
	}
	for i := range names {
		if chosen(i) {
			return names[i]
		}
	}
	if i := slices.Index(varies, true); i >= 0 {
		return names[i]
	}
	if len(names) > 0 {
		return names[0]
	}
	return ""
}
