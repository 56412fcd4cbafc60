// Package longtest keeps tests that take long out of go test as one runs it by
// hand. CI sets CAPPLAN_LONG to 1 and runs them, of lists that take minutes one case
// in a few. CAPPLAN_LONG=all runs all cases, for who changes what the lists hold.
package longtest

import (
	"os"
	"testing"
)

// Wanted says whether long tests are to run: CAPPLAN_LONG is set.
func Wanted() bool { return os.Getenv("CAPPLAN_LONG") != "" }

// Skip ends a test that takes long unless it is wanted.
func Skip(t testing.TB) {
	t.Helper()
	if !Wanted() {
		t.Skip("takes long; CAPPLAN_LONG=1 runs it, as CI does")
	}
}

// Of returns how much of a study a test does: a small draw of it by hand, all of it
// where long tests are wanted.
func Of[T any](short, all T) T {
	if Wanted() {
		return all
	}
	return short
}

// Chosen says whether case i of a list that takes minutes is done where long tests are
// wanted: one in n, or all with CAPPLAN_LONG=all.
func Chosen(i, n int) bool { return Wanted() && (i%n == 0 || all()) }

// Part is how many of n seeds are done where long tests are wanted: one in k, or all with
// CAPPLAN_LONG=all.
func Part(n, k int) int {
	if all() {
		return n
	}
	return n / k
}

func all() bool { return os.Getenv("CAPPLAN_LONG") == "all" }
