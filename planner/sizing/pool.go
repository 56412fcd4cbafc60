package sizing

import (
	"math"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/queueing/unlike"
)

// A Pool is a public pool of unreliable machines beside the dedicated servers.
// Machines may be fractional where they enter by their mean.
type Pool struct {
	Machines     float64 `json:"public_servers" as:"public"`
	Speed        float64 `json:"public_speed"`        // mean, of a dedicated server
	SpeedCV      float64 `json:"public_speed_cv"`     // 0: credit the mean speed, as the source does
	Availability float64 `json:"public_availability"` // 0..1
	Replicas     float64 `json:"replicas"`            // of each job, ≥ 1
	// Count says how machines that come and go enter; empty: averaged, or
	// mean where Outage is below a tenth of the service time.
	Count  PublicCount `json:"public_count,omitempty"`
	Outage float64     `json:"public_outage_s,omitempty"` // mean time away, s; 0: not known
}

// A PublicCount is how public machines that come and go enter the figures.
type PublicCount string

// The counts.
const (
	// CountAveraged takes the mean of each figure over the number of machines
	// that are up (binomial), each a server of its own speed; r machines that
	// are up hold one job in r replicas. It holds where outages are longer
	// than services. See [unlike.Varying].
	CountAveraged PublicCount = "averaged"
	// CountMean takes the mean number of equivalent servers for all, as PCU
	// section 4.6 does: N = Nd + Tp/(r·Td)·Pav·Np servers of speed 1.
	CountMean PublicCount = "mean"
)

// shortOutage is the share of a service below which an outage counts as short. It
// is a choice and no law: with outages of a tenth of a service a job sees many of
// them, and so the mean.
const shortOutage = 0.1

// CountFor says how machines enter that are away for so long at a time, in s
// or 0 where that is not known: averaged over how many are up, but by the mean
// where outages are much shorter than a service. The two counts are the ends of
// what happens between: outages so long that the queue settles in between, and
// outages that nobody notices.
func CountFor(outage float64, s Load) PublicCount {
	if outage > 0 && s.Clock && outage < shortOutage*s.Service {
		return CountMean
	}
	return CountAveraged
}

// Words says the count in a line of an answer.
func (c PublicCount) Words() string {
	if c == CountMean {
		return "by the mean number up"
	}
	return "averaged over how many are up"
}

// counted returns the pool with the count resolved. The pool of the question is
// not changed, whose empty count stays empty.
func (p *Pool) counted(t *Traffic, s Load) (*Pool, error) {
	out := *p
	if out.Outage < 0 || math.IsNaN(out.Outage) {
		return nil, ask.Inputf("public_outage", "%s is not a time away, want a duration above 0 such as 10min",
			ask.Time(out.Outage))
	}
	switch {
	case out.Count != "" && out.Count != CountAveraged && out.Count != CountMean:
		return nil, ask.Inputf("public_count", "%q is not a count, want averaged or mean", string(out.Count))
	case out.Count != "" && out.Outage > 0:
		return nil, ask.Inputf("public_outage", "only chooses between the two of {public_count}, which is given: leave "+
			"out one of them")
	case t != nil && t.Log != nil: // the model of wide jobs knows no fleet but by its size
		if out.Count == CountAveraged {
			return nil, ask.Inputf("public_count",
				"a log of wide jobs uses a pool by its mean number up: want {public_count} mean")
		}
		out.Count = CountMean
	case out.Count == "" && out.Outage > 0 && !s.Clock:
		return nil, ask.Inputf("service_time", "%s is in seconds and the load contains no time: give {service_time}, or in "+
			"its place {public_count} mean or averaged", ask.FieldName("public_outage"))
	case out.Count == "":
		out.Count = CountFor(out.Outage, s)
	}
	return &out, nil
}

// speed is that of a public machine with its jobs' replicas. Without a spread the replicas of a job
// run at the mean speed, however many there are: they take machines and help only against failures.
func (p *Pool) speed() (float64, error) {
	if !(p.SpeedCV > 0) {
		return p.Speed, nil
	}
	fastest, err := queueing.FastestSpeed(p.Speed, p.SpeedCV, p.Replicas)
	if err != nil {
		return 0, ask.FromQueueing("public", err)
	}
	return fastest, nil
}

// equivalent returns what the pool and the dedicated servers are worth. It is Nd
// + Tp/(r·Td)·Pav·Np of PCU section 4.6.
func (p *Pool) equivalent(dedicated float64) (float64, error) {
	speed, err := p.speed()
	if err != nil {
		return 0, err
	}
	pool := queueing.Pool{Machines: p.Machines, Speed: speed, Availability: p.Availability, Replicas: p.Replicas}
	n, err := queueing.EquivalentServers(dedicated, pool)
	if err != nil {
		return 0, ask.FromQueueing("public", err)
	}
	return n, nil
}

// beside returns the queue of a scenario in the number of dedicated servers;
// a pool that is averaged over the number up is part of it.
func (t *Traffic) beside(kind ModelKind, s Load, pool *Pool) (queueing.Model, error) {
	// A pool by its mean is a number of servers, which the fleet adds to those
	// bought, and the queue is that of equal servers.
	if pool == nil || pool.Count == CountMean || pool.Machines == 0 {
		return t.ModelOf(kind, s), nil
	}
	speed, err := pool.speed()
	if err != nil {
		return nil, err
	}
	coming := unlike.Coming{Machines: pool.Machines, Up: pool.Availability, Speed: speed, PerJob: pool.Replicas}
	// The patience is in seconds, and the queue counts in services.
	rate, service, unit := s.Counted()
	m := t.UnlikeModelOf(kind, Load{Rate: rate, Service: service, Clock: s.Clock})
	m.Patience /= unit
	return queueing.InUnits{Model: unlike.Varying{Queue: m, Coming: []unlike.Coming{coming}}, Unit: unit}, nil
}

// UnlikeModelOf returns the queue of a load on servers of several speeds. A kind
// that waits takes SCVs of 1 where none are given; the sizing under sharing
// refuses pools before it comes here.
func (t *Traffic) UnlikeModelOf(kind ModelKind, s Load) unlike.Queue {
	m := unlike.Queue{ArrivalRate: s.Rate, ServiceTime: s.Service}
	switch kind {
	case Loss:
		m.WhenFull = unlike.Lossy
	case Abandon:
		m.WhenFull, m.Patience = unlike.Impatient, float64(*t.Patience)
	default:
		m.WhenFull, m.ArrivalSCV, m.ServiceSCV = unlike.Queued, ask.Or(t.ArrivalSCV, 1.0), ask.Or(t.ServiceSCV, 1.0)
	}
	return m
}

// explainPool shows how the public machines enter. The mean count has one step,
// the averaged one the law of the machines up, the servers it makes, and the mean
// over them.
func (f *Fleet) explainPool(e *ask.Explanation, g queueing.Figures) {
	p := f.pool
	worth := ask.Digits(f.worth)
	if p.Count == CountMean {
		e.Step("equivalent servers", "N = Nd + Tp/(r·Td)·Pav·Np",
			ask.Sprintf("N = %v + %s = %v", g.Servers-f.others, worth, g.Servers), "PCU section 4.6")
		e.Assumptions = append(e.Assumptions,
			"moving a job between machines costs nothing; a public machine counts as its availability times its "+
				"relative speed, divided by the replicas, as if the same number were always up and speed were a "+
				"number of servers")
		return
	}
	e.Model = "fleet that comes and goes, averaged over the number of machines that are up; an arrival takes an " +
		"idle server at random"
	up := p.Machines * p.Availability
	e.Step("machines up", "P(u) = Np!/(u!(Np − u)!)·Pavᵘ·(1 − Pav)^(Np−u)",
		ask.Sprintf("of %v machines %v are up on average, give or take %v", p.Machines, up,
			math.Sqrt(up*(1-p.Availability))), "each up or down independent of the others")
	speed, err := p.speed()
	if err != nil { // was computed before
		speed = p.Speed
	}
	e.Step("servers", "n = Nd of speed 1 and u/r of speed Tp/Td",
		ask.Sprintf("%v of speed 1 and, on average, %v of speed %v", g.Servers-up/p.Replicas, up/p.Replicas, speed),
		"r machines that are up hold one job in r replicas")
	formula, figure := "B = Σ_u P(u)/∫₀^∞ e^(−t) ∏(1 + t·s_j/a)^(n_j) dt", g.Blocking
	if f.Kind != Loss {
		formula, figure = "P(W>0) = Σ_u P(u)·C(u), C = B/(1 − ρ(1 − B)), ρ = a/Σ n_j·s_j", g.WaitProbability
	}
	if f.Kind == Abandon {
		formula = "P(W>0) = Σ_u P(u)·λJ/(E + λJ) as in Erlang A, with Σ n_j·s_j servers instead of n in J"
	}
	e.Step("mean over the machines up", formula, ask.Sprintf("a = %v erl: %v", g.OfferedLoad, figure),
		"Gumbel 1960 for unlike servers; Erlang's formulas where all are alike")
	e.Assumptions = append(e.Assumptions,
		"outages last longer than services: the queue is in the steady state of the machines that are up; if "+
			"outages are much shorter than a service ask for the mean (public-count mean)",
		"arrivals are Poisson; an arrival takes one of the idle servers at random. Taking the fastest first was "+
			"never worse in any small fleet tried, and no dispatch loses less than as many servers of the "+
			"greatest speed",
		"moving a job between machines costs nothing; its replicas run at the mean speed, or with public-speed-cv "+
			"at the speed of the fastest")
}
