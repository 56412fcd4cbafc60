// Package growth answers: by how much does a load grow until a day, and from which day
// on is it more than a fleet takes?
//
//	[Growth.Factor]  times a peak, times (1 + g)^y until a [Date]
//	[Growth.Beyond]  the first day on which a load is above the most, [FallsShort]
//
//	symbol  name  unit
//	g       Rate  share a year, above −1; 20%/year or, compounded, 1.5%/month
//	y             years of the calendar, see [Growth]
//
// A [Rate] and a [Date] are read and written as text, by flags, scenarios and JSON alike.
//
// Left out: growth that is not exponential, and seasons; what changes within a week is a curve of
// package traffic.
package growth
