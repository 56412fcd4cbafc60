// Package pools answers: what does a pool of dedicated and public machines
// deliver, if its jobs are moved between the two?
//
//	file ──Read──▶ File ──Pool──▶ pool.Pool ──Ask──▶ Answer: figures with intervals
//
// A File says what there is in the units of people; what it leaves out is as in the
// paper PCU, or as package pool reads it. Its laws are written as [ParseLaw] has
// it. Logs of jobs, traces of machines and lists of speeds stand in files beside
// it.
package pools
