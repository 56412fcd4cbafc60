// Package traffic answers: how much comes in, and when? It reads records of
// arrivals as people have them (exports of monitoring systems, of call centres,
// logs of requests) and makes of them a curve that repeats.
//
//	file ──Read──▶ Record ──Curve──▶ Curve, the record as one cycle
//	                  ├──Day────▶ Curve, a typical day
//	                  ├──Week───▶ Curve, a typical week
//	                  └──Service▶ mean, SCV and percentiles of durations
//	file ──ReadService──▶ Service, of a load test or a list of durations
//	Series of a monitor ──Record──▶ Record
//	Histogram of a monitor ──Service──▶ Service, with what its buckets leave open
//
//	name      meaning                                        unit
//	Rate      arrivals in an interval / its width            1/s
//	Width     usual distance of rows                         s
//	Start     Unix time, or since the start or midnight      s
//	Wall      Start on the clock of the place                s
//	SCV       variance / mean² of durations                  1
//
// What a file leaves open errs on the side of more servers: a missing row stands
// at the greater rate beside it, a percentile over days is a rate that was seen,
// never one between two. What was made of it is said in Notes.
//
// Assumptions. Arrivals within an interval come at one rate. Days differ by
// chance only, as far as a typical one is asked for; growth from week to week is
// in the percentiles.
//
// Left out: forecasts, holidays, and traffic by type of request: rows of one
// time are added up. Dates such as 11/12/2026, which two conventions read in two
// ways, are refused.
package traffic
