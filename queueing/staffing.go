package queueing

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/capplan/capplan/internal/numeric"
)

// A Requirement is the fleet that an objective asks for.
type Requirement struct {
	// Servers is the least whole number that meets the objective: it was
	// computed that Servers meets and, unless it is 0, that Servers − 1 does
	// not (or has no steady state).
	Servers float64
	// Real is the least real number that meets it, by the continuation of the
	// model to a fractional server; Servers − 1 ≤ Real ≤ Servers. It is the
	// greatest lower bound where that is not attained.
	Real float64
	// Figures are those with Servers.
	Figures Figures
}

// LeastServers returns the fewest servers with which the model meets the
// objective. The work is about a dozen evaluations of the model, whatever the
// size of the answer, and never more than 120 (TestLeastServersEvaluations). So it
// takes no context: a caller's own model that is slow may look at one in its At,
// whose error ends the search.
//
// An objective that no number of servers meets (a limit of 0 on a figure that
// is never 0, a mean response below the service time) is an *InfeasibleError;
// a load for which the answer would pass 1e12 servers is a *DomainError.
func LeastServers(m Model, o Objective) (Requirement, error) {
	return LeastBeside(m, o, 0)
}

// LeastBeside returns the fewest servers to add to others that are there
// already and are worth a real number of servers, as [EquivalentServers] gives
// it: the least whole k ≥ 0 such that others + k servers meet the objective.
// Requirement.Servers and Real count the added ones; the Figures are those of
// the whole. Otherwise as [LeastServers].
func LeastBeside(m Model, o Objective, others float64) (Requirement, error) {
	return leastBeside(m, o, others, math.NaN())
}

// LeastNear is [LeastBeside] where about guess added servers are expected: two
// evaluations of the model if the guess is right or one off, and no more of them
// than twice the logarithm of how far off it is. Real is NaN, it is not computed.
func LeastNear(m Model, o Objective, others, guess float64) (Requirement, error) {
	c := Domain{Func: "LeastNear"}
	c.AtLeastZero("guess", guess)
	c.Magnitude("guess", guess)
	if c.Err != nil {
		return Requirement{}, c.Err
	}
	return leastBeside(m, o, others, guess)
}

// RealNear is [LeastBeside] with a guess of the added servers. For a model that interpolates
// between whole numbers of servers, each of which is expensive, it takes two evaluations rather
// than a dozen if the guess is right, and comes to the same answer, to the last bit (TestRealNear).
func RealNear(m Model, o Objective, others, expected float64) (Requirement, error) {
	m = Remembering(m)
	if o.Check("RealNear") != nil || !interpolates(m) || others != 0 || !(expected-1 > m.Floor()) {
		return LeastBeside(m, o, others)
	}
	var failed error
	slack := slackOf(m, o, &failed)
	high, low := slack(expected), slack(expected-1)
	if failed != nil || !(high >= 0 && low < 0) {
		return LeastBeside(m, o, others)
	}
	real, _ := numeric.Bracket(slack, expected, high, expected-1, low)
	f, err := m.At(expected)
	return Requirement{Servers: expected, Real: math.Min(real, expected), Figures: f}, cmp.Or(err, failed)
}

// leastBeside starts from the least real number where guess is NaN.
func leastBeside(m Model, o Objective, others, guess float64) (Requirement, error) {
	if err := o.Check("LeastServers"); err != nil {
		return Requirement{}, err
	}
	if m == nil {
		return Requirement{}, &DomainError{"LeastServers", "model", math.NaN(), "a model"}
	}
	c := Domain{Func: "LeastServers"}
	c.AtLeastZero("other servers", others)
	c.Magnitude("other servers", others)
	if c.Err != nil {
		return Requirement{}, c.Err
	}
	m = &twice{Model: Remembering(m)}
	floor := m.Floor()
	load, err := offered(m, floor, others+math.Ceil(guess))
	if err != nil {
		return Requirement{}, err
	}
	if load.OfferedLoad == 0 {
		f, err := m.At(others)
		if err != nil {
			return Requirement{}, err
		}
		if !o.Met(f) {
			return Requirement{}, infeasible(o, f)
		}
		return Requirement{Figures: f}, nil
	}
	if err := attainable(o, load); err != nil {
		// Servers that are there may be faster than those to be added.
		if f, alone := m.At(others); alone == nil && others+f.Servers > 0 && o.Met(f) {
			return Requirement{Figures: f}, nil
		}
		return Requirement{}, err
	}
	real := math.NaN()
	if math.IsNaN(guess) {
		if real, err = leastReal(m, o, floor, load.OfferedLoad); err != nil {
			return Requirement{}, err
		}
		real = math.Max(real-others, 0)
		guess = real
	}
	// The continuation says where to look; whole numbers decide.
	var failed error
	meets := func(k float64) bool {
		if failed != nil {
			return false
		}
		f, err := m.At(others + k)
		if err != nil && !errors.Is(err, ErrUnstable) && !errors.As(err, new(*DomainError)) {
			failed = err
		}
		return err == nil && o.Met(f)
	}
	k, ok := numeric.LeastInteger(meets, 0, math.Ceil(guess), MaxServers-math.Ceil(others))
	if failed != nil {
		return Requirement{}, failed
	}
	if !ok {
		return Requirement{}, &DomainError{"LeastServers", "load",
			load.OfferedLoad, "a load whose answer is at most 1e12 servers"}
	}
	f, err := m.At(others + k)
	if err != nil {
		return Requirement{}, err
	}
	return Requirement{Servers: k, Real: math.Min(real, k), Figures: f}, nil
}

// twice is a model that keeps its last figures: those of the load, of the first try
// and of the answer are often of one fleet.
type twice struct {
	Model
	at    [2]float64
	kept  [2]Figures
	known [2]bool
	next  int
}

func (m *twice) At(servers float64) (Figures, error) {
	for i, n := range m.at {
		if m.known[i] && n == servers {
			return m.kept[i], nil
		}
	}
	f, err := m.Model.At(servers)
	if err == nil {
		m.at[m.next], m.kept[m.next], m.known[m.next] = servers, f, true
		m.next = 1 - m.next
	}
	return f, err
}

// offered returns figures that hold the load of the model, at some stable
// number of servers: at those expected, where there are any, as they are asked for
// next.
func offered(m Model, floor, expected float64) (Figures, error) {
	if expected > floor && floor >= 0 {
		if f, err := m.At(expected); err == nil {
			return f, nil
		}
	}
	n := math.Min(2*floor+1, MaxServers)
	if !(floor >= 0 && floor < n) {
		// A field that is outside is to be named, rather than the load made of it.
		var bad *DomainError
		if _, err := m.At(1); errors.As(err, &bad) {
			return Figures{}, err
		}
		return Figures{}, &DomainError{"LeastServers", "load", floor, "a load whose answer is at most 1e12 servers"}
	}
	return m.At(n)
}

// attainable gives the certificate where the objective lies at or below the
// infimum of its metric over all numbers of servers.
func attainable(o Objective, f Figures) error {
	least := o.Infimum(f)
	switch {
	case o.Limit == 0 && o.Metric != MeanWait && o.Metric != MeanResponse,
		o.Limit == 0 && o.Metric == MeanWait && f.MeanWait > 0,
		o.Metric == MeanResponse && o.Limit <= least && !(f.MeanWait == 0 && o.Limit == least):
		return infeasible(o, f)
	case o.Metric == ResponseShare:
		if f.service.law == nil {
			return &DomainError{"LeastServers", "objective", float64(o.Metric),
				"a model with a law of responses: served in order of arrival, its law of service known"}
		}
		// A limit between 0 and the share of the service alone leaves none.
		if o.Limit <= least {
			return infeasible(o, f)
		}
	}
	return nil
}

// Infimum returns what the metric of the objective falls to as servers are added to
// those of the figures: then nobody waits, and of a response the service is left.
func (o Objective) Infimum(f Figures) float64 {
	switch {
	case o.Metric == MeanResponse:
		return f.ServiceTime
	case o.Metric == ResponseShare && f.service.law != nil:
		return f.service.above(o.Wait)
	}
	return 0
}

func infeasible(o Objective, f Figures) error {
	e := &InfeasibleError{Objective: o, Reason: "it falls towards 0 as servers are added but never reaches it",
		Infimum: o.Infimum(f)}
	if o.Metric == MeanResponse {
		e.Reason = "the service alone takes " + formatSeconds(e.Infimum) +
			" on average, and no number of servers shortens it"
	}
	if o.Metric == ResponseShare && f.service.law != nil {
		e.Reason = fmt.Sprintf("the service alone takes longer than %s for %.4g%% of arrivals, and no number of servers shortens it",
			formatSeconds(o.Wait), 100*e.Infimum)
	}
	return e
}

// slackOf is the slack of an objective by servers, −∞ where there is no steady state, and once
// the model has failed.
func slackOf(m Model, o Objective, failed *error) func(servers float64) float64 {
	return func(n float64) float64 {
		if *failed != nil {
			return math.Inf(-1)
		}
		f, err := m.At(n)
		if err != nil {
			if !errors.Is(err, ErrUnstable) {
				*failed = err
			}
			return math.Inf(-1)
		}
		return o.slack(f)
	}
}

// leastReal returns the least real number of servers that meets o.
func leastReal(m Model, o Objective, floor, load float64) (float64, error) {
	var failed error
	slack := slackOf(m, o, &failed)
	// Bracket from the load outwards, in steps of its square root: that is
	// where the answer lies in almost any regime.
	step := math.Sqrt(load) + 0.1
	yes, no := 0.0, floor
	guess := math.Min(load+step, MaxServers)
	between := interpolates(m)
	if between { // of whole numbers each is asked for once
		step, guess = math.Ceil(step), math.Min(math.Ceil(guess), MaxServers)
	}
	if s := slack(guess); s >= 0 {
		yes = guess
		for no = math.Max(guess-step, floor); no > floor && slack(no) >= 0 &&
			failed == nil; no = math.Max(no-step, floor) {
			yes = no
			step *= 2
		}
		if no == floor {
			// Perhaps every number above the floor does, as with a limit of 1.
			if slack(floor) >= 0 || slack(floor+1e-9*(floor+1)) >= 0 {
				return floor, failed
			}
		}
	} else {
		no = guess
		for {
			if failed != nil {
				return 0, failed
			}
			if no >= MaxServers {
				return 0, &DomainError{"LeastServers", "load", load, "a load whose answer is at most 1e12 servers"}
			}
			yes = math.Min(no+step, MaxServers)
			if slack(yes) >= 0 {
				break
			}
			no = yes
			step *= 2
		}
	}
	if between {
		yes, no = besideWhole(slack, yes, no)
	}
	yes, _ = numeric.Bracket(slack, yes, slack(yes), no, slack(no))
	return yes, failed
}

// interpolates reports whether the figures of a model between whole numbers of servers are
// made of theirs, which are dear.
func interpolates(m Model) bool {
	switch m := m.(type) {
	case *twice:
		return interpolates(m.Model)
	case InUnits:
		return interpolates(m.Model)
	case rememberingGIGC:
		return true
	}
	return false
}

// besideWhole narrows a bracket of a root, of which yes is whole, to no more than one
// between whole numbers, by regula falsi of which every third step halves.
func besideWhole(slack func(float64) float64, yes, no float64) (float64, float64) {
	high, low := slack(yes), slack(no)
	for k := 0; yes-no > 1; k++ {
		middle := math.Floor((yes + no) / 2)
		if width := high - low; k%3 < 2 && width > 0 && !math.IsInf(width, 1) {
			middle = math.Ceil(no - low/width*(yes-no))
			if k%3 == 1 { // from the other side
				middle--
			}
		}
		middle = math.Min(math.Max(middle, math.Floor(no)+1), yes-1)
		if s := slack(middle); s >= 0 {
			yes, high = middle, s
		} else {
			no, low = middle, s
		}
	}
	return yes, no
}

// SquareRootStaffing returns Halfin and Whitt's β with n = a + β√a for a
// delay system in which an arrival waits with the given probability:
//
//	α = [1 + β Φ(β)/φ(β)]⁻¹
//
// the limit for large systems (Halfin, Whitt, Oper. Res. 29, 1981, eq. 2.3).
// It is a figure to report and a place to start, not the answer; that is
// [LeastServers]. Domain: 0 < wait < 1.
func SquareRootStaffing(wait float64) (beta float64, err error) {
	if !(wait > 0 && wait < 1) {
		return 0, &DomainError{"SquareRootStaffing", "wait", wait, "0 < wait < 1"}
	}
	slack := func(b float64) float64 { return math.Log(halfinWhitt(b)) - math.Log(wait) }
	no := 1.0
	for slack(no) >= 0 {
		no *= 2
	}
	beta, _ = numeric.Bracket(slack, 0, -math.Log(wait), no, slack(no))
	return beta, nil
}

// halfinWhitt returns α(β) for β ≥ 0, in terms of φ/Φ without underflow of Φ.
func halfinWhitt(beta float64) float64 {
	density := math.Exp(-beta*beta/2) / math.Sqrt(2*math.Pi)
	cumulative := 0.5 * math.Erfc(-beta/math.Sqrt2)
	return density / (density + beta*cumulative)
}
