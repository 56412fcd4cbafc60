package scenario

import "github.com/capplan/capplan/units"

// A Bag is a bag of tasks that runs on machines of a type that come and go, with
// help from machines of another, which are paid while they help.
type Bag struct {
	Tasks    units.Count    `json:"tasks"`     // that are independent, all there at once
	TaskTime units.Duration `json:"task_time"` // of one, on a machine of speed 1
	// Machine is the type that the tasks run on; empty: the first that is public.
	Machine string       `json:"machine,omitempty"`
	Count   *units.Count `json:"count,omitempty"`  // of these machines; nil: the limit of the type
	Server  string       `json:"server,omitempty"` // that hands out tasks: xwhep, boinc or checkpoint; empty: xwhep
	// By is the deadline, from the submission on, for which the cheapest help is
	// looked for.
	By   *units.Duration `json:"by,omitempty"`
	With *units.Fraction `json:"with,omitempty"` // chance to be done by then; nil: 95%
	// Cloud is the type of machines that help, with its price and speed; empty: the
	// dedicated one that is cheapest for its speed.
	Cloud string          `json:"cloud,omitempty"`
	Boot  *units.Duration `json:"boot,omitempty"` // of one that helps; nil: 2 min
}
