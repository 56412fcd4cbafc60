package simulate

import (
	"iter"
	"math"
	"reflect"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/sim"
	"github.com/capplan/capplan/sim/bot"
	"github.com/capplan/capplan/sim/lease"
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
	low, high := within(name, ask.Figure(e.Low), ask.Figure(e.High))
	return Interval{ask.Figure(e.Mean), low, high}
}

// ranges are the values that a figure can have, by its name. All other figures are times, counts
// and rates, which are at least 0.
var ranges = map[string]struct{ least, most float64 }{
	// Jobs on machines that are faster than dedicated ones have a negative elongation.
	"elongation": {-1, math.Inf(1)}, "elongation_p95": {-1, math.Inf(1)}, "elongation_of_all": {-1, math.Inf(1)},
	// Help may make a bag later, and end it before it would without a tail.
	bot.Saving: {math.Inf(-1), math.Inf(1)}, bot.Removal: {math.Inf(-1), math.Inf(1)},
	"goodput_correlation":    {-1, 1},
	lease.UtilizationPrinted: {math.Inf(-1), 1}, // 1 less a ratio
	// Shares of time, of customers, of work and of machines.
	"wait_probability": {0, 1}, "blocking_probability": {0, 1}, "abandon_probability": {0, 1},
	"service_level": {0, 1}, "response_level": {0, 1}, "utilization": {0, 1}, "time_congestion": {0, 1},
	lease.Overhead: {0, 1}, lease.RejectionRate: {0, 1}, lease.LocalRejection: {0, 1}, lease.MigratableFailure: {0, 1},
	"uplink_use": {0, 1}, "downlink_use": {0, 1}, "public_work_share": {0, 1}, "dedicated_utilization": {0, 1},
	"dropped_share": {0, 1},
	bot.TailTasks:   {0, 1}, bot.TailTime: {0, 1}, bot.SpentShare: {0, 1}, bot.CloudTasks: {0, 1},
}

// within holds the ends of an interval to what the figure of that name can be: that of few runs
// which differ much goes beyond. Figures of a class or an interval of the day follow its name and a
// dot, those of runs without help bot.Without.
func within(name string, low, high *float64) (*float64, *float64) {
	least, most := possible(name)
	if low != nil && *low < least {
		low = ask.Figure(least)
	}
	if high != nil && *high > most {
		high = ask.Figure(most)
	}
	return low, high
}

// possible returns the least and the greatest value that the figure of a name can have.
func possible(name string) (least, most float64) {
	can, ok := ranges[strings.TrimPrefix(name[strings.LastIndexByte(name, '.')+1:], bot.Without)]
	if !ok {
		return 0, math.Inf(1)
	}
	return can.least, can.most
}

// Short says of a simulation that it was interrupted, or did not come to the precision asked for.
func Short(r *sim.Result, precision float64) (warnings []string) {
	switch {
	case r == nil:
	case r.Interrupted:
		ask.Warn(&warnings, "interrupted: these are the first %d replications", r.Replications)
	case !r.Reached && precision == 0:
		ask.Warn(&warnings, "the simulation ended after %d replications, its intervals wider than usual: ask for a "+
			"number of replications to have it go on", r.Replications)
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
