package station

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/varying"
	"github.com/capplan/capplan/sim"
)

// A Law draws times; those of package queueing do.
type Law interface {
	// Draw returns a time ≥ 0.
	Draw(r *rand.Rand) float64
	// Moments returns E[X], E[X²] and E[X³]; they decide only how long to
	// simulate and whether there is a steady state.
	Moments() (first, second, third float64)
}

// An Order says who is served next.
type Order int

// The orders. A customer who finds servers free goes to them in all of these.
const (
	FCFS    Order = iota // as they came
	SJF                  // the shortest first, uninterrupted
	SRPT                 // the shortest of what remains; interrupts
	Sharing              // all at once, at equal speed, a server each at the most
	// EASY lets a job pass those before it where it delays none but may delay all
	// except the first of them; it takes jobs' lengths to be known by Estimate.
	EASY
	// Conservative lets a job pass where it delays nobody: each has its place in
	// a profile of free servers over time, and moves up when others end early.
	Conservative
)

// Orders are their names.
var Orders = []string{"fcfs", "sjf", "srpt", "ps", "easy", "conservative"}

func (o Order) String() string {
	if o < 0 || int(o) >= len(Orders) {
		return "unknown order"
	}
	return Orders[o]
}

// A Class is a kind of customers. Who comes is said by one of Gaps, Curve and
// Sources.
type Class struct {
	Name  string
	Gaps  Law            // between arrivals
	Curve *varying.Cycle // the rate of Poisson arrivals over time, repeated
	// Sources is how many customers there are in all, each of whom thinks for a
	// time of Think before coming (again).
	Sources int
	Think   Law

	Service  Law
	Patience Law // to wait in the queue; nil for endless
	Width    int // servers a job needs at once; 0 is 1
	Reserve  int // without a queue: servers that must stay free for others
}

// A Job is one line of a log to be replayed.
type Job struct {
	At       float64 // when it comes
	Length   float64 // how long it runs
	Estimate float64 // how long the scheduler takes it to run, if more than Length
	Width    int     // servers it needs, ≥ 1
}

// A Station is c servers and who comes to them.
type Station struct {
	Servers int
	Classes []Class
	Jobs    []Job // replayed instead of the classes, in the order of At

	// Places is how many customers there is room for, waiting and served; 0 is no
	// limit. Who finds none is lost.
	Places int
	// Loss says that nobody waits: who does not fit is lost.
	Loss bool
	// Priorities says that classes go before those after them; Preemptive that
	// they interrupt them, who later resume where they left off.
	Priorities, Preemptive bool
	Order                  Order
	// Goals stop a run of jobs once it is sure to miss one of them, with [ErrMissed].
	Goals Goals
	// Steps bound what [Conservative] takes in a run; 0 is [LogSteps], some 4 s, of a log and a tenth of
	// that otherwise, +Inf no bound. See [MovedUp].
	Steps float64
	Depth int

	// Shifts are the servers in each interval of the first class's Curve, instead
	// of Servers; who is served at the end of one is served to the end.
	Shifts []int

	// Groups are unlike servers, instead of Servers, which then bounds their number.
	Groups []Group

	Percentile float64 // of waits and responses; 0 is 0.95
	MaxWait    float64 // asks for the share that waits no longer, > 0
	// MaxResponses ask each for the share that is served within it, > 0: of all who
	// come, or by ServiceLevelOf of those who are served.
	MaxResponses []float64
	// ResponsePercentile is that of responses; 0 is Percentile.
	ResponsePercentile float64
	// ServiceLevelOf says among whom that share counts where some give up.
	ServiceLevelOf queueing.ServiceLevelOf
	// Batches cuts each replication into this many samples; 0 leaves it whole.
	Batches int
}

// maxServers bounds what a station can hold, so that counts stay whole numbers.
const maxServers = 1 << 30

// maxSources bounds finitely many customers, each of whom takes memory.
const maxSources = 10_000_000

type domain struct{ err error }

func (d *domain) fail(arg string, v float64, want string) {
	if d.err == nil {
		d.err = &sim.DomainError{Func: "Station", Arg: arg, Value: v, Want: want}
	}
}

func (d *domain) count(arg string, n, least, most int) {
	if n < least || n > most {
		d.fail(arg, float64(n), fmt.Sprintf("%s within %d..%d", arg, least, most))
	}
}

func (d *domain) law(arg string, l Law) {
	if l == nil {
		d.fail(arg, 0, "a law")
		return
	}
	if m, _, _ := l.Moments(); !(m > 0) || math.IsInf(m, 1) {
		d.fail("mean of "+arg, m, "finite mean > 0")
	}
}

// Check says what of the station lies outside its domain, as a *[sim.DomainError].
func (s *Station) Check() error {
	var d domain
	d.count("Servers", s.Servers, 1, maxServers)
	d.count("Places", s.Places, 0, maxServers)
	d.count("Order", int(s.Order), 0, len(Orders)-1)
	d.count("Batches", s.Batches, 0, 1<<20)
	d.count("ServiceLevelOf", int(s.ServiceLevelOf), 0, int(queueing.Waits))
	if !(s.Steps >= 0) {
		d.fail("Steps", s.Steps, "Steps >= 0")
	}
	if s.Places > 0 && s.Places < s.Servers {
		d.fail("Places", float64(s.Places), "0, or Places >= Servers")
	}
	if !(s.Percentile >= 0 && s.Percentile < 1) {
		d.fail("Percentile", s.Percentile, "0 <= Percentile < 1")
	}
	if !(s.ResponsePercentile >= 0 && s.ResponsePercentile < 1) {
		d.fail("ResponsePercentile", s.ResponsePercentile, "0 <= ResponsePercentile < 1")
	}
	for _, t := range s.MaxResponses {
		if !(t > 0) || math.IsInf(t, 1) {
			d.fail("MaxResponses", t, "finite times > 0")
		}
	}
	if !(s.MaxWait >= 0) || math.IsInf(s.MaxWait, 1) {
		d.fail("MaxWait", s.MaxWait, "finite MaxWait >= 0")
	}
	if len(s.Jobs) > 0 && len(s.Classes) > 0 || len(s.Jobs)+len(s.Classes) == 0 {
		d.fail("Classes", float64(len(s.Classes)), "classes or jobs, not both")
	}
	wide := false
	for i, c := range s.Classes {
		c.check(&d, fmt.Sprintf("Classes[%d].", i), s)
		wide = wide || c.Width > 1
	}
	for i, j := range s.Jobs {
		d.job(i, j, s)
		wide = wide || j.Width > 1
	}
	if s.Preemptive && (!s.Priorities || s.Order != FCFS) || s.Priorities && s.Order != FCFS && s.Order != SJF {
		d.fail("Priorities",
			float64(s.Order), "Priorities in the order fcfs or sjf, Preemptive with Priorities in fcfs")
	}
	if wide && (s.Preemptive || s.Order == SRPT || s.Order == Sharing) {
		d.fail("Width", 2, "1 where customers are interrupted or share")
	}
	if s.Loss && s.Places > 0 {
		d.fail("Places", float64(s.Places), "0 with Loss")
	}
	s.checkShifts(&d)
	s.checkGroups(&d)
	return d.err
}

func (s *Station) checkShifts(d *domain) {
	if len(s.Shifts) == 0 {
		return
	}
	if len(s.Classes) == 0 || s.Classes[0].Curve == nil || len(s.Classes[0].Curve.Rate) != len(s.Shifts) {
		d.fail("Shifts", float64(len(s.Shifts)), "as many as the first class's curve has intervals")
	}
	if s.Order != FCFS && s.Order != SJF || s.Preemptive {
		d.fail("Shifts", float64(len(s.Shifts)), "none where customers are interrupted, share or are backfilled")
	}
	for _, n := range s.Shifts {
		d.count("Shifts", n, 0, s.Servers)
	}
}

func (c *Class) check(d *domain, at string, s *Station) {
	d.law(at+"Service", c.Service)
	d.count(at+"Width", c.Width, 0, s.Servers)
	d.count(at+"Reserve", c.Reserve, 0, s.Servers)
	d.count(at+"Sources", c.Sources, 0, maxSources)
	ways := 0
	if c.Gaps != nil {
		ways++
		d.law(at+"Gaps", c.Gaps)
	}
	if c.Curve != nil {
		ways++
		checkCurve(d, at+"Curve", c.Curve)
	}
	if c.Sources > 0 {
		ways++
		d.law(at+"Think", c.Think)
	}
	if ways != 1 {
		d.fail(at+"Gaps", float64(ways), "one of Gaps, Curve and Sources")
	}
	if c.Patience != nil {
		d.law(at+"Patience", c.Patience)
		if s.Preemptive || s.Order == SRPT || s.Order == Sharing || s.Order == Conservative {
			d.fail(at+"Patience", 1, "none where customers are interrupted, share or have reservations")
		}
	}
	if c.Reserve > 0 && !s.Loss {
		d.fail(at+"Reserve", float64(c.Reserve), "0 where customers wait")
	}
}

func checkCurve(d *domain, at string, c *varying.Cycle) {
	if len(c.Start) == 0 || len(c.Start) != len(c.Rate) {
		d.fail(at, float64(len(c.Start)), "one rate for each of at least one start")
		return
	}
	most := 0.0
	for i, r := range c.Rate {
		if !(r >= 0) || math.IsInf(r, 1) {
			d.fail(at, r, "finite rates >= 0")
		}
		if most = max(most, r); i > 0 && !(c.Start[i] > c.Start[i-1]) {
			d.fail(at, c.Start[i], "increasing starts")
		}
	}
	if !(c.End > c.Start[len(c.Start)-1]) || math.IsInf(c.End-c.Start[0], 0) || most == 0 {
		d.fail(at, c.End, "a finite end after the last start, and a rate > 0")
	}
}

func (d *domain) job(i int, j Job, s *Station) {
	if d.err != nil {
		return
	}
	// Millions of jobs are checked several times, and none is named unless it is wrong.
	of := func(field string) string { return fmt.Sprintf("Jobs[%d].%s", i, field) }
	switch {
	case !(j.At >= 0) || math.IsInf(j.At, 1) || i > 0 && j.At < s.Jobs[i-1].At:
		d.fail(of("At"), j.At, "finite times >= 0 in order")
	case !(j.Length >= 0) || math.IsInf(j.Length, 1):
		d.fail(of("Length"), j.Length, "finite Length >= 0")
	case !(j.Estimate >= 0) || math.IsInf(j.Estimate, 1):
		d.fail(of("Estimate"), j.Estimate, "finite Estimate >= 0")
	case j.Width < 1 || j.Width > s.Servers:
		d.count(of("Width"), j.Width, 1, s.Servers)
	}
}
