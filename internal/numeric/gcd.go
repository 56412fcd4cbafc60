package numeric

// GCD is the greatest common divisor of a and b >= 0, by Euclid's algorithm; GCD(a, 0) = a.
func GCD[T int | int64](a, b T) T {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}
