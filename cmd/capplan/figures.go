package main

import "github.com/capplan/capplan/units"

// float turns an optional flag into an optional number of the planner.
func float[T ~float64](v *T) *float64 {
	if v == nil {
		return nil
	}
	f := float64(*v)
	return &f
}

// whole turns an optional count into an optional number of the planner.
func whole(v *units.Count) *int64 {
	if v == nil {
		return nil
	}
	n := int64(*v)
	return &n
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// orDash fills an empty cell of a table.
func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
