package units

import "time"

// Exactly returns a known value for a field that takes a range, as in
// Load: units.Exactly[units.Erlang](120).
func Exactly[T Quantity](v T) *Range[T] {
	r := Point(v)
	return &r
}

// Between returns the triangular range for a field that takes one: low, most
// likely, high. The bounds are not checked; see [Range.Check].
func Between[T Quantity](low, mode, high T) *Range[T] {
	r := Triangular(low, mode, high)
	return &r
}

// DurationOf restates a duration of the standard library: DurationOf(5 * time.Hour).
func DurationOf(d time.Duration) Duration { return Duration(d.Seconds()) }

// PerHour returns the price of an amount an hour.
func PerHour(amount float64) Price { return Price(amount / 3600) }
