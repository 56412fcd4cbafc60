package bags

import (
	"strings"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/units"
)

// A HostsSpec says in words and numbers which machines there are: those of a name, or as many as
// are wanted whose times there and away follow laws. What follows Down changes either.
type HostsSpec struct {
	HostsName string       `json:"hosts,omitempty"`    // see [HostNames]; empty: Count says how many
	Count     *units.Count `json:"machines,omitempty"` // those that are away among them
	Up        string       `json:"up,omitempty"`       // law of a stay, see [ParseLaw]; empty: machines never leave
	Down      string       `json:"down,omitempty"`     // law of the time away

	Speed     *units.Number   `json:"speed,omitempty"`     // mean in operations a second; nil: 1000, or that of the name
	SpeedCV   *units.Number   `json:"speed_cv,omitempty"`  // nil: 0.25, or that of the name
	Departure *units.Fraction `json:"departure,omitempty"` // chance that a machine that leaves never returns
	// Machines of a group share outages; the two laws are of the time between these and of their
	// length.
	Groups    *units.Count `json:"groups,omitempty"`
	GroupUp   string       `json:"group_up,omitempty"`
	GroupDown string       `json:"group_down,omitempty"`
}

// Desktop is the speed of a machine if none is given, from SpeQuloS table 2.
var Desktop = hosts.Speed{Mean: 1000, SD: 250}

// Platform makes the machines. Errors: *ask.InputError of the field that is missing, unknown or out
// of its range.
func (s *HostsSpec) Platform() (*hosts.Platform, error) {
	p, err := s.named()
	if err != nil {
		return nil, err
	}
	return p, s.Adjust(p)
}

// named makes the machines as they are before Speed and what follows it.
func (s *HostsSpec) named() (*hosts.Platform, error) {
	if s.HostsName == "" {
		return s.byLaws()
	}
	// Two descriptions of the machines contradict each other.
	if s.Count != nil || s.Up != "" || s.Down != "" {
		return nil, ask.Inputf("hosts", "{machines}, {up} and {down} replace it: give either")
	}
	if p, ok := NamedHosts(s.HostsName); ok {
		return p, nil
	}
	return nil, &ask.InputError{Field: "hosts", Reason: Unknown(s.HostsName, HostNames())}
}

// lawHosts is the name of machines that are described in numbers.
const lawHosts = "laws"

// byLaws makes machines of numbers and laws. The count is bounded by hosts.MostMachines, which
// bounds memory.
func (s *HostsSpec) byLaws() (*hosts.Platform, error) {
	if s.Count == nil {
		return nil, ask.Missing("hosts", "one of "+strings.Join(HostNames(), ", ")+"; or a number of machines")
	}
	if *s.Count > hosts.MostMachines {
		return nil, ask.Inputf("machines", "is %s, want at most 10,000,000", ask.Digits(float64(*s.Count)))
	}
	p := &hosts.Platform{Name: lawHosts, Count: int(*s.Count), Speed: Desktop}
	// Machines that never leave need no law; one that stays for a time has to be away for one as well.
	if s.Down == "" {
		if s.Up != "" {
			return nil, ask.Missing("down", LawForm)
		}
		if ask.Value(s.Departure) > 0 {
			return nil, ask.Inputf("departure", "machines without {up} and {down} never leave")
		}
		return p, nil
	}
	var err error
	if p.Up, err = FieldLaw("up", s.Up); err != nil {
		return nil, err
	}
	p.Down, err = FieldLaw("down", s.Down)
	return p, err
}

// Adjust gives machines the speed, departures and groups that are asked for, and checks them.
// Errors: *ask.InputError.
func (s *HostsSpec) Adjust(p *hosts.Platform) (err error) {
	if p == nil {
		return ask.Missing("hosts", "machines that may be adjusted")
	}
	// A new mean keeps the coefficient of variation: machines that are twice as fast spread as before
	// in proportion.
	if s.Speed != nil {
		cv := p.Speed.SD / p.Speed.Mean
		p.Speed.Mean = float64(*s.Speed)
		p.Speed.SD = cv * p.Speed.Mean
	}
	if s.SpeedCV != nil {
		p.Speed.SD = float64(*s.SpeedCV) * p.Speed.Mean
	}
	p.Departure = ask.Or(s.Departure, p.Departure)
	// The count has no default: a single group is a shared outage of all.
	if s.Groups == nil && (s.GroupUp != "" || s.GroupDown != "") {
		return ask.Inputf("groups", "outages need their number, such as 4")
	}
	if s.Groups != nil {
		// One more than may be is enough to be refused by the check of the platform, and fits an int.
		p.Groups.Count = int(min(*s.Groups, hosts.MostMachines+1))
		if p.Groups.Up, err = FieldLaw("group_up", s.GroupUp); err != nil {
			return err
		}
		if p.Groups.Down, err = FieldLaw("group_down", s.GroupDown); err != nil {
			return err
		}
	}
	// The check of the model names its own fields, which FromModel turns into those of a question.
	return FromModel(p.Check())
}

// FieldLaw reads the law of a field that has to be given. Errors: *ask.InputError of the field.
func FieldLaw(field, text string) (law.Law, error) {
	if text == "" {
		return nil, ask.Missing(field, LawForm)
	}
	l, err := ParseLaw(text)
	if err != nil {
		return nil, &ask.InputError{Field: field, Reason: err.Error()}
	}
	return l, nil
}

// A BagSpec says in words and numbers which tasks there are: those of a name, or as many alike as
// are wanted.
type BagSpec struct {
	BagName   string          `json:"bag,omitempty"`          // see [BagNames]; empty: Tasks and TaskTime say
	Tasks     *units.Count    `json:"tasks,omitempty"`        // all there from the beginning
	TaskTime  *units.Duration `json:"task_time_s,omitempty"`  // of one on a machine of mean speed
	WallClock *units.Duration `json:"wall_clock_s,omitempty"` // bound that the user states; nil: the tasks' time
}

// Make makes the bag. The machines come first, since the work of a task follows from their mean
// speed. Errors: *ask.InputError of the field that is missing, unknown or out of its range.
func (s *BagSpec) Make(on *hosts.Platform) (*bags.Bag, error) {
	if on == nil {
		return nil, ask.Missing("hosts", "the machines that the tasks run on")
	}
	b, err := s.named(on)
	if err != nil {
		return nil, err
	}
	return b, s.Bound(b)
}

// named makes the bag as it is before its user states a bound.
func (s *BagSpec) named(on *hosts.Platform) (*bags.Bag, error) {
	if s.BagName != "" {
		if s.Tasks != nil || s.TaskTime != nil {
			return nil, ask.Inputf("bag", "{tasks} and {task_time} replace it: give either")
		}
		if b, ok := NamedBag(s.BagName); ok {
			return b, nil
		}
		return nil, &ask.InputError{Field: "bag", Reason: Unknown(s.BagName, BagNames())}
	}
	switch {
	case s.Tasks == nil:
		return nil, ask.Missing("bag", "one of "+strings.Join(BagNames(), ", ")+"; or a number of tasks and their time")
	case s.TaskTime == nil:
		return nil, ask.Missing("task_time", taskTimeForm)
	case *s.TaskTime == 0:
		return nil, ask.Inputf("task_time", "is 0, want %s", taskTimeForm)
	}
	// The time is for a machine of mean speed; the work is that time in operations, so that
	// a fast machine takes less.
	work := float64(*s.TaskTime) * on.Speed.Mean
	if work < bags.LeastWork {
		return nil, ask.Inputf("task_time", "is %s s at a {speed} of %s, want at least 1e-100 operations",
			ask.Digits(float64(*s.TaskTime)), ask.Digits(on.Speed.Mean))
	}
	return &bags.Bag{Name: numbered, Size: bags.Spread{Mean: float64(*s.Tasks)}, Work: bags.Spread{Mean: work}}, nil
}

// numbered is the name of bags that are described in numbers.
const numbered = "tasks"

// fieldOf returns the field that a bag comes from: the given one of a bag in numbers.
func fieldOf(b *bags.Bag, field string) string {
	if b.Name == numbered && len(b.Tasks) == 0 {
		return field
	}
	return "bag"
}

const taskTimeForm = "the time of a task on a machine of mean speed such as 20min"

// Bound puts the user's bound, if there is one, in place of the bag's own, and checks the bag.
// Errors: *ask.InputError.
func (s *BagSpec) Bound(b *bags.Bag) error {
	if b == nil {
		return ask.Missing("bag", "a bag to bound")
	}
	b.WallClock = ask.Or(s.WallClock, b.WallClock)
	return FromModel(b.Check())
}
