package bot

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/bags"
	"github.com/capplan/capplan/bags/spequlos"
	"github.com/capplan/capplan/hosts"
)

// A Server is a middleware that hands out tasks; see [bags.Server].
type Server = bags.Server

// The servers.
const (
	XWHEP      = bags.XWHEP
	BOINC      = bags.BOINC
	Checkpoint = bags.Checkpoint
)

// Rules are the parameters of the servers.
type Rules = bags.Rules

// A Cloud is where helpers come from. They never leave.
type Cloud struct {
	Speed hosts.Speed // operations a second; zero: CloudSpeed
	Boot  float64     // s from a worker's start until it asks for work; see DefaultBoot
}

// CloudSpeed is that of the paper's cloud workers, and of its spot instances.
var CloudSpeed = hosts.Speed{Mean: 3000, SD: 300}

// DefaultBoot is how long a cloud worker takes to boot, in seconds; the paper does not say.
const DefaultBoot = 120.0

// A Case is what is simulated.
type Case struct {
	Bag    bags.Bag
	Hosts  *hosts.Platform
	Server Server
	Rules  Rules

	// Strategy says when and how the cloud helps; nil: never.
	Strategy *spequlos.Strategy
	Cloud    Cloud
	// Credits that may be spent; negative: CreditShare of the bag.
	Credits float64
	Billing spequlos.Billing
	// Horizon is the time at which a run is given up, in seconds; 0: [DefaultHorizon], or for a bag
	// that takes long, longHorizon times what it takes at the least.
	Horizon float64

	late float64 // after it a run that has taken lateEvents is given up; 0: never
	most uint64  // events without a task done after which a run is given up; 0: any number
	all  uint64  // events in all after which it is; 0: any number
}

// CreditShare is the share of the bag that the paper's users order credits for, with the stated
// bounds of task times as times.
const CreditShare = 0.1

// DefaultHorizon is when a bag is given up: after 100 days, unless it takes long.
const DefaultHorizon = 100 * hosts.Day

// longHorizon is how many times as long as it takes at the least a bag is followed. A task on the
// slowest of machines takes ten times as long as on one of mean speed.
const longHorizon = 20

// arrived returns when the last of listed tasks arrives.
func (c *Case) arrived() (last float64) {
	for _, t := range c.Bag.Tasks {
		last = max(last, t.Arrival)
	}
	return last
}

// ManyEvents is how many events may pass without a task done in a run of a study whose horizon nobody gave, before it
// is given up, but not before twice the time of the longest task since all arrived: tasks that hardly a machine stays
// for would be tried anew for minutes. That is of XWHEP alone, and not where arrivals are drawn: elsewhere a task that
// takes many stays gets on with each.
const ManyEvents = 10_000_000

// followed returns the case as a study follows it.
func (c *Case) followed() *Case {
	f := *c
	if f.Horizon == 0 && f.Server == XWHEP && f.Bag.Arrival == nil {
		f.most = ManyEvents
	}
	return &f
}

// Order returns the credits of a bag of that many tasks.
func (c *Case) Order(tasks int) float64 {
	if c.Credits >= 0 {
		return c.Credits
	}
	clock := c.Bag.WallClock
	if clock == 0 {
		clock = c.Bag.TotalWork() / c.Bag.MeanSize() / c.Hosts.Speed.Mean
	}
	return CreditShare * float64(tasks) * clock / 3600 * spequlos.CreditsPerHour
}

// horizon is when a run is given up.
func (c *Case) horizon() float64 {
	if c.Horizon != 0 {
		return c.Horizon
	}
	if least := min(longHorizon*c.least(), math.MaxFloat64); least > DefaultHorizon { // no number where none is ever there
		return least
	}
	return DefaultHorizon
}

// least is what a bag takes at the least: the time of its work on all machines that are there, on average and at mean
// speed, and of its largest task, begun when the last of listed tasks has arrived.
func (c *Case) least() float64 {
	work, there := c.Bag.TotalWork()*c.Results(), float64(c.Hosts.Machines())*c.Hosts.Availability()
	return c.arrived() + (work/there+c.Bag.LargestWork())/c.Hosts.Speed.Mean
}

// given is the time up to which no run is given up for its events; see ManyEvents.
func (c *Case) given() float64 { return c.arrived() + 2*c.Bag.LargestWork()/c.Hosts.Speed.Mean }

// Results is how many results there are of a task at the least: one, but by BOINC as its rules say.
func (c *Case) Results() float64 {
	if c.Server != BOINC {
		return 1
	}
	return float64(c.Rules.WithDefaults().Results)
}

// A DomainError says that an argument lies outside the domain of a function.
type DomainError struct {
	Func  string  // function
	Arg   string  // argument or field
	Value float64 // what it was
	Want  string  // what it must be
}

func (e *DomainError) Error() string {
	return fmt.Sprintf("bot: %s: %s = %v, want %s", e.Func, e.Arg, e.Value, e.Want)
}

// A NeverError says that the machines of a platform can never finish a task.
type NeverError struct {
	Attempt float64 // s that the largest task takes on a machine of mean speed
	Longest float64 // s that a machine stays at most
}

func (e *NeverError) Error() string {
	return fmt.Sprintf("bot: a task takes %.4g s, and no machine stays longer than %.4g s", e.Attempt, e.Longest)
}

// Check returns the first error of a case: a *DomainError, an error of one of its parts, or a
// *NeverError if no machine ever stays as long as a task takes.
func (c *Case) Check() error {
	const fn = "Case"
	if c == nil {
		return &DomainError{fn, "case", math.NaN(), "one"}
	}
	if err := c.Bag.Check(); err != nil {
		return err
	}
	if c.Hosts == nil {
		return &DomainError{fn, "Hosts", math.NaN(), "a platform"}
	}
	if err := c.Hosts.Check(); err != nil {
		return err
	}
	if c.Server < XWHEP || c.Server > Checkpoint {
		return &DomainError{fn, "Server", float64(c.Server), "XWHEP, BOINC or Checkpoint"}
	}
	if err := c.Rules.Check(); err != nil {
		return err
	}
	r := c.Rules.WithDefaults()
	if !(c.Cloud.Boot >= 0) || math.IsInf(c.Cloud.Boot, 1) {
		return &DomainError{fn, "Cloud.Boot", c.Cloud.Boot, "a finite time >= 0"}
	}
	if s := c.Cloud.Speed; s != (hosts.Speed{}) &&
		(!(s.Mean > 0) || math.IsInf(s.Mean, 1) || !(s.SD >= 0) || math.IsInf(s.SD, 1)) {
		return &DomainError{fn, "Cloud.Speed", s.Mean, "a finite speed > 0, and a spread >= 0"}
	}
	if math.IsNaN(c.Credits) || math.IsInf(c.Credits, 1) {
		return &DomainError{fn, "Credits", c.Credits, "a finite number"}
	}
	if !(c.Horizon >= 0) || math.IsInf(c.Horizon, 1) {
		return &DomainError{fn, "Horizon", c.Horizon, "a finite time >= 0"}
	}
	if r.Results > c.Hosts.Machines() && c.Server == BOINC {
		return &DomainError{fn, "Rules.Results",
			float64(r.Results), "no more than there are machines: each gives one result of a task"}
	}
	return c.never(r)
}

// never returns a *NeverError if even machines three standard deviations faster than the mean
// cannot finish the largest task.
func (c *Case) never(r Rules) error {
	if c.Server == BOINC {
		return nil // a task waits on its machine
	}
	longest := c.Hosts.LongestStay()
	need := c.Bag.LargestWork() / (c.Hosts.Speed.Mean + 3*c.Hosts.Speed.SD)
	if c.Server == Checkpoint {
		need = min(need, r.Save)
	}
	if need > longest {
		return &NeverError{need, longest}
	}
	return nil
}

// Chance gives the random numbers of an entity; see [sim.Stream].
type Chance = func(entity ...uint64) *rand.Rand

// Kinds of entities of a run beside those of package hosts.
const (
	bagEntity   uint64 = 0x6261670000 // "bag"
	askEntity   uint64 = 0x61736b0000 // "ask"
	cloudEntity uint64 = 0x636c6f7564 // "cloud"
)
