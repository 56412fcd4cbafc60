package sweeps

import (
	"math"
	"strconv"

	"github.com/capplan/capplan/report/say"
	"github.com/capplan/capplan/units"
)

// fieldLabel returns the name of a figure in words, without its unit.
func fieldLabel(name string) string {
	words, _ := say.FigureName(name)
	return words
}

// fieldAxis returns the name of a figure in words with its unit, for a plot.
func fieldAxis(name string) string {
	words, unit := say.FigureName(name)
	if unit == "" {
		return words
	}
	return words + " (" + unit + ")"
}

// fieldText writes a cell for people. What is no number stays as it is.
func fieldText(name, cell string) string {
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return cell
	}
	if text, ok := say.Figure(name, v, 4); ok {
		return text
	}
	if _, err := strconv.ParseInt(cell, 10, 64); err == nil && (name == "seed" || math.Abs(v) >= 1e15) {
		return cell // to be given again, or with digits that a float64 has not
	} else if err == nil {
		return units.FormatNumber(v, 15) // a count or an amount, in full
	}
	return units.FormatNumber(v, 5)
}

// fieldCell is fieldText for a column, whose times and rates are in one unit.
func fieldCell(name, cell string) any {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		switch _, unit := say.FigureName(name); unit {
		case "/s":
			return say.RateCell(v, 4)
		case "s":
			return say.TimeCell(v, 4)
		}
	}
	return fieldText(name, cell)
}
