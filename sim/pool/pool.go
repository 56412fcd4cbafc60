package pool

import (
	"fmt"
	"math"

	"github.com/capplan/capplan/hosts"
	"github.com/capplan/capplan/law"
)

// A Pool is the system: dedicated machines of speed 1 in one cluster, public
// machines behind a link, jobs, users, and the policy that moves the jobs. It is a
// [sim.Model]. [Default] returns that of the paper.
type Pool struct {
	Dedicated int
	Public    Public
	Link      Link
	Jobs      Workload
	Agreement Agreement
	Policy    Policy
	// Epoch is δ, the time between two runs of the scheduler, and that between
	// two life pulses of a replica, s.
	Epoch    float64
	CoolDown float64 // how long a job that has migrated stays where it is, s
	Oldest   float64 // T_old: a job that waits longer is dropped, s
	Replicas int     // k, of a job on public machines
	// Frozen is the share of the footprint that is moved while the job stands
	// still, within (0, 1]. Below 1 the whole is first copied as the job goes on
	// (pre-copy).
	Frozen float64
	// FromStore makes up lost replicas from the state in the cluster's store. By
	// default they are copies of a live sibling, line to line past the link.
	FromStore bool
}

// Public are the machines that come and go.
type Public struct {
	Machines int
	Speed    Law       // of a dedicated machine
	Speeds   []float64 // if any, in the place of Speed: machine i has number i mod n
	Coming   Coming
}

// Link is the network between the cluster and the public machines.
type Link struct {
	Up, Down float64 // of the cluster, bits per s
	Line     float64 // of a public machine, bits per s each way
	Latency  float64 // s
}

// Agreement is what each user was promised.
type Agreement struct {
	Ratio         float64    // ρ within (0, 1] of min(B, V₀) that is to be delivered
	MaxLoad       [2]float64 // V₀ of a user, uniform between the two, erlangs; +Inf for no bound
	Window        float64    // τ, over which B and V count for the priority, s
	MaxElongation float64    // e_max: a job beyond it earns nothing; +Inf for no bound
}

// A Policy says how jobs come to dedicated machines.
type Policy int

const (
	// Preemptive is algorithm 1: the jobs of highest priority migrate there.
	Preemptive Policy = iota
	// Static leaves jobs where they were begun, and admits that of the user of
	// greatest deviation first.
	Static
)

// Default returns the system of PCU sections 5.1 and 5.4 at the given rate of
// arrivals, with our readings where the paper is silent: the law of the speeds,
// the intervals of the machines, τ, e_max, ρ, T_old and the cool-down.
func Default(rate float64) Pool {
	const minute = 60.0
	return Pool{
		Dedicated: 100,
		Public: Public{
			Machines: 10000,
			Speed:    LogNormalOf(.34, .5),
			Coming: Coming{
				On: Mixture{
					{.33, law.Exponential{Scale: 3 * minute}},
					{.40, law.Exponential{Scale: 25 * minute}},
					{.27, law.Exponential{Scale: 300 * minute}},
				},
				Off: Mixture{{.33, law.Exponential{Scale: 7 * minute}}, {.67, law.Exponential{Scale: 55 * minute}}},
			},
		},
		Link: Link{Up: 100e6, Down: 100e6, Line: 1e6, Latency: .1},
		Jobs: Poisson{Rate: rate, Work: Constant(5000), Footprint: 8e6, Users: 100},
		Agreement: Agreement{
			Ratio:         .9,
			MaxLoad:       [2]float64{math.Inf(1), math.Inf(1)},
			Window:        4 * 3600,
			MaxElongation: 2,
		},
		Epoch:    120,
		CoolDown: 120,
		Oldest:   3600,
		Replicas: 2,
		Frozen:   1,
	}
}

// most bounds counts, so that they and what is made of them fit.
const most = 10_000_000

// Check returns a *DomainError for the first field outside its domain.
func (p Pool) Check() error {
	const fn = "Pool"
	if err := p.Public.check(fn); err != nil {
		return err
	}
	counts := []struct {
		arg       string
		n, lo, hi int
	}{
		{"dedicated machines", p.Dedicated, 0, most},
		{"replicas", p.Replicas, 1, 1000},
		{"machines in all", p.Dedicated + p.Public.Machines, 1, 2 * most},
	}
	for _, c := range counts {
		if c.n < c.lo || c.n > c.hi {
			return &DomainError{fn, c.arg, float64(c.n), fmt.Sprintf("%d <= %s <= %d", c.lo, c.arg, c.hi)}
		}
	}
	above := []struct {
		arg string
		v   float64
	}{
		{"uplink", p.Link.Up},
		{"downlink", p.Link.Down},
		{"line of a public machine", p.Link.Line},
		{"window", p.Agreement.Window},
		{"epoch", p.Epoch},
	}
	for _, a := range above {
		if err := positive(fn, a.arg, a.v); err != nil {
			return err
		}
	}
	for _, a := range []struct {
		arg string
		v   float64
	}{
		{"latency", p.Link.Latency},
		{"cool-down", p.CoolDown},
	} {
		if err := atLeastZero(fn, a.arg, a.v); err != nil {
			return err
		}
	}
	for _, a := range []struct {
		arg string
		v   float64
	}{
		{"oldest job", p.Oldest},
		{"max elongation", p.Agreement.MaxElongation},
		{"least max load", p.Agreement.MaxLoad[0]},
	} {
		if !(a.v >= 0) { // without an end where it is +Inf
			return &DomainError{fn, a.arg, a.v, a.arg + " >= 0"}
		}
	}
	if lo, hi := p.Agreement.MaxLoad[0], p.Agreement.MaxLoad[1]; !(hi >= lo) || math.IsInf(hi, 1) != math.IsInf(lo, 1) {
		return &DomainError{fn, "greatest max load", hi, "at least the least, and a bound if that is one"}
	}
	if !(p.Agreement.Ratio > 0 && p.Agreement.Ratio <= 1) {
		return &DomainError{fn, "ratio", p.Agreement.Ratio, "0 < ratio <= 1"}
	}
	if !(p.Frozen > 0 && p.Frozen <= 1) {
		return &DomainError{fn, "frozen share", p.Frozen, "0 < frozen share <= 1"}
	}
	if p.Policy != Preemptive && p.Policy != Static {
		return &DomainError{fn, "policy", float64(p.Policy), "Preemptive or Static"}
	}
	if p.Jobs == nil {
		return &DomainError{fn, "jobs", 0, "a workload"}
	}
	return p.Jobs.check(fn)
}

func (p Public) check(fn string) error {
	if p.Machines < 0 || p.Machines > most {
		return &DomainError{fn, "public machines", float64(p.Machines), "0 <= public machines <= 1e7"}
	}
	if p.Machines == 0 {
		return nil
	}
	for i, v := range p.Speeds {
		if err := positive(fn, fmt.Sprintf("speed %d of public machines", i+1), v); err != nil {
			return err
		}
	}
	if len(p.Speeds) == 0 {
		if p.Speed == nil {
			return &DomainError{fn, "speed of public machines", 0, "a law or speeds"}
		}
		if err := checkLaw(fn, "speed of public machines", p.Speed); err != nil {
			return err
		}
	}
	return p.Coming.check(fn)
}

func (c Coming) check(fn string) error {
	if c.Population != nil {
		if n := c.Population.Size(); n < 1 || n > hosts.MostMachines {
			return &DomainError{fn, "machines of the population", float64(n), "1 to 10,000,000"}
		}
		return nil
	}
	for i, t := range c.Traces {
		if len(t) == 0 || len(t)%2 != 0 {
			return &DomainError{fn, fmt.Sprintf("intervals of trace %d", i+1), float64(len(t)),
				"as many there as away, at least one each"}
		}
		for _, d := range t {
			if err := positive(fn, fmt.Sprintf("interval of trace %d", i+1), d); err != nil {
				return err
			}
		}
	}
	if len(c.Traces) > 0 {
		return nil
	}
	if c.On == nil && c.Off == nil {
		return nil
	}
	if c.On == nil || c.Off == nil {
		return &DomainError{fn, "laws of being there and away", 1, "both or none"}
	}
	if err := checkLaw(fn, "time that a public machine is there", c.On); err != nil {
		return err
	}
	return checkLaw(fn, "time that a public machine is away", c.Off)
}
