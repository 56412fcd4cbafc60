package hosts

import (
	"math"

	"github.com/capplan/capplan/law"
)

// A Platform is a population of machines that come and go. Either Up and Down,
// Records or Population say how.
type Platform struct {
	Name  string
	Count int // machines, 1 to MostMachines; with Records or a Population their number, or 0
	// Up and Down are the laws of how long a machine is there and away, of package
	// law. Down may be nil: the machines never leave.
	Up, Down law.Law
	// Records are courses that were recorded, one a machine. A run begins at a
	// random moment of them, the same for all, and goes round at the end.
	Records []Record
	// Population are machines each with a course of its own.
	Population Population
	Speed      Speed
	// Departure is the chance that a machine that leaves does so for good.
	Departure float64
	// Groups are outages that machines share.
	Groups Groups
}

// A Speed says how fast the machines are, in operations a second: normal, and no
// less than a tenth of the mean.
type Speed struct {
	Mean float64 // > 0
	SD   float64 // >= 0
}

// Groups divide the machines into as many parts of equal size, each with a course
// of its own; a machine is there only while its group is. The zero value is no
// group.
type Groups struct {
	Count    int
	Up, Down law.Law
}

// A Record is the course of one machine: the times at which it changes, from down
// to up at first, over a span from 0 on.
type Record struct {
	Changes []float64 // growing, within 0..Span; up from Changes[0] on, down from Changes[1]
	Span    float64   // s, > 0
}

// Up returns the time that the machine was there.
func (r Record) Up() float64 {
	sum := 0.0
	for i := 0; i < len(r.Changes); i += 2 {
		end := r.Span
		if i+1 < len(r.Changes) {
			end = r.Changes[i+1]
		}
		sum += end - r.Changes[i]
	}
	return sum
}

// constant says that the machine is always there, or never.
func (r Record) constant() bool {
	up := r.Up()
	return up == 0 || up == r.Span
}

// MostMachines is the greatest number of machines of a platform.
const MostMachines = 10000000

// Means of laws that a run can draw in reasonable time, in seconds.
const (
	leastMean    = 1.0
	greatestMean = 1e9
)

// Check says what is wrong with a platform, as a *DomainError.
func (p *Platform) Check() error {
	const fn = "Platform"
	if p.Count == 0 && (len(p.Records) > 0 || p.Population != nil) {
		counted := *p
		counted.Count = p.Machines()
		p = &counted
	}
	switch {
	case p.Population != nil && (len(p.Records) > 0 || p.Up != nil || p.Down != nil):
		return &DomainError{fn, "Population", math.NaN(), "it, records, or laws of all: one of them"}
	case p.Population != nil && p.Population.Size() != p.Count:
		return &DomainError{fn, "Count", float64(p.Count), "as many machines as the Population"}
	case p.Count < 1 || p.Count > MostMachines:
		return &DomainError{fn, "Count", float64(p.Count), "1 to 10,000,000 machines"}
	case len(p.Records) > 0 && len(p.Records) != p.Count:
		return &DomainError{fn, "Count", float64(p.Count), "as many machines as Records"}
	case len(p.Records) == 0 && p.Up == nil && p.Down != nil:
		return &DomainError{fn, "Up", math.NaN(), "a law of how long a machine stays"}
	case !(p.Speed.Mean > 0) || math.IsInf(p.Speed.Mean, 1):
		return &DomainError{fn, "Speed.Mean", p.Speed.Mean, "a finite speed > 0"}
	case !(p.Speed.SD >= 0) || math.IsInf(p.Speed.SD, 1):
		return &DomainError{fn, "Speed.SD", p.Speed.SD, "a finite spread >= 0"}
	case !(p.Departure >= 0 && p.Departure <= 1):
		return &DomainError{fn, "Departure", p.Departure, "a chance of 0..1"}
	case p.Groups.Count < 0 || p.Groups.Count > p.Count:
		return &DomainError{fn, "Groups.Count", float64(p.Groups.Count), "no more groups than machines"}
	case p.Groups.Count > 0 && (p.Groups.Up == nil || p.Groups.Down == nil):
		return &DomainError{fn, "Groups", float64(p.Groups.Count), "laws of how long a group is there and away"}
	}
	for _, l := range []law.Law{p.Up, p.Down, p.Groups.Up, p.Groups.Down} {
		if l == nil {
			continue
		}
		m := l.Mean()
		if !(m >= leastMean && m <= greatestMean) {
			return &DomainError{fn, "mean of a law", m, "1 s to 1e9 s"}
		}
		if !math.IsNaN(law.Equilibrium(l, m)) {
			continue
		}
		if _, err := law.LengthBiasedQuantile(l, 0.5); err != nil {
			return &DomainError{fn, "law", math.NaN(), "a law of package law: " + err.Error()}
		}
	}
	for _, r := range p.Records {
		before := 0.0
		for _, t := range r.Changes {
			if !(t >= before && t <= r.Span) {
				return &DomainError{fn, "change in a record", t, "times that grow, within the span"}
			}
			before = t
		}
		if !(r.Span > 0) || math.IsInf(r.Span, 1) {
			return &DomainError{fn, "span of a record", r.Span, "a finite time > 0"}
		}
	}
	return nil
}

// Machines returns their number.
func (p *Platform) Machines() int {
	switch {
	case p.Population != nil:
		return p.Population.Size()
	case len(p.Records) > 0:
		return len(p.Records)
	}
	return p.Count
}

// OwnAvailability is the share of time that a machine is there, its group's
// outages and departures left aside.
func (p *Platform) OwnAvailability() float64 {
	if p.Population != nil {
		return populationAvailability(p.Population)
	}
	if len(p.Records) > 0 {
		up, span := 0.0, 0.0
		for _, r := range p.Records {
			up += r.Up()
			span += r.Span
		}
		return up / span
	}
	return share(p.Up, p.Down)
}

// GroupAvailability is the share of time that a group is there, 1 without groups.
func (p *Platform) GroupAvailability() float64 {
	if p.Groups.Count == 0 {
		return 1
	}
	return share(p.Groups.Up, p.Groups.Down)
}

// Availability is the share of time that a machine is there, departures left
// aside.
func (p *Platform) Availability() float64 { return p.OwnAvailability() * p.GroupAvailability() }

func share(up, down law.Law) float64 {
	if down == nil {
		return 1
	}
	if up == nil {
		return math.NaN()
	}
	a, u := up.Mean(), down.Mean()
	return a / (a + u)
}

// LongestStay returns how long a machine stays at most, +Inf where its law has no
// end, of records that never leave, and of a Population;
// NaN for a platform that does not pass Check.
func (p *Platform) LongestStay() float64 {
	if p.Check() != nil {
		return math.NaN()
	}
	if p.Population != nil {
		return math.Inf(1)
	}
	if len(p.Records) == 0 {
		if l, ok := p.Up.(law.LogLinear); ok && p.Down != nil && len(l.T) > 0 {
			return l.T[len(l.T)-1]
		}
		return math.Inf(1)
	}
	longest := 0.0
	for _, r := range p.Records {
		if r.constant() && r.Up() > 0 {
			return math.Inf(1)
		}
		for i := 0; i < len(r.Changes); i += 2 {
			end := r.Span
			if i+1 < len(r.Changes) {
				end = r.Changes[i+1]
			} else if len(r.Changes) > 1 && r.Changes[0] == 0 { // goes on at the beginning
				end += r.Changes[1]
			}
			longest = max(longest, end-r.Changes[i])
		}
	}
	return longest
}
