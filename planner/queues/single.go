package queues

import (
	"cmp"
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/capplan/capplan/planner/ask"
	"github.com/capplan/capplan/planner/sizing"
	"github.com/capplan/capplan/queueing"
	"github.com/capplan/capplan/units"
)

// LawNames are the forms of a service or arrival law: with a mean, and for the
// last three an SCV. The list is what errors and help show; erlang-2 and the
// empirical one stand for their kinds.
var LawNames = []string{"exponential", "deterministic", "erlang-2", "empirical:1,1,8", "gamma", "hyperexponential",
	"lognormal"}

// serviceLaw returns the law of the given name, mean and SCV. erlang-k takes any k;
// empirical takes observed times, in any unit, which are scaled to the mean.
// field names the place of errors, and the SCV is looked for beside it:
// arrival_scv beside arrival_law. Errors: *ask.InputError.
func serviceLaw(field, name string, mean float64, scv *units.Number) (queueing.Law, error) {
	phases, isErlang := strings.CutPrefix(name, "erlang-")
	times, isEmpirical := strings.CutPrefix(name, "empirical:")
	needs := name == "gamma" || name == "hyperexponential" || name == "lognormal"
	scvField := strings.TrimSuffix(field, "_law") + "_scv"
	// A law whose SCV is fixed by its shape refuses one, even the right one:
	// whoever gives it expects that it counts.
	if needs && scv == nil {
		return nil, ask.Inputf(scvField, "the law %s needs an SCV such as 2", name)
	}
	if !needs && scv != nil {
		return nil, ask.Inputf(scvField,
			"the law %s has its own SCV: use gamma, hyperexponential or lognormal with an SCV",
			cmp.Or(name, "exponential"))
	}
	switch {
	case name == "" || name == "exponential":
		return queueing.Exponential{Mean: mean}, nil
	case name == "deterministic":
		return queueing.Deterministic{Time: mean}, nil
	case isErlang:
		k, err := strconv.Atoi(phases)
		if err != nil || k < 1 {
			return nil, ask.Inputf(field, "%q has no whole number of phases, want a law such as erlang-4", name)
		}
		return queueing.ErlangK{Mean: mean, Phases: k}, nil
	case isEmpirical:
		return empirical(field, times, mean)
	case name == "gamma":
		return queueing.Gamma{Mean: mean, SCV: float64(*scv)}, nil
	case name == "lognormal":
		return queueing.Lognormal{Mean: mean, SCV: float64(*scv)}, nil
	// Two phases can only be as regular as one exponential: below 1 there is no
	// hyperexponential law.
	case name == "hyperexponential":
		if *scv < 1 {
			return nil, ask.Inputf(scvField, "%g, a hyperexponential law has an SCV of at least 1", float64(*scv))
		}
		h, err := queueing.BalancedHyperexponential(mean, float64(*scv))
		return h, ask.FromQueueing(field, err)
	}
	return nil, ask.Inputf(field, "%q is not a law, want one of %s (erlang-k for any k)",
		name, strings.Join(LawNames, ", "))
}

// empirical returns the law of a sample, each value as likely as the others. The
// times are scaled so that their mean is the one given; only their shape counts,
// and their unit does not.
func empirical(field, sample string, mean float64) (queueing.Law, error) {
	var l queueing.Empirical
	total, longest := 0.0, 0.0
	for _, s := range strings.Split(sample, ",") {
		// A time of 0 is refused: it has no size to be scaled, and in a list it
		// is mostly an empty field.
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 1) {
			return nil, ask.Inputf(field, "%q is not a time above 0, want a law such as empirical:1,1,8", s)
		}
		l.Times, l.Weights = append(l.Times, v), append(l.Weights, 1)
		total += v
		longest = max(longest, v)
	}
	// Times near the ends of the range of numbers count by their ratios to the longest.
	if longest < 1e-150 || longest > 1e150 {
		total = 0
		for i := range l.Times {
			l.Times[i] /= longest
			total += l.Times[i]
		}
	}
	scale := mean * float64(len(l.Times)) / total
	for i := range l.Times {
		if l.Times[i] *= scale; l.Times[i] == 0 {
			return nil, ask.Inputf(field, "the times are too far apart for numbers, want a law such as empirical:1,1,8")
		}
	}
	return l, nil
}

// A DisciplineAnswer is the mean response of M/G/1 under a discipline. The work
// is the same under each, and so is the share of time that the server is busy;
// only who waits for whom differs.
type DisciplineAnswer struct {
	Discipline   string   `json:"discipline"`
	MeanResponse *float64 `json:"mean_response_s"`
}

// single checks a queue of one server whose figures need a service time. Servers
// may be left out, and are 1 then.
func (q *QueueQuestion) single() (sizing.Load, error) {
	if err := q.Complete(); err != nil {
		return sizing.Load{}, err
	}
	if q.Servers != 0 && q.Servers != 1 {
		return sizing.Load{}, ask.Inputf("servers", "%s has one server, not %g", q.Queue, q.Servers)
	}
	return q.Nominal(), nil
}

// mg1Queue answers for one server and any law of service. The mean wait needs two moments of
// the law, and the law of the wait all of it.
func mg1Queue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	s, err := q.single()
	if err != nil {
		return nil, err
	}
	rate, mean, unit := s.Counted()
	service, err := serviceLaw("service_law", q.ServiceLaw, mean, q.ServiceSCV)
	if err != nil {
		return nil, err
	}
	m := queueing.MG1{ArrivalRate: rate, Service: service}
	g, err := m.Figures()
	if err != nil {
		return nil, ask.FromQueueing("load", err)
	}
	g = g.InUnits(unit)
	a, err := q.delayed(g, s.Clock)
	if err != nil {
		return nil, err
	}
	// The mean responses have no meaning without a unit of time.
	if s.Clock {
		for _, d := range []queueing.Discipline{queueing.FCFS, queueing.Sharing, queueing.SJF, queueing.PSJF,
			queueing.SRPT, queueing.FB} {
			t, err := m.MeanResponseUnder(d)
			if err != nil {
				return nil, ask.FromQueueing("load", err)
			}
			a.Disciplines = append(a.Disciplines, DisciplineAnswer{d.String(), ask.Figure(t * unit)})
		}
	}
	if q.Explain {
		_, second, _ := service.Moments()
		e := &ask.Explanation{Model: "M/G/1, service " + cmp.Or(lawName(q.ServiceLaw), "exponential")}
		e.Step("mean wait", "E[W] = λE[S²]/(2(1−ρ))",
			ask.Sprintf("%v/s · %v s² / (2·(1 − %v)) = %v s", s.Rate, second*unit*unit, g.OfferedLoad, g.MeanWait),
			"Pollaczek, Khinchine; Kleinrock 1975, section 5.7")
		e.Step("law of the wait", "P(W > t) = ρP(Sₑ > t) + ρ∫₀ᵗ P(S > t−u)/E[S] · P(W > u) du",
			"solved by collocation, panel after panel", "Pollaczek, Khinchine; Asmussen 2003, chapter X")
		e.Assume("Poisson arrivals, one server, first come, first served; the other disciplines are for comparison")
		a.Explanation = e
	}
	return a, nil
}

// gim1Queue answers for one server and any law of the gaps. The wait is exponential with an
// atom at 0, whatever the gaps; all that they decide is σ, the share that waits.
func gim1Queue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	s, err := q.single()
	if err != nil {
		return nil, err
	}
	// With no load the gap would be infinite, and no law has such a mean.
	if !(s.Rate > 0) {
		return nil, ask.Inputf("rate", "want a load above 0")
	}
	// The gap is the unit here: the mean of its law is then 1 and loses nothing.
	gap, service, unit := 1.0, s.Offered(), s.Service/s.Offered()
	if s.Erlangs == 0 {
		gap, service, unit = 1/s.Rate, s.Service, 1
	}
	gaps, err := serviceLaw("arrival_law", q.ArrivalLaw, gap, q.ArrivalSCV)
	if err != nil {
		return nil, err
	}
	g, err := queueing.GIM1{Gap: gaps, ServiceTime: service}.Figures()
	if err != nil {
		return nil, ask.FromQueueing("load", err)
	}
	g = g.InUnits(unit)
	a, err := q.delayed(g, s.Clock)
	if err != nil {
		return nil, err
	}
	if q.Explain {
		e := &ask.Explanation{Model: "GI/M/1, gaps " + cmp.Or(lawName(q.ArrivalLaw), "exponential")}
		e.Step("chance to wait", "σ = A(μ(1 − σ)), A the transform of the gap", "σ = "+ask.Digits(g.WaitProbability),
			"Kleinrock 1975, section 6.4")
		e.Step("mean wait", "E[W] = σE[S]/(1 − σ)", ask.Digits(g.MeanWait), "Kleinrock 1975, section 6.4")
		e.Assume("independent gaps, exponential service, one server, first come, first served")
		a.Explanation = e
	}
	return a, nil
}

// delayed restates figures with the law of the response. Package queueing knows
// that law for queues of one server.
func (q *QueueQuestion) delayed(g queueing.DelayFigures, clock bool) (*QueueAnswer, error) {
	o, err := q.waits(clock)
	if err != nil {
		return nil, err
	}
	a := q.presented(g.Figures, clock, o)
	a.Servers = 1
	if clock {
		a.ResponsePercentile = ask.Figure(g.ResponsePercentile(o.PercentileOrDefault()))
	}
	return a, nil
}

// solved presents the figures of a model that is given the rate and the service time of the load, in
// a unit that loses no digit of it.
func (q *QueueQuestion) solved(figures func(rate, service float64) (queueing.Figures, error)) (*QueueAnswer,
	queueing.Figures, error) {
	s := q.Nominal()
	o, err := q.waits(s.Clock)
	if err != nil {
		return nil, queueing.Figures{}, err
	}
	rate, service, unit := s.Counted()
	g, err := figures(rate, service)
	if err != nil {
		return nil, g, ask.FromQueueing("servers", err)
	}
	g = g.InUnits(unit)
	return q.presented(g, s.Clock, o), g, nil
}

// mdcQueue answers for several servers of constant service. All customers who are in service
// at a moment have left one service time later, which makes a chain at such
// intervals and an exact answer.
func mdcQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	c, err := wholeServers(q.Servers)
	if err != nil {
		return nil, err
	}
	a, g, err := q.solved(func(rate, service float64) (queueing.Figures, error) {
		return queueing.MDC{ArrivalRate: rate, ServiceTime: service, Servers: c}.Figures()
	})
	if err != nil {
		return nil, err
	}
	if q.Explain {
		e := &ask.Explanation{Model: "M/D/c, constant service"}
		e.Step("mean wait", "from the chain of customers at intervals of one service", "E[W] = "+ask.Digits(g.MeanWait),
			"Crommelin 1932")
		e.Assume("Poisson arrivals, first come, first served; exact")
		a.Explanation = e
	}
	return a, nil
}

// psQueue answers for processor sharing. Nobody waits, but all are slowed down: the wait of
// the answer is the delay, response less service.
func psQueue(_ context.Context, q *QueueQuestion) (*QueueAnswer, error) {
	if err := q.Complete(); err != nil {
		return nil, err
	}
	c, err := wholeServers(q.Servers)
	if err != nil {
		return nil, err
	}
	s := q.Nominal()
	rate, service, unit := s.Counted()
	model := queueing.PS{ArrivalRate: rate, ServiceTime: service, Servers: c}
	g, err := model.Figures()
	g = g.InUnits(unit)
	if err != nil {
		return nil, ask.FromQueueing("servers", err)
	}
	// Nobody waits for a start, and so no limit on the wait is taken over here.
	o := sizing.Objectives{Percentile: q.Percentile}
	a := q.presented(g, s.Clock, &o)
	a.WaitPercentile = nil // the law of the delay is not that of a wait
	if s.Clock {
		within, err := model.ResponsePercentile(o.PercentileOrDefault())
		if err != nil {
			return nil, ask.FromQueueing("percentile", err)
		}
		a.ResponsePercentile = ask.Figure(within * unit)
	}
	if q.Explain {
		e := &ask.Explanation{Model: "processor sharing"}
		in := " mean services"
		if s.Clock {
			in = " s"
		}
		e.Step("mean response", "E[T] = E[S]·(1 + C(c, a)/(c − a)), E[S]/(1 − ρ) for one server",
			ask.Sprintf("c = %v, a = %v: %v", g.Servers, g.OfferedLoad, g.MeanResponse)+in,
			"Cohen 1979; one server Kleinrock 1976, chapter 4")
		if a.ResponsePercentile != nil {
			e.Step("response percentile", "P(T > t) = Σ pₙfₙ(t), fₙ the chance that an arrival who finds n others "+
				"is still there after t",
				ask.Percent(o.PercentileOrDefault(), 7)+": t = "+ask.Digits(*a.ResponsePercentile)+" s",
				"exact; one server: Coffman, Muntz, Trotter 1970")
		}
		e.Assume(
			"Poisson arrivals; all present share the servers, none gets more than one; " +
				"the mean holds for any service law, the percentile for exponential service")
		a.Explanation = e
	}
	return a, nil
}
