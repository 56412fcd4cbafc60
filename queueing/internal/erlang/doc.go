// Package erlang has the loss and delay formulas of Erlang without checks, and
// the busy shares that follow from them, for the models of package queueing and
// of its rooms: whoever calls them has checked servers and load at his door.
package erlang
