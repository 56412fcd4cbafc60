package simulate

import (
	"iter"
	"reflect"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/units"
)

// An Interval is a simulated figure with its 95 % interval: all null where there
// was nothing to count, an end null where too few replications bound it.
type Interval struct {
	Mean *float64 `json:"mean"`
	Low  *float64 `json:"low"`
	High *float64 `json:"high"`
}

// IntervalOf returns the figure of a name.
func IntervalOf(r *sim.Result, name string) Interval {
	if r == nil {
		return Interval{}
	}
	e, ok := r.Figure(name)
	if !ok || e.Samples == 0 || e.Undefined == r.Replications {
		return Interval{}
	}
	return Interval{ask.Figure(e.Mean), ask.Figure(e.Low), ask.Figure(e.High)}
}

// Short says of a simulation that it was interrupted, or did not come to the precision asked for.
func Short(r *sim.Result, precision float64) (warnings []string) {
	switch {
	case r == nil:
	case r.Interrupted:
		ask.Warn(&warnings, "interrupted: these are the first %d replications", r.Replications)
	case !r.Reached:
		ask.Warn(&warnings, "the precision of %s was not reached in %d replications: the intervals show the "+
			"precision that was reached",
			units.FormatFraction(precision, 3), r.Replications)
	}
	return warnings
}

// Fill takes the figures of a result into the Intervals among the fields of a struct that
// figures points to, each by its JSON name.
func Fill(figures any, r *sim.Result) {
	v := reflect.Indirect(reflect.ValueOf(figures))
	if v.Kind() != reflect.Struct || !v.CanSet() {
		return
	}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Type == reflect.TypeFor[Interval]() {
			v.Field(i).Set(reflect.ValueOf(IntervalOf(r, f.Tag.Get("json"))))
		}
	}
}

// Columns are the Intervals among the fields of a struct, by JSON name the mean and
// by name_low and name_high the ends, so that a sweep has a column for each.
func Columns(figures any) iter.Seq2[string, *float64] {
	v := reflect.Indirect(reflect.ValueOf(figures))
	return func(yield func(string, *float64) bool) {
		if v.Kind() != reflect.Struct {
			return
		}
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			f, ok := v.Field(i).Interface().(Interval)
			name := v.Type().Field(i).Tag.Get("json")
			if ok && (!yield(name, f.Mean) || !yield(name+"_low", f.Low) || !yield(name+"_high", f.High)) {
				return
			}
		}
	}
}
