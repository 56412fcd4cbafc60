package lease

import (
	"fmt"
	"math"
)

// A Type says what may happen to a lease (InterGrid section 2.1).
type Type uint8

const (
	Cancelable     Type = iota // waits as long as it takes; killed at a preemption
	Suspendable                // waits; is suspended at a preemption and later resumed
	Migratable                 // ends by its deadline; is moved at a preemption
	NonPreemptable             // starts at once or not at all, and runs through
	Local                      // of the cluster's own users: preempts, starts at once or not at all
	types          = 5
)

// external is how many of the types external requests have.
const external = 4

var typeNames = [types]string{"cancelable", "suspendable", "migratable", "non-preemptable", "local"}

func (t Type) String() string {
	if t >= types {
		return fmt.Sprintf("Type(%d)", uint8(t))
	}
	return typeNames[t]
}

// bestEffort says that a lease waits as long as it takes.
func (t Type) bestEffort() bool { return t <= Suspendable }

// preemptable says that a running lease may be preempted.
func (t Type) preemptable() bool { return t <= Migratable }

// A state is what a lease is at; the last five are how it ends.
type state uint8

const (
	waiting    state = iota // it has a reservation
	running                 // on its nodes, overhead included
	completed               // had its nodes for its whole duration
	cancelled               // preempted, of a type that does not come back
	rejected                // not taken when it came
	failed                  // taken, and its deadline could not be kept
	unfinished              // waiting or running at the horizon
	states
)

var stateNames = [states]string{"waiting", "running", "completed", "cancelled", "rejected", "failed", "unfinished"}

// A lease is a request for nodes of one cluster for some time, and what became of
// it so far. Times are in s.
type lease struct {
	seq      uint64 // order of arrival
	ready    float64
	deadline float64 // of a Migratable, else +Inf
	work     float64 // left to do, s at the reference speed
	whole    float64 // all of it
	setup    float64 // overhead at the beginning of this reservation
	long     float64 // of this reservation, overhead included, s
	start    float64 // of the reservation, or of the run
	end      float64 // start + long
	nodes    int32
	cluster  int32
	place    int32 // among the running ones of the cluster that may be preempted
	stamp    uint32
	typ      Type
	state    state
	moved    bool // preempted at least once
}

// leases are those in the system, by number; numbers are used again.
type leases struct {
	all  []lease
	free []int32
	seq  uint64
}

// take returns the number of a new lease.
func (l *leases) take() int32 {
	l.seq++
	if n := len(l.free); n > 0 {
		id := l.free[n-1]
		l.free = l.free[:n-1]
		stamp := l.all[id].stamp
		l.all[id] = lease{seq: l.seq, stamp: stamp, deadline: math.Inf(1)}
		return id
	}
	l.all = append(l.all, lease{seq: l.seq, deadline: math.Inf(1)})
	return int32(len(l.all) - 1)
}

// give gives a number back. Events that still name it are known by their stamp.
func (l *leases) give(id int32) {
	l.all[id].stamp++
	l.free = append(l.free, id)
}
