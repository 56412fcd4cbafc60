// Package simulate runs beside a closed form the simulation of the same system,
// and says figure by figure whether the two agree.
//
//	[Question] ──Of(station)──▶ [Simulation]: each [Figure] with its interval and verdict
//
// A figure agrees where the closed form lies within 1.75 times the 95 % interval, and
// more where the runs are few, about the 99.9 % one: an answer has ten figures, and of
// 95 % intervals one in twenty misses. Of rare events the interval is the one that the closed form would
// give. Where it does not the relative difference is given, and with an exact model
// that is a fault worth reporting.
//
// The questions of packages sizing and queues hold a *Question; nil asks for no
// simulation.
package simulate
