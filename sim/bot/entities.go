package bot

import "github.com/capplan/capplan/hosts"

// A kind of event.
type kind uint8

const (
	arrives kind = iota // a task, who
	changes             // a machine comes or goes
	ends                // a worker finishes its task
	lost                // a lost task, who, is given out again
	late                // a result of machine who for task unit is past its deadline
	asks                // one of the idle workers asks
	looks               // SpeQuloS
	boots               // a cloud worker is up
)

type event struct {
	kind  kind
	stamp uint32
	who   int32
	unit  int32
}

const none = int32(-1)

// A unit is a task as the server sees it. There may be millions; what only some servers and
// strategies need to know of a unit is kept in slices of the run that the others do without.
type unit struct {
	work     float64
	assigned bool
	done     bool
	results  int16
	running  int16 // copies on workers as far as the server knows, without the cloud
	queued   int16 // copies waiting
	copies   int16 // in the cloud, given out so far
}

// A holder is a machine that a result of a unit was given to.
type holder struct {
	worker int32
	back   bool
}

// A worker is a machine, or a cloud worker.
type worker struct {
	host  hosts.Host
	unit  int32
	began float64 // when it began or resumed it
	left  float64 // work left at that time
	given float64 // when it was given the unit
	idle  int32   // index among the idle; none: not idle
	stamp uint32  // of its end event; stopping a cloud worker changes it
	cloud int32   // its number with SpeQuloS; none for a machine
	copy  bool    // its work is a copy in addition to those of the server

	round  uint32 // round of the queue in which it passed the entries
	passed int32
}
