package bags

import (
	"fmt"
	"math"
)

// A Server is a middleware that hands out tasks.
type Server int

// Servers. A machine leaves:
const (
	XWHEP      Server = iota // its task is lost, and missed after a timeout
	BOINC                    // its task waits there for its return; results are checked by a quorum
	Checkpoint               // its task goes on elsewhere, as it was last saved
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

// Rules are the parameters of the servers, in seconds. The zero value of a field is
// its default, that of the paper where it has one.
type Rules struct {
	Ask       float64 // between two asks of an idle worker, times 0.5 to 1.5; 60
	KeepAlive float64 // of XWHEP, between two signs of life; 60
	Timeout   float64 // of XWHEP, from the last one until a task is given out again; 900
	Results   int     // of BOINC, given out for a task; 3
	Quorum    int     // of these, that make a task done; 2
	Deadline  float64 // of BOINC, until one more is given out; 86,400
	Backoff   float64 // of BOINC, within which an idle worker asks again; 86,400
	Save      float64 // of Checkpoint, of work between two saves; 600
}

const defaultQuorum = 2

// WithDefaults returns the rules with defaults in place of zeros.
func (r Rules) WithDefaults() Rules {
	for _, d := range []struct {
		v       *float64
		instead float64
	}{{&r.Ask, 60}, {&r.KeepAlive, 60}, {&r.Timeout, 900}, {&r.Deadline, 86400}, {&r.Backoff, 86400}, {&r.Save, 600}} {
		if *d.v == 0 {
			*d.v = d.instead
		}
	}
	if r.Results == 0 {
		r.Results = 3
	}
	if r.Quorum == 0 {
		r.Quorum = min(defaultQuorum, r.Results)
	}
	return r
}

// Check says what is wrong with rules, defaults put in, as a *DomainError.
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
