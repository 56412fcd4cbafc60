package ranking

import (
	"github.com/capplan/capplan/smp"
	"math"
)

// positive demands a finite v > 0.
func positive(fn, arg string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return &smp.DomainError{Func: fn, Arg: arg, Value: v, Want: "finite " + arg + " > 0"}
	}
	return nil
}

// nonNegative demands a finite v ≥ 0.
func nonNegative(fn, arg string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 1) {
		return &smp.DomainError{Func: fn, Arg: arg, Value: v, Want: "finite " + arg + " >= 0"}
	}
	return nil
}

// within01 demands 0 ≤ v ≤ 1.
func within01(fn, arg string, v float64) error {
	if !(v >= 0 && v <= 1) {
		return &smp.DomainError{Func: fn, Arg: arg, Value: v, Want: arg + " within 0..1"}
	}
	return nil
}
