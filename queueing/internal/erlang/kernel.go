package erlang

import (
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// B is the chance to be lost, n real servers and a erlangs offered.
func B(n, a float64) float64 {
	switch {
	case n == 0:
		return 1
	case a == 0:
		return 0
	}
	logU, excess := numeric.LogUpperRatio(n, a)
	if math.IsInf(excess, 1) {
		return math.Exp(-logU)
	}
	return 1 / (1 + excess)
}

// LogB is the logarithm of [B], also where that is below 1e-308.
func LogB(n, a float64) float64 {
	switch {
	case n == 0:
		return 0
	case a == 0:
		return math.Inf(-1)
	}
	logU, _ := numeric.LogUpperRatio(n, a)
	return -logU
}

// Carried returns 1 − [B] without cancellation.
func Carried(n, a float64) float64 {
	switch {
	case n == 0:
		return 0
	case a == 0:
		return 1
	}
	_, excess := numeric.LogUpperRatio(n, a)
	if math.IsInf(excess, 1) {
		return 1
	}
	return excess / (1 + excess)
}

// C is the chance to wait where waiting is unlimited, n > a.
func C(n, a float64) float64 {
	if a == 0 {
		return 0
	}
	b := B(n, a)
	return b * n / (n - a + a*b)
}
