package routing

import (
	"fmt"
	"math"
	"strconv"

	"github.com/capplan/capplan/internal/fault"
)

// A Cluster serves a local stream, which has preemptive priority, and the
// external requests that are routed to it.
type Cluster struct {
	Name string // for messages; "" is called by its number

	LocalRate         float64 // λ ≥ 0, per s
	LocalServiceTime  float64 // τ, s; > 0 where λ > 0
	LocalSecondMoment float64 // μ = τ²(1 + CV²), s²

	ServiceTime  float64 // θ > 0, s, of an external request here, on one server
	SecondMoment float64 // ω = θ²(1 + CV²), s²

	// Squared coefficient of variation of the gaps less 1, ≥ −1. 0 is Poisson;
	// anything else replaces 1 + c_s² by c_a² + c_s² in the waits, as
	// Allen-Cunneen does, and is an approximation.
	LocalExcessSCV float64
	ExcessSCV      float64

	Servers float64 // c ≥ 1, real as in M/v̄ of InterGrid section 4.1; 0 means 1
	Power   float64 // Σ s of its processing elements, MIPS, for BCF; 0 means Servers/ServiceTime
	Price   float64 // ≥ 0, of serving one external request, any currency
}

// SecondMoment returns E[S²] = mean²(1 + cv²), in s², for a service time with
// the given mean in s and coefficient of variation (InterGrid eq. 18 and 19).
// mean and cv are finite and ≥ 0, else a *DomainError.
func SecondMoment(mean, cv float64) (float64, error) {
	c := check{fn: "SecondMoment"}
	c.atLeastZero("mean", mean)
	c.atLeastZero("cv", cv)
	return mean * mean * (1 + cv*cv), c.err
}

// CheckNames returns an error for the first name that is empty or given twice,
// counted from 1. The optimisers do not need names and do not ask for them.
func CheckNames(clusters []Cluster) error {
	seen := make(map[string]int, len(clusters))
	for j := range clusters {
		name := clusters[j].Name
		if name == "" {
			return fault.New("routing", "CheckNames", fmt.Sprintf("cluster %d: name = \"\", want a name", j+1), nil)
		}
		if first, ok := seen[name]; ok {
			return fault.New("routing", "CheckNames",
				fmt.Sprintf("cluster %d: name = %q, want a name not used before (cluster %d has it)",
					j+1, name, first+1), nil)
		}
		seen[name] = j
	}
	return nil
}

// A station is a checked cluster in the terms of the formulas: times as of one
// server c times as fast, the variability of gaps folded into the second
// moments.
type station struct {
	c     float64 // servers
	rho   float64 // local utilization
	idle  float64 // 1 − ρ, correctly rounded before the division by c
	theta float64 // θ/c
	omega float64 // (ω + excess·θ²)/c²
	local float64 // λ(μ + excess·τ²)/c²
}

// limit is the external rate that saturates the cluster.
func (s *station) limit() float64 { return s.idle / s.theta }

// square is ω + θλμ/(1−ρ): the square in eq. 7 short of its factors.
func (s *station) square() float64 { return s.omega + s.theta*s.local/s.idle }

func label(c *Cluster, j int) string {
	switch {
	case c.Name != "":
		return "cluster " + strconv.Quote(c.Name)
	case j < 0:
		return "cluster"
	}
	return "cluster " + strconv.Itoa(j+1)
}

// station checks the cluster, the j-th.
func (cl *Cluster) station(fn string, j int) (station, error) {
	// One test for the usual case; cl.check finds the words.
	if !cl.valid() {
		if err := cl.check(fn, j); err != nil {
			return station{}, err
		}
	}
	c := cl.servers()
	s := station{c: c, idle: math.FMA(-cl.LocalRate, cl.LocalServiceTime, c)}
	s.rho = cl.LocalRate * cl.LocalServiceTime
	mu := cl.LocalSecondMoment + cl.LocalExcessSCV*cl.LocalServiceTime*cl.LocalServiceTime
	s.local = cl.LocalRate * mu
	s.theta = cl.ServiceTime
	s.omega = cl.SecondMoment + cl.ExcessSCV*cl.ServiceTime*cl.ServiceTime
	if c != 1 {
		s.idle /= c
		s.rho /= c
		s.theta /= c
		s.omega /= c * c
		s.local /= c * c
	}
	if s.idle <= rounded {
		return station{}, &SaturatedError{
			Func:        fn,
			Cluster:     label(cl, j),
			Name:        cl.Name,
			Utilization: s.rho,
			Local:       true,
		}
	}
	if d, l := s.square(), s.limit(); !(s.omega > 0 && s.local >= 0 && d > 0 && l > 0) ||
		d/s.idle/s.idle > most || d/s.theta > most || l > most {
		const want = "moments with a variability above 0 and within the range of numbers"
		if local := s.theta * s.local / s.idle; local/s.idle/s.idle > most || local/s.theta > most {
			return station{}, &DomainError{fn, label(cl, j), "local second moment", cl.LocalSecondMoment, want}
		}
		return station{}, &DomainError{fn, label(cl, j), "service time", cl.ServiceTime, want}
	}
	return s, nil
}

// most bounds what a split is computed from, so that multiples of it by how near a cluster is to its limit are
// numbers as well.
const most = 1e270

func (cl *Cluster) servers() float64 {
	if cl.Servers == 0 {
		return 1
	}
	return cl.Servers
}

// rounding is how far below the squared mean a second moment may lie.
const rounding = 1e-9

// valid is check without words, and strict on whatever is unusual.
func (cl *Cluster) valid() bool {
	return cl.LocalRate > 0 && cl.LocalRate < math.MaxFloat64 &&
		cl.LocalServiceTime > 0 && cl.LocalServiceTime < 1e150 &&
		cl.LocalSecondMoment >= cl.LocalServiceTime*cl.LocalServiceTime && cl.LocalSecondMoment < math.MaxFloat64 &&
		cl.ServiceTime > 0 && cl.ServiceTime < 1e150 &&
		cl.SecondMoment >= cl.ServiceTime*cl.ServiceTime && cl.SecondMoment < math.MaxFloat64 &&
		cl.LocalExcessSCV == 0 && cl.ExcessSCV == 0 && cl.Servers == 0 && cl.Price == 0 && cl.Power == 0
}

func (cl *Cluster) check(fn string, j int) error {
	c := check{fn: fn, cluster: label(cl, j)}
	c.atLeastZero("local rate", cl.LocalRate)
	if cl.LocalRate > 0 {
		c.positive("local service time", cl.LocalServiceTime)
	} else {
		c.atLeastZero("local service time", cl.LocalServiceTime)
	}
	c.moment("local second moment", cl.LocalSecondMoment, cl.LocalServiceTime)
	c.positive("service time", cl.ServiceTime)
	c.moment("second moment", cl.SecondMoment, cl.ServiceTime)
	c.excess("local excess SCV", cl.LocalExcessSCV)
	c.excess("excess SCV", cl.ExcessSCV)
	if v := cl.Servers; v != 0 && !(v >= 1 && v <= maxServers) {
		c.fail("servers", v, fmt.Sprintf("1 <= servers <= %g (0 means 1)", maxServers))
	}
	c.atLeastZero("power", cl.Power)
	c.atLeastZero("price", cl.Price)
	return c.err
}

// maxServers is the range of queueing.ErlangB.
const maxServers = 1e12

// moment demands E[S²] ≥ E[S]².
func (c *check) moment(arg string, second, mean float64) {
	switch square := mean * mean; {
	case math.IsInf(square, 1) || math.IsInf(second, 1):
		c.fail(arg, second, "service times and an SCV whose "+arg+" is within the range of numbers, such as 1 s")
	case !(second >= square*(1-rounding)):
		c.fail(arg, second, fmt.Sprintf("%s >= mean² = %g", arg, square))
	}
}

func (c *check) excess(arg string, v float64) {
	if !(v >= -1) || math.IsInf(v, 1) {
		c.fail(arg, v, "finite "+arg+" >= -1")
	}
}
