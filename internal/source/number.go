package source

import (
	"bytes"
	"strconv"
)

// pow10 are the powers of ten that the fast path multiplies by. Powers up to 10^22 are exact as
// float64; digits bound the use to 15.
var pow10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// ParseNumber reads a decimal number. Up to 15 digits it needs no allocation:
// both the digits as a whole number and the power of ten are exact, so their
// quotient is the correctly rounded value. -0 is 0. Not a number: ok = false, nor is
// one whose size a float64 does not hold, above 1.8e308 or above 0 and below 4.9e-324:
// as 0 it would say something else, and flags refuse it too.
func ParseNumber(tok []byte) (v float64, ok bool) {
	s := tok
	if len(s) == 0 {
		return 0, false
	}
	neg := s[0] == '-'
	if neg || s[0] == '+' {
		s = s[1:]
	}
	var n int64
	digits, frac, point := 0, 0, false
	for _, c := range s {
		switch {
		case '0' <= c && c <= '9':
			n = n*10 + int64(c-'0')
			digits++
			if point {
				frac++
			}
		case c == '.' && !point:
			point = true
		default:
			return parseSlow(tok)
		}
		if digits > 15 {
			return parseSlow(tok)
		}
	}
	if digits == 0 {
		return 0, false
	}
	v = float64(n)
	if frac > 0 {
		v /= pow10[frac]
	}
	if neg && v != 0 {
		v = -v
	}
	return v, true
}

// parseSlow takes long numbers and exponents; hexadecimal, Inf and NaN, which
// strconv would take, are no numbers here.
func parseSlow(tok []byte) (float64, bool) {
	for _, c := range tok {
		switch {
		case '0' <= c && c <= '9', c == '+', c == '-', c == '.', c == 'e', c == 'E':
		default:
			return 0, false
		}
	}
	v, err := strconv.ParseFloat(string(tok), 64)
	if v == 0 {
		mantissa, _, _ := bytes.Cut(bytes.ToLower(tok), []byte{'e'})
		if bytes.ContainsAny(mantissa, "123456789") {
			return 0, false
		}
		v = 0 // -0 compares alike and is written otherwise
	}
	return v, err == nil
}
