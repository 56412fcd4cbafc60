package sweeps

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/capplan/capplan/chart"
	"github.com/capplan/capplan/internal/spell"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/report/page"
)

// draw draws one field against the swept flags. Without --y the first figure that varies is drawn;
// without --as two axes of three values or more make a heat map. Errors: *OptionError of y, as or
// plot.
func (v *View) draw(names []string, rows Rows) ([]page.Figure, error) {
	field := v.Field
	var err error
	if field == "" {
		if field, err = firstVarying(names, rows); err != nil {
			return nil, err
		}
	}
	at := slices.Index(names, field)
	if at < 0 {
		return nil, &OptionError{"y", "the answer has no field " + spell.Quote(field) + spell.Suggest(field, names)}
	}
	n := rows.Len()
	d := &drawn{make([]float64, n), make([][]string, n), make([]bool, n)}
	some := false
	var cells []string
	err = rows.Each(func(i int, r *Row) error {
		cells = r.Cells(cells[:0])
		// An empty cell is a point without an answer; a word cannot be drawn.
		v, ok := cellNumber(cells[at])
		if !ok && cells[at] != "" {
			return &OptionError{"y",
				field + " is " + spell.Quote(cells[at]) + " at " + r.Describe() + ", no number to draw"}
		}
		d.values[i], d.at[i], d.infeasible[i] = math.NaN(), r.Values, r.Infeasible != ""
		if ok {
			d.values[i], some = v, true
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !some {
		return nil, ask.NothingDrawn("no point has a value of %s to draw", field)
	}
	// Two values along an axis are two lines rather than a map.
	heat := v.Kind == "heat"
	if len(v.Axes) == 2 && v.Kind == "" {
		heat = len(v.Axes[0].Values) >= 3 && len(v.Axes[1].Values) >= 3
	}
	if heat && len(v.Axes) != 2 {
		return nil, &OptionError{"as", "a heat map needs two flags, want two --over"}
	}
	if heat {
		return v.drawHeat(field, d)
	}
	return v.drawLines(field, d)
}

// drawn is what is drawn of rows. The three are by the number of the row.
type drawn struct {
	values     []float64  // NaN where there is none
	at         [][]string // the swept values
	infeasible []bool
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

// crowded reports whether half of the values lie in the lowest tenth of their range. There must be
// one that is not NaN.
func crowded(values []float64) bool {
	known := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(known)
	low, middle, high := known[0], known[len(known)/2], known[len(known)-1]
	return middle-low <= (high-low)/10
}

// shownDecades bounds the decades of a heat map: waits fall by a hundred of them where servers are
// idle, and those that anyone cares for would share one colour.
const shownDecades = 9

// colorScale decides whether the colours of a heat map go by the logarithm, and returns the value
// at which the scale ends, 0 for the least. If some values are 0, such as waits below what a
// float64 holds, most have to be small. At least one must not be NaN.
func colorScale(values []float64) (log bool, floor float64) {
	low, high, zero := math.Inf(1), 0.0, false
	for _, v := range values {
		switch {
		case v < 0:
			return false, 0
		case v < 1e-290: // 0 but for rounding
			zero = true
		default: // NaN changes neither
			if v < low {
				low = v
			}
			if v > high {
				high = v
			}
		}
	}
	if high < 1000*low || math.IsInf(low, 1) || zero && !crowded(values) {
		return false, 0
	}
	decade := func(v float64) int { return int(math.Floor(math.Log10(v))) }
	cut := decade(high) - shownDecades + 1
	if zero || decade(low) < cut {
		floor = math.Pow10(max(decade(low), cut))
	}
	return true, floor
}

// drawLines draws a line, or one for each value of the second flag. Errors: *OptionError for an
// axis without numbers, or for more lines than can be told apart.
func (v *View) drawLines(field string, d *drawn) ([]page.Figure, error) {
	x := v.axis(0)
	if x.names != nil {
		return nil, &OptionError{"plot", v.Axes[0].Flag + " is not a number to draw a line over"}
	}
	c := chart.Chart{
		Title:  fieldLabel(field) + " by " + v.Axes[0].Flag,
		XLabel: x.label,
		YLabel: fieldAxis(field),
		XLog:   x.log,
		// Values over several decades would lie on the axis otherwise, unless they are spread evenly.
		YLog: page.Decades(d.values) && crowded(d.values),
	}
	series := map[string]int{}
	for i, at := range d.at {
		if math.IsNaN(d.values[i]) {
			continue
		}
		name := v.Command
		if len(v.Axes) == 2 {
			name = v.Axes[1].Flag + " " + at[1]
		}
		k, ok := series[name]
		if !ok {
			k = len(c.Series)
			series[name] = k
			c.Series = append(c.Series, chart.Series{Name: name, Style: chart.Line})
		}
		c.Series[k].X, c.Series[k].Y = append(c.Series[k].X, x.at[at[0]]), append(c.Series[k].Y, d.values[i])
	}
	// More lines than that cannot be told apart.
	if len(c.Series) > 8 {
		return nil, &OptionError{"plot",
			fmt.Sprintf("%d lines, want 1 to 8: sweep the flag with fewer values second, or --as heat", len(c.Series))}
	}
	// Of a million points a line keeps those that can be seen.
	for k := range c.Series {
		c.Series[k].X, c.Series[k].Y = ThinLine(c.Series[k].X, c.Series[k].Y)
	}
	return []page.Figure{{ID: "sweep", Chart: c}}, nil
}

// drawHeat draws a cell for each point, the first flag along x. Cells of points without an answer
// stay empty.
func (v *View) drawHeat(field string, d *drawn) ([]page.Figure, error) {
	x, y := v.axis(0), v.axis(1)
	// Beyond 500 places along an axis a cell is smaller than a point of the picture.
	x.places, y.places = ThinPlaces(x.places), ThinPlaces(y.places)
	h := &chart.Heat{
		X:     x.places,
		Y:     y.places,
		Label: fieldAxis(field),
		Value: make([][]float64, len(y.places)),
	}
	h.Log, h.Floor = colorScale(d.values)
	for i := range h.Value {
		h.Value[i] = slices.Repeat([]float64{math.NaN()}, len(x.places))
	}
	for i, at := range d.at {
		k, shownY := slices.BinarySearch(y.places, y.at[at[1]])
		l, shownX := slices.BinarySearch(x.places, x.at[at[0]])
		if !shownX || !shownY {
			continue
		}
		// A value that was given twice on an axis fills its cell twice, with the same answer.
		h.Value[k][l] = d.values[i]
		if d.infeasible[i] {
			h.Empty = "infeasible"
		}
	}
	return []page.Figure{{ID: "sweep", Chart: chart.Chart{
		Title:  fieldLabel(field) + " by " + v.Axes[0].Flag + " and " + v.Axes[1].Flag,
		XLabel: x.label, YLabel: y.label, XLog: x.log, YLog: y.log, XNames: x.names, YNames: y.names, Heat: h,
	}}}, nil
}

// A sweepAxis is a swept flag on an axis of a drawing. Values that are no numbers stand at 0, 1, 2
// in the order in which they were given.
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
	// Plain numbers have the unit of the flag.
	unit = cmp.Or(unit, v.Unit(a.Flag))
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
	x.places = slices.Compact(slices.Sorted(maps.Values(x.at)))
	// Values that were given by a factor, as 1,10,100, stand evenly on an axis of logarithms.
	x.log = x.names == nil && page.ByRatio(x.places)
	return x
}

// askedFigures are what a question says of its load. They stand before what the queue does with it.
var askedFigures = []string{"offered_load_erl", "arrival_rate_per_s"}

// firstVarying returns the first field with numbers that differ between rows, and that is neither a
// swept flag nor the load that was asked for: a figure that repeats the swept value shows only a
// diagonal. If there is none, any field that varies is taken, then the first.
func firstVarying(names []string, rows Rows) (string, error) {
	first := make([]string, len(names))
	varies, words := make([]bool, len(names)), make([]bool, len(names))
	differs := make([][]bool, len(names)) // from each swept flag, in some row
	chosen := func(i int) bool {
		return varies[i] && !words[i] && !slices.Contains(differs[i], false) && !slices.Contains(askedFigures, names[i])
	}
	var cells []string
	err := rows.Each(func(_ int, r *Row) error {
		cells = r.Cells(cells[:0])
		for i, cell := range cells {
			if differs[i] == nil {
				differs[i] = make([]bool, len(r.Values))
			}
			if cell == "" || words[i] || chosen(i) {
				continue
			}
			v, ok := cellNumber(cell)
			if !ok {
				words[i] = true
				continue
			}
			for j, swept := range r.Values {
				if x, ok := cellNumber(swept); !ok || x != v {
					differs[i][j] = true
				}
			}
			first[i] = cmp.Or(first[i], cell)
			varies[i] = varies[i] || cell != first[i]
		}
		// The first column is the best there can be, and ends the walk.
		if len(names) > 0 && chosen(0) {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return "", err
	}
	for i := range names {
		if chosen(i) {
			return names[i], nil
		}
	}
	if i := slices.Index(varies, true); i >= 0 {
		return names[i], nil
	}
	if len(names) > 0 {
		return names[0], nil
	}
	return "", nil
}
