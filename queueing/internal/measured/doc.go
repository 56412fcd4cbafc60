// Package measured has what was found of each approximation of package queueing
// and of its rooms, which their warnings quote. It is made by go generate
// ./planner/approximations.
package measured
