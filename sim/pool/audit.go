package pool

import (
	"fmt"
	"math"
)

// audited is the number of epochs between two checks of a run, 0 for none; tests set it.
var audited = 0

// A ConservationError says that a run lost or made something: it is a fault of
// the program.
type ConservationError struct {
	At   float64 // s
	What string
}

func (e *ConservationError) Error() string {
	return fmt.Sprintf("pool: at %.6g s: %s", e.At, e.What)
}

// audit checks what may neither be lost nor made.
func (x *run) audit() error {
	fault := func(format string, args ...any) error {
		return &ConservationError{x.now, fmt.Sprintf(format, args...)}
	}
	if in := int32(len(x.queue) + len(x.active)); x.arrived != x.done+x.dropped+in {
		return fault("%d jobs came, %d were done, %d dropped, %d are there", x.arrived, x.done, x.dropped, in)
	}
	if x.occupied > x.pool.Dedicated {
		return fault("%d jobs on %d dedicated machines", x.occupied, x.pool.Dedicated)
	}
	if x.taken > x.pool.Dedicated && x.pool.Frozen == 1 {
		return fault("%d dedicated machines taken of %d", x.taken, x.pool.Dedicated)
	}
	on, machines, held, up, down := 0, 0, 0, 0, 0
	if x.owners == nil {
		x.owners = make([]int32, len(x.hosts))
	}
	x.audits++ // the mark of this round
	for _, slot := range x.active {
		j := x.jobs[slot]
		if j.place == dedicated {
			on++
		}
		if j.machine {
			machines++
		}
		if (j.place == dedicated || j.place == entering || j.place == ashore) != j.machine {
			return fault("job %d at %d has a machine: %v", j.id, j.place, j.machine)
		}
		if len(j.replicas) > x.pool.Replicas {
			return fault("job %d has %d replicas of %d", j.id, len(j.replicas), x.pool.Replicas)
		}
		sum := x.now - j.began
		for _, s := range j.spent {
			sum += s
		}
		if math.Abs(sum-(x.now-j.At)) > 1e-6*(1+x.now) {
			return fault("job %d is %g s here, of which %g s are told", j.id, x.now-j.At, sum)
		}
		working := j.place == dedicated
		for _, i := range j.replicas {
			r := &x.replicas[i]
			if r.job != slot || r.state == unused {
				return fault("job %d has a replica that is not its own", j.id)
			}
			working = working || r.state == works
			if r.linked && r.state == receives {
				up++
			} else if r.linked {
				down++
			}
			if r.state == dead {
				continue
			}
			held++
			if x.owners[r.host] == x.audits || !x.hosts[r.host].held {
				return fault("machine %d holds two replicas, or none", r.host)
			}
			x.owners[r.host] = x.audits
			if x.hosts[r.host].until < x.now || !x.hosts[r.host].on {
				return fault("machine %d is away and works", r.host)
			}
			if r.state == works && x.progress(r) > j.Work*(1+1e-9)+1e-6 {
				return fault("job %d is beyond its end", j.id)
			}
		}
		if working != (j.doing == runs) {
			return fault("job %d works: %v, is told to do %d", j.id, working, j.doing)
		}
		if j.inside > j.Work*(1+1e-9) {
			return fault("job %d did %g s of %g s inside", j.id, j.inside, j.Work)
		}
	}
	if on != x.occupied || machines != x.taken {
		return fault("%d and %d dedicated machines, counted %d and %d", on, machines, x.occupied, x.taken)
	}
	if up != x.up.n || down != x.down.n {
		return fault("%d transfers up and %d down, counted %d and %d", up, down, x.up.n, x.down.n)
	}
	if v := int(x.levels[levelPublic].value); held != v {
		return fault("%d public machines held, counted %d", held, v)
	}
	for _, l := range []*link{&x.up, &x.down} {
		if l.moved > l.capacity*x.now*(1+1e-9)+1 {
			return fault("the link carried %g bits of at most %g", l.moved, l.capacity*x.now)
		}
	}
	return nil
}
