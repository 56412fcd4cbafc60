// Package say writes figures for people: with their unit, as many digits as tell
// something, and in one unit where several stand below each other.
//
//	a number with its unit   3.5 h, 12 ms, 99.95 %, 5.4/s
//	a column of them         one unit for all, so that they compare by their digits
//	a chance near 0 or 1     as many nines or zeros as tell it apart
//	an estimate              to the last digit of its standard error
//
// JSON has the full precision and base units: who computes with a figure takes it there.
package say
