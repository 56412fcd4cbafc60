// Package longtest keeps tests that take long out of go test as one runs it by
// hand. CI sets CAPPLAN_LONG and runs them all.
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
