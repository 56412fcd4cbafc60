package say

import "math"

// Rough writes a probability of a law that only approximates, as that of a bag, in percent:
// its tails are not known to a thousandth, so that nothing is said beyond.
func Rough(p float64, digits int) string {
	switch {
	case p > 0.999:
		return "> 99.9%"
	case p > 0 && p < 0.001:
		return "< 0.1%"
	}
	return Fraction(p, digits)
}

// Chance writes a share of random draws with the digits that their number supports: tenths of a
// percent from 100 draws on. If no draw is of a kind, that is not impossible: with 95 % confidence
// its share is below 3/draws (the rule of three, Hanley and Lippman-Hand 1983), which is written
// rounded up to 1, 2 or 5; with six draws or fewer below 1 − 0.05^(1/draws), which the rule
// approximates.
func Chance(p float64, draws int) string {
	// Without draws the chance was computed, and all its digits count.
	if draws < 1 {
		return Fraction(p, 3)
	}
	bound := roundedUp(3 / float64(draws))
	switch tenths := math.Round(1000 * p); {
	case bound >= 0.5 && p <= 0:
		return "< " + Fraction(math.Ceil(100*(1-math.Pow(0.05, 1/float64(draws))))/100, 2)
	case bound >= 0.5 && p >= 1:
		return "> " + Fraction(math.Floor(100*math.Pow(0.05, 1/float64(draws)))/100, 2)
	case bound >= 0.5: // hardly any draws
	case p <= 0:
		return "< " + Fraction(bound, 1)
	case p >= 1:
		return "> " + Fraction(1-bound, 15)
	case tenths == 0:
		return "< 0.1%"
	case tenths == 1000:
		return "> 99.9%"
	case draws >= 100:
		return Fraction(tenths/1000, 3)
	}
	return Fraction(math.Round(100*p)/100, 2)
}

// roundedUp is the next greater of 1, 2 and 5 times a power of ten.
func roundedUp(v float64) float64 {
	ten := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if v <= m*ten*(1+1e-9) {
			return m * ten
		}
	}
	return 10 * ten
}
