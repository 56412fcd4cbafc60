// Package say writes figures for people: with their unit, as many digits as tell
// something, and in one unit where several stand below each other.
package say
