package bags

import (
	"cmp"
	"fmt"
	"math"
)

// A Server is a kind of middleware that hands out tasks.
type Server int

// The servers differ in what becomes of a task whose machine leaves.
const (
	XWHEP      Server = iota // the task is lost, and handed out again after a timeout
	BOINC                    // the task waits for the machine to return; a quorum of results completes it
	Checkpoint               // the task goes on elsewhere from its last save
)

func (s Server) String() string {
	switch s {
	case XWHEP:
		return "xwhep"
	case BOINC:
		return "boinc"
	case Checkpoint:
		return "checkpoint"
	}
	return fmt.Sprintf("Server(%d)", int(s))
}

// Rules are the parameters of the servers; times are in seconds. A field of 0 stands for its
// default, which is that of the paper if the paper has one.
type Rules struct {
	Ask       float64 // mean gap between two asks of an idle worker, evenly 0.5 to 1.5 times it; 60
	KeepAlive float64 // XWHEP: gap between two signs of life of a worker; 60
	Timeout   float64 // XWHEP: from the last sign of life until its task is given out again; 900
	Results   int     // BOINC: results given out for a task; 3
	Quorum    int     // BOINC: results that complete a task; 2
	Deadline  float64 // BOINC: age of a missing result at which one more is given out; 86,400
	Backoff   float64 // BOINC: time within which an idle worker asks again; 86,400
	Save      float64 // Checkpoint: time of work between two saves; 600
}

const defaultQuorum = 2

// WithDefaults returns the rules with defaults in place of zeros.
func (r Rules) WithDefaults() Rules {
	for _, d := range []struct {
		v       *float64
		instead float64
	}{{&r.Ask, 60}, {&r.KeepAlive, 60}, {&r.Timeout, 900}, {&r.Deadline, 86400}, {&r.Backoff, 86400}, {&r.Save, 600}} {
		*d.v = cmp.Or(*d.v, d.instead)
	}
	r.Results = cmp.Or(r.Results, 3)
	r.Quorum = cmp.Or(r.Quorum, min(defaultQuorum, r.Results))
	return r
}

// Check returns a *DomainError for the first field outside its domain, after defaults are put in.
func (r Rules) Check() error {
	r = r.WithDefaults()
	for _, v := range []float64{r.Ask, r.KeepAlive, r.Timeout, r.Deadline, r.Backoff, r.Save} {
		if !(v >= 1) || math.IsInf(v, 1) {
			return &DomainError{"Rules", "time", v, "a finite time of at least 1 s"}
		}
	}
	if r.Results < 1 || r.Results > 100 || r.Quorum < 1 || r.Quorum > r.Results {
		return &DomainError{"Rules", "Quorum", float64(r.Quorum), "1 to Results, of at most 100"}
	}
	return nil
}
